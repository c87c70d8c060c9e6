// What the shell must know of how the page looks: its colour, for the next start, and its zoom.

import { useEffect, useRef } from "react";
import { paintWindow, zoomWindow } from "../ipc";
import { measureGridsAnew } from "./grids-anew";
import { preferences } from "./preferences";

export function useWindowLook(): void {
  const { zoom } = preferences.use();
  const drawn = useRef(1);
  useEffect(() => {
    if (drawn.current === zoom) return;
    drawn.current = zoom;
    // The page hears of its zoom as of another size.
    window.addEventListener("resize", measureGridsAnew, { once: true });
    void zoomWindow(zoom);
    return () => window.removeEventListener("resize", measureGridsAnew);
  }, [zoom]);
  useEffect(() => {
    const root = document.documentElement;
    const tell = () => void paintWindow(root.dataset.theme === "dark");
    const changes = new MutationObserver(tell);
    changes.observe(root, { attributeFilter: ["data-theme"] });
    tell();
    return () => changes.disconnect();
  }, []);
}
