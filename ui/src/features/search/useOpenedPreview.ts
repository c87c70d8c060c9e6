// The preview of a place that is no hit: where a name in the code led, or a row of a lens.

import { useMemo } from "react";
import { type CodePlace, leaveOpened, useLineBefore, useOpened } from "../../app/opened";
import { goBack, showInGraph } from "../../app/route";
import { newMemo } from "../../app/scope";
import type { LineSpan, WordMark } from "../../components/CodeView";
import type { PreviewPlace } from "./PreviewPane";

const NO_WORDS = (): WordMark[] => [];

/** What the preview shows in place of what is chosen in the list; `null` where nothing else is open. */
export function useOpenedPreview() {
  const opened = useOpened();
  const before = useLineBefore();
  const { repo, path, line, endLine } = opened ?? NOWHERE;
  const isOpen = opened !== null;
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
