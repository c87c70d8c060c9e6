// How large the page is drawn: by keys and by the palette, in the steps that browsers have.

import { say } from "./notices";
import { preferences } from "./preferences";

const STEPS = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];

export type Zoom = "in" | "out" | "reset";

/** What a key press asks for, beside the modifier. */
export function zoomKey({ key }: { key: string }): Zoom | undefined {
  // Without Shift, `+` is `=` on many keyboards.
  if (key === "+" || key === "=") return "in";
  if (key === "-" || key === "_") return "out";
  return key === "0" ? "reset" : undefined;
}

/** The next step from here; the last one leads nowhere. */
export function zoomed(from: number, zoom: Zoom): number {
  if (zoom === "reset") return 1;
  const next =
    zoom === "in" ? STEPS.find((step) => step > from) : STEPS.findLast((step) => step < from);
  return next ?? from;
}

export function zoomBy(zoom: Zoom | undefined): void {
  if (!zoom) return;
  const factor = zoomed(preferences.get().zoom, zoom);
  preferences.set({ zoom: factor });
  say(`Zoom ${Math.round(factor * 100)}%`);
}
