// The chosen hit's file, whole, at the hit.

import { useMemo } from "react";
import type { LineSpan, WordMark } from "../../components/CodeView";
import { Button, IconButton } from "../../components/controls";
import { asMarkdown, copyAndSay } from "../../components/copy";
import { OpenInEditor } from "../../components/OpenInEditor";
import { PinnableCode } from "../../components/PinnableCode";
import { Failure, Loading } from "../../components/states";
import { type FilePreview, type Hit, usePreview } from "../../ipc";

/** More marks than this would only slow the file down. */
const MAX_MARKS = 2000;

export function PreviewPane(props: {
  repo: string;
  /** The revision of the hits; `null` for the working tree. */
  asOf: string | null;
  hit: Hit | undefined;
  hits: Hit[];
  onExplain: () => void;
  onGraph: () => void;
  onPin: () => void;
  /** Shows all hits of a file. */
  onFile: (path: string) => void;
}) {
  const { hit, hits } = props;
  const preview = usePreview(props.repo, hit?.path, props.asOf);
  const spans = useMemo(() => spansIn(hits, hit), [hits, hit]);
  const file = preview.data?.path === hit?.path ? preview.data : undefined;
  const words = useMemo(() => (file && hit ? wordsIn(file.text, hit) : []), [file, hit]);
  if (!hit) return null;
  const within = file?.symbols.filter(
    (symbol) => symbol.start_line <= hit.start_line && symbol.end_line >= hit.end_line,
  );
  return (
    <section className="preview" data-testid="preview" data-path={file?.path} aria-label="Preview">
      <header className="preview-head">
        <div className="preview-title">
          <span className="code path-start ellipsis" title={hit.path}>
            <bdi>{hit.path}</bdi>
          </span>
          <span className="small muted ellipsis">
            {within?.map((symbol) => symbol.name).join(" › ") || hit.signature}
          </span>
        </div>
        {hit.more_in_file > 0 && (
          <Button
            kind="quiet"
            data-testid="preview-more"
            onPress={() => props.onFile(hit.path)}
          >{`${hit.more_in_file} more in this file`}</Button>
        )}
        <IconButton
          icon="copy"
          label={`Copy ${hit.path}:${hit.start_line} (c)`}
          onPress={() => copyAndSay(`${hit.path}:${hit.start_line}`)}
        />
        <IconButton
          icon="markdown"
          label="Copy as Markdown"
          data-testid="preview-markdown"
          isDisabled={!file}
          onPress={() => file && copyAndSay(markdownOf(file, hit), "as Markdown")}
        />
        <OpenInEditor path={hit.path} line={hit.start_line} shortcut="o" />
        <IconButton
          icon="graph"
          label="Show in graph (g)"
          data-testid="preview-graph"
          onPress={props.onGraph}
        />
        <IconButton
          icon="pin"
          label="Pin a memo here (m)"
          data-testid="preview-pin"
          onPress={props.onPin}
        />
        <Button icon="explain" data-testid="preview-explain" onPress={props.onExplain}>
          Explain
        </Button>
      </header>
      {preview.isError && <Failure error={preview.error} onRetry={() => preview.refetch()} />}
      {!file && !preview.isError && <Loading label="Reading the file" />}
      {file && !preview.isError && <PinnableCode file={file} spans={spans} words={words} />}
      {file?.truncated && <p className="small muted preview-note">Truncated at the size limit.</p>}
    </section>
  );
}

function markdownOf(file: FilePreview, hit: Hit): string {
  const lines = file.text.split("\n").slice(hit.start_line - 1, hit.end_line);
  const { path, language } = file;
  return asMarkdown({ path, language, from: hit.start_line, text: lines.join("\n") });
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

function spansIn(hits: Hit[], chosen: Hit | undefined): LineSpan[] {
  return hits
    .filter((hit) => hit.path === chosen?.path)
    .map((hit) => ({
      from: hit.start_line,
      to: hit.end_line,
      at: bestLine(hit),
      main: hit === chosen,
    }));
}

/** The line within the definition that holds most of the query's words. */
function bestLine(hit: Hit): number {
  const best = [...hit.snippet].sort((a, b) => b.matches.length - a.matches.length)[0];
  return best && best.matches.length > 0 ? best.line : hit.start_line;
}
