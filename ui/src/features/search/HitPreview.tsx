// The chosen hit's file, with all hits in it and the words of the query marked.

import { useCallback, useMemo } from "react";
import { useLineBefore } from "../../app/opened";
import type { LineSpan, WordMark } from "../../components/CodeView";
import type { FilePreview, Hit } from "../../ipc";
import { PreviewPane } from "./PreviewPane";
import { useOpenedPreview } from "./useOpenedPreview";

/** More marks than this would only slow the file down. */
const MAX_MARKS = 2000;

export function HitPreview(props: {
  repo: string;
  asOf: string | null;
  hit: Hit | undefined;
  hits: Hit[];
  onExplain: () => void;
  onGraph: () => void;
  onPin: () => void;
  onFile: (path: string) => void;
}) {
  const { hit, hits, ...rest } = props;
  const before = useLineBefore();
  const spans = useMemo(() => spansIn(hits, hit, before), [hits, hit, before]);
  const opened = useOpenedPreview();
  const words = useCallback((file: FilePreview) => (hit ? wordsIn(file.text, hit) : []), [hit]);
  return <PreviewPane {...rest} place={hit} spans={spans} wordsIn={words} {...opened} />;
}

/** Words of the query, as the hit's snippet has them, wherever they stand in the file. */
function wordsIn(text: string, hit: Hit): WordMark[] {
  const words = new Set(
    hit.snippet.flatMap((line) =>
      line.matches.map(([start, end]) => line.text.slice(start, end).toLowerCase()),
    ),
  );
  const marks: WordMark[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    for (const { 0: word, index: column } of line.matchAll(/[\p{L}\p{N}_]+/gu)) {
      if (!words.has(word.toLowerCase())) continue;
      marks.push({ line: index + 1, column, length: word.length, main: false });
      if (marks.length === MAX_MARKS) return marks;
    }
  }
  return marks;
}

function spansIn(hits: Hit[], chosen: Hit | undefined, before?: number): LineSpan[] {
  return hits
    .filter((hit) => hit.path === chosen?.path && hit.repo === chosen.repo)
    .map((hit) => ({
      from: hit.start_line,
      to: hit.end_line,
      at: bestLine(hit),
      main: hit === chosen,
      before: hit === chosen ? before : undefined,
    }));
}

/** The line within the definition that holds most of the query's words. */
function bestLine(hit: Hit): number {
  const best = [...hit.snippet].sort((a, b) => b.matches.length - a.matches.length)[0];
  return best && best.matches.length > 0 ? best.line : hit.start_line;
}
