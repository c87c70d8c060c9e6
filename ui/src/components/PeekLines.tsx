// The first lines of a definition, painted as in its file.

import { Fragment } from "react";
import { type FilePreview, type SymbolLine, usePreview } from "../ipc";
import { FailureLine } from "./states";

/** More are read in the file. */
const MOST_LINES = 11;

export function PeekLines(props: { repo: string; asOf: string | null; target: SymbolLine }) {
  const { target } = props;
  const preview = usePreview(props.repo, target.path, props.asOf);
  const file = preview.data?.path === target.path ? preview.data : undefined;
  if (preview.isError) return <FailureLine error={preview.error} />;
  if (!file) return <p className="peek-note small muted">Reading {target.path}</p>;
  const from = target.start_line;
  const to = Math.min(target.end_line, from + MOST_LINES - 1);
  const lines = linesOf(file.text, from, to);
  if (lines.length === 0)
    return <p className="peek-note small muted">The file no longer has these lines.</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by key */}
      <pre className="peek-code" tabIndex={0} data-testid="peek-code">
        {lines.map(({ number, start, text }) => (
          <span key={number} className="peek-line">
            <span className="peek-number" aria-hidden="true">
              {number}
            </span>
            {painted(file, start, text)}
            {"\n"}
          </span>
        ))}
      </pre>
      {target.end_line > to && (
        <p className="peek-note small muted">
          {target.end_line - to === 1 ? "1 more line" : `${target.end_line - to} more lines`}
        </p>
      )}
    </>
  );
}

/** Lines with where they begin in the text. */
function linesOf(text: string, from: number, to: number) {
  const lines: { number: number; start: number; text: string }[] = [];
  let start = 0;
  for (let number = 1; number <= to && start <= text.length; number++) {
    const end = text.indexOf("\n", start);
    const stop = end < 0 ? text.length : end;
    if (number >= from)
      lines.push({ number, start, text: text.slice(start, stop).replace(/\r$/, "") });
    start = stop + 1;
  }
  return lines;
}

/** The pieces of a line by how they are painted. */
function painted({ highlights }: FilePreview, start: number, text: string) {
  const end = start + text.length;
  const ranges = highlights.filter((range) => range.end > start && range.start < end);
  let at = start;
  const plain = (to: number) => text.slice(at - start, to - start);
  const pieces = ranges.map((range) => {
    const before = plain(Math.max(at, range.start));
    at = Math.max(at, range.start);
    const piece = plain(Math.min(end, range.end));
    at = Math.min(end, range.end);
    return (
      <Fragment key={range.start}>
        {before}
        <span className={`hl-${range.class}`}>{piece}</span>
      </Fragment>
    );
  });
  return [...pieces, plain(end)];
}
