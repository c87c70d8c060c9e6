// Whether a box that scrolls sideways holds more than is in sight.

import { type RefObject, useEffect, useState } from "react";

export function useMoreToTheRight(box: RefObject<HTMLElement | null>): boolean {
  const [hasMore, setHasMore] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    const look = () =>
      setHasMore(element.scrollLeft + element.clientWidth < element.scrollWidth - 1);
    const watch = new ResizeObserver(look);
    watch.observe(element);
    for (const child of element.children) watch.observe(child);
    element.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [box]);
  return hasMore;
}
