// What the window asks of the desktop: file dialogs, dropped folders, the clipboard.

import { getCurrentWebview } from "@tauri-apps/api/webview";
import { useEffect, useState } from "react";
import { ask } from "./ask";
import { commands, type PathChoice } from "./bindings";

/** Asks for a file or folder in a dialog of the shell; `null` when the person changed their mind. */
export async function choosePath(what: PathChoice): Promise<string | null> {
  return ask<string | null>(commands.choosePath(what));
}

/** Asks where to save a file of this name; `null` when the person changed their mind. */
export async function chooseSavePath(name: string): Promise<string | null> {
  return ask<string | null>(commands.chooseSavePath(name));
}

/** Calls `onDrop` with the first path dropped on the window; true while one hovers over it. */
export function useDroppedPath(onDrop: (path: string) => void): boolean {
  const [hovering, setHovering] = useState(false);
  useEffect(() => {
    const listening = getCurrentWebview().onDragDropEvent(({ payload }) => {
      setHovering(payload.type === "enter" || payload.type === "over");
      const path = payload.type === "drop" ? payload.paths[0] : undefined;
      if (path) onDrop(path);
    });
    return () => void listening.then((unlisten) => unlisten());
  }, [onDrop]);
  return hovering;
}

/** Copies text; falls back to a selection where the webview has no clipboard API. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    const focused = document.activeElement;
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
