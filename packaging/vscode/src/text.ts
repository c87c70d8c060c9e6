// Text of repositories, memos and programs, as it may be shown: it comes from strangers.

import { visible } from "../../../ui/src/visible/visible";

/** Several lines; hidden characters are written out. */
export const shown = visible;

/** One line of it. */
export function inOneLine(text: string): string {
  return shown(text.replaceAll(/\s*[\r\n]+\s*/g, " ")).trim();
}

/** A message: the editor would make links, of commands too, of `[text](command:…)`. */
export function inMessage(text: string): string {
  return inOneLine(text).replaceAll("](", "] (");
}

/** `1 user`, `2 users`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
