// The size of an element, followed.

import { type RefObject, useLayoutEffect, useState } from "react";
import type { Size } from "./viewport";

const FIRST: Size = { width: 640, height: 420 };

export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(FIRST);
  useLayoutEffect(() => {
    if (!element.current) return;
    const take = ({ width, height }: Size) => {
      if (width > 0 && height > 0) setSize({ width, height });
    };
    take(element.current.getBoundingClientRect());
    if (typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(([entry]) => entry && take(entry.contentRect));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
