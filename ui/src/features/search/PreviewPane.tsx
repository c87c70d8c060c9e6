// The file of the chosen hit or line, whole, at its place.

import { useMemo } from "react";
import type { LineSpan, WordMark } from "../../components/CodeView";
import { Button, IconButton } from "../../components/controls";
import { asMarkdown, copyAndSay } from "../../components/copy";
import { OpenInEditor } from "../../components/OpenInEditor";
import { PinnableCode } from "../../components/PinnableCode";
import { Failure, Loading } from "../../components/states";
import { type FilePreview, type Hit, usePreview } from "../../ipc";

export type PreviewPlace = Pick<
  Hit,
  "path" | "start_line" | "end_line" | "signature" | "more_in_file"
>;

export function PreviewPane(props: {
  repo: string;
  /** The revision that is searched; `null` for the working tree. */
  asOf: string | null;
  place: PreviewPlace | undefined;
  spans: LineSpan[];
  /** The words of a file that are marked. */
  wordsIn: (file: FilePreview) => WordMark[];
  /** Shows why it ranks here, where it is ranked. */
  onExplain?: () => void;
  onGraph: () => void;
  onPin: () => void;
  /** Shows all hits of a file. */
  onFile?: (path: string) => void;
}) {
  const { place: hit, spans, wordsIn } = props;
  const preview = usePreview(props.repo, hit?.path, props.asOf);
  const file = preview.data?.path === hit?.path ? preview.data : undefined;
  const words = useMemo(() => (file ? wordsIn(file) : []), [file, wordsIn]);
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
            onPress={() => props.onFile?.(hit.path)}
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
        {props.onExplain && (
          <Button icon="explain" data-testid="preview-explain" onPress={props.onExplain}>
            Explain
          </Button>
        )}
      </header>
      {preview.isError && <Failure error={preview.error} onRetry={() => preview.refetch()} />}
      {!file && !preview.isError && <Loading label="Reading the file" />}
      {file && !preview.isError && <PinnableCode file={file} spans={spans} words={words} />}
      {file?.truncated && <p className="small muted preview-note">Truncated at the size limit.</p>}
    </section>
  );
}

function markdownOf(file: FilePreview, hit: PreviewPlace): string {
  const lines = file.text.split("\n").slice(hit.start_line - 1, hit.end_line);
  const { path, language } = file;
  return asMarkdown({ path, language, from: hit.start_line, text: lines.join("\n") });
}
