// The size of an element, followed.

import { type RefObject, useLayoutEffect, useState } from "react";
import type { Size } from "./viewport";

const FIRST: Size = { width: 640, height: 420 };

export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(FIRST);
  useLayoutEffect(() => {
    if (!element.current || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      if (width > 0 && height > 0) setSize({ width, height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
