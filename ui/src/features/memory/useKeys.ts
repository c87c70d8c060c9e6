// The keys of the screen, but in a field, a dialog, or while a memo is written.

import { useEffect, useRef } from "react";
import { inTextField } from "../../app/platform-keys";

export function useKeys(isWriting: boolean, keys: Record<string, () => void>): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    if (isWriting) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const run = inTextField(event) ? undefined : current.current[event.key];
      if (!run || document.querySelector("[role=dialog]")) return;
      event.preventDefault();
      run();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isWriting]);
}
