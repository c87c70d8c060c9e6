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
    const isInside = isIn(id);
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
    // Escape in it, or where nothing has the focus, is heard before the screen's own keys.
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && isOpen && isIn(id)) onKey(event);
    };
    document.addEventListener("keydown", onEscape, true);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onEscape, true);
      document.removeEventListener("keydown", onKey);
    };
  }, [id, isOpen, toggle, close]);
  return { isOpen, open, close, toggle };
}

/** The focus is in it, or nowhere: what had it has gone. */
function isIn(id: string): boolean {
  const focused = document.activeElement;
  return focused === document.body || !!document.getElementById(id)?.contains(focused);
}
