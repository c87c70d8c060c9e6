// The size of an element, as it changes.

import { type RefObject, useLayoutEffect, useRef, useState } from "react";

export interface Box {
  width: number;
  height: number;
}

export function useBox(standard: Box): [RefObject<HTMLDivElement | null>, Box] {
  const host = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState(standard);
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width > 0 && height > 0) setBox({ width, height });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [host, box];
}
