// The drawer of the status bar, open or not: by its key from everywhere; Escape closes it. The focus goes back to
// where it was.

import { useCallback, useEffect, useRef, useState } from "react";
import { hasMod } from "./platform-keys";

export function useDrawer(id: string) {
  const [isOpen, setOpen] = useState(false);
  const origin = useRef<HTMLElement>(undefined);
  const open = useCallback(() => {
    const from = document.activeElement;
    if (from instanceof HTMLElement && from !== document.body) origin.current = from;
    setOpen(true);
  }, []);
  const close = useCallback(() => {
    const isInside = document.getElementById(id)?.contains(document.activeElement);
    setOpen(false);
    const back = origin.current?.isConnected
      ? origin.current
      : document.querySelector<HTMLElement>(`[data-testid="status-toggle"]`);
    if (isInside) back?.focus({ preventScroll: true });
  }, [id]);
  const toggle = isOpen ? close : open;

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector(".scrim")) return;
      if (hasMod(event) && event.key.toLowerCase() === "j") toggle();
      // What is open over the page closes before the page goes back.
      else if (isOpen && event.key === "Escape") close();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOpen, toggle, close]);
  return { isOpen, open, close, toggle };
}
