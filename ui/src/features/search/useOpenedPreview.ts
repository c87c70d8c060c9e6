// The preview of a place that is no hit: where a name in the code led, or a row of a lens.

import { useEffect, useMemo, useRef } from "react";
import { type CodePlace, leaveOpened, useLineBefore, useOpened } from "../../app/opened";
import { hasMod, inTextField } from "../../app/platform-keys";
import { goBack, showInGraph } from "../../app/route";
import { newMemo } from "../../app/scope";
import type { LineSpan, WordMark } from "../../components/CodeView";
import { copyAndSay } from "../../components/copy";
import { useEditor } from "../../components/OpenInEditor";
import type { PreviewPlace } from "./PreviewPane";

const NO_WORDS = (): WordMark[] => [];

/** What the preview shows in place of what is chosen in the list; `null` where nothing else is open. */
export function useOpenedPreview() {
  const opened = useOpened();
  const before = useLineBefore();
  const { repo, path, line, endLine } = opened ?? NOWHERE;
  const isOpen = opened !== null;
  const editor = useEditor(repo);
  useOpenedKeys(isOpen, {
    m: () => newMemo({ path, from: line, to: endLine ?? line }),
    o: () => void editor.open(path, line),
    c: () => void copyAndSay(`${path}:${line}`),
  });
  return useMemo(() => {
    if (!isOpen) return null;
    const to = endLine ?? line;
    const place: PreviewPlace = {
      path,
      start_line: line,
      end_line: to,
      signature: "",
      more_in_file: 0,
    };
    const spans: LineSpan[] = [{ from: line, to, main: true, before }];
    return {
      repo,
      place,
      spans,
      wordsIn: NO_WORDS,
      onExplain: undefined,
      onFile: undefined,
      onGraph: () => showInGraph({ symbol: null, path, start_line: line }),
      onPin: () => newMemo({ path, from: line, to }),
      onPinLines: undefined,
      onBack: () => goBack() || leaveOpened(),
    };
  }, [isOpen, repo, path, line, endLine, before]);
}

const NOWHERE: CodePlace = { repo: "", path: "", line: 1 };

/** Keys are about what is read: they are heard before the list's, which would take them for its row. */
function useOpenedKeys(isOpen: boolean, keys: Record<string, () => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector(".scrim, [role=dialog]")) return;
      if (inTextField(event) || hasMod(event) || event.altKey) return;
      // In the code it means the line of the cursor.
      const isPin = event.key === "m" && (event.target as Element).closest?.(".cm-content");
      const act = isPin ? undefined : latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, [isOpen]);
}
