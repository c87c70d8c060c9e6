// What every element of the page is made by: text that it shows goes through `visible`, whatever answer it
// comes from. Components keep the text as it is, so that paths lead back and positions fit.

import type { jsx } from "react/jsx-runtime";
import { visible } from "./visible";

type Props = Record<string, unknown>;

/** What of an element is read by people. */
const READ = ["children", "title", "alt", "placeholder", "aria-label", "aria-description"];

/** The parameters of React's own function behind each element. */
export type Made = Parameters<typeof jsx>;

export function shownProps(props: Made[1]): Made[1] {
  const given = props as Props;
  let shown = given;
  for (const name of READ) {
    const text = shownIn(given[name]);
    if (text === given[name]) continue;
    if (shown === given) shown = { ...given };
    shown[name] = text;
  }
  return shown;
}

function shownIn(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (!Array.isArray(value)) return value;
  const parts = value.map(shownIn);
  return parts.some((part, at) => part !== value[at]) ? parts : value;
}
