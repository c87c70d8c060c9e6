// Rows that change places slide there; nothing moves where the system asks for less motion.

import { type RefObject, useLayoutEffect, useRef } from "react";

const MS = 180;

/** `order` names the rows as they stand; each child of `body` says which it is by `data-key`. */
export function useSlide(body: RefObject<HTMLElement | null>, order: string): void {
  const tops = useRef(new Map<string, number>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows move when their order does
  useLayoutEffect(() => {
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const now = new Map<string, number>();
    for (const row of body.current?.children ?? []) {
      if (!(row instanceof HTMLElement) || !row.dataset.key) continue;
      const top = row.offsetTop;
      now.set(row.dataset.key, top);
      const by = (tops.current.get(row.dataset.key) ?? top) - top;
      if (by === 0 || isStill) continue;
      row.animate?.([{ transform: `translateY(${by}px)` }, { transform: "none" }], {
        duration: MS,
        easing: "ease-out",
      });
    }
    tops.current = now;
  }, [order]);
}
