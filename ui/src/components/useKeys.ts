// Keys of a screen, wherever the focus is, except in a text field or a dialog.

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
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isOn]);
}
