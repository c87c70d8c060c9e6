// Keys of a screen, wherever the focus is, except in a text field or a dialog. They are heard on the document,
// those of the frame on the window, which hears after it: whichever of both was drawn first, the screen is asked
// before the frame goes back.

import { useEffect, useRef } from "react";
import { inTextField } from "../app/platform-keys";

export function useKeys(keys: Record<string, () => void>, isOn = true): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector(".scrim, [role=dialog]")) return;
      if (inTextField(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn]);
}
