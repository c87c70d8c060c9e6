// A long list of rows of one height, of which only those in sight are drawn; one row has the keys.

import { type KeyboardEvent, type RefObject, useEffect, useState } from "react";
import { rowIntoSight, useKeptRow } from "./useKeptInSight";

const OVERSCAN = 8;
/** Before anything is measured. */
const FIRST_HEIGHT = 600;

export interface Windowed {
  /** Rows to draw, by place; the one with the keys among them, wherever it is. */
  drawn: number[];
  onScroll: () => void;
  /** Leads arrows, pages, Home and End to another row. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/** `box` scrolls; a row bears `data-row`, what is focused in it `data-main`. */
export function useWindowed(props: {
  box: RefObject<HTMLElement | null>;
  n: number;
  rowPx: number;
  /** The row with the keys. */
  at: number;
  onMove: (at: number) => void;
}): Windowed {
  const { box, n, rowPx, at } = props;
  const [top, setTop] = useState(0);
  const height = box.current?.clientHeight || FIRST_HEIGHT;
  const first = Math.min(Math.max(0, top - OVERSCAN), n);
  const end = Math.min(n, first + Math.ceil(height / rowPx) + 2 * OVERSCAN);
  const drawn = Array.from({ length: end - first }, (_, place) => first + place);
  if (at >= 0 && at < n && !drawn.includes(at)) drawn.push(at);
  useEffect(() => {
    const list = box.current;
    const row = list?.querySelector(`[data-row="${at}"]`);
    const focused = document.activeElement;
    if (!list?.contains(focused) || row?.contains(focused)) return;
    row?.querySelector<HTMLElement>("[data-main]")?.focus({ preventScroll: true });
    rowIntoSight(list, at, rowPx);
  }, [box, at, rowPx]);
  useKeptRow(box, at, rowPx);
  const page = Math.max(1, Math.floor(height / rowPx) - 1);
  return {
    drawn,
    onScroll: () => setTop(Math.floor((box.current?.scrollTop ?? 0) / rowPx)),
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const to = placeAfter(event.key, at, page, n);
      if (to === undefined || n === 0) return;
      event.preventDefault();
      props.onMove(Math.max(0, Math.min(n - 1, to)));
    },
  };
}

function placeAfter(key: string, at: number, page: number, n: number): number | undefined {
  switch (key) {
    case "ArrowDown":
    case "j":
      return at + 1;
    case "ArrowUp":
    case "k":
      return at - 1;
    case "PageDown":
      return at + page;
    case "PageUp":
      return at - page;
    case "Home":
      return 0;
    case "End":
      return n - 1;
  }
}
