// WebKit measures what lies in a grid once and keeps that when the page is zoomed: columns as wide as their text cut
// it off then. A grid that is another kind of box for a moment is measured anew.

/** Each grid of the page, those that scroll and have the focus included: nothing leaves the page meanwhile. */
export function measureGridsAnew(): void {
  const all = document.body.querySelectorAll<HTMLElement>("*");
  const grids = [...all].filter(
    (one) => one instanceof HTMLElement && getComputedStyle(one).display.endsWith("grid"),
  );
  for (const grid of grids) grid.style.display = "flow-root";
  document.body.getBoundingClientRect();
  for (const grid of grids) grid.style.removeProperty("display");
}
