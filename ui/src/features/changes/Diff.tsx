// The lines in which a file differs; those of the chosen definition are marked and come into sight.

import { Fragment, useEffect, useRef } from "react";
import { sentence } from "../../components/format";
import { FailureLine, Loading } from "../../components/states";
import { type DiffHunk, type HunkLine, useFileDiff } from "../../ipc";
import { type ChangeRow, diffPathOf } from "./rows";

const SIGNS = { context: " ", added: "+", removed: "−" } as const;
const WORDS = { context: "", added: "added", removed: "removed" } as const;

export function Diff(props: {
  repo: string;
  reference: string;
  row: ChangeRow;
  /** Why its content could not be read. */
  unread: string | undefined;
}) {
  const { row, unread } = props;
  const path = unread === undefined ? diffPathOf(row) : undefined;
  const diff = useFileDiff(props.repo, props.reference, path);
  if (unread !== undefined)
    return <p className="changes-note">{sentence(`not read: ${unread}`)}</p>;
  if (diff.isPending) return <Loading label="Comparing the file" isLate />;
  if (diff.isError) return <FailureLine error={diff.error} />;
  const { from, hunks, note } = diff.data;
  return (
    <div className="changes-diff" data-testid="changes-diff">
      {from && (
        <p className="small muted">
          Moved from <span className="code">{from}</span>
        </p>
      )}
      {note && <p className="changes-note small">{sentence(note)}</p>}
      {hunks.length === 0 && !note && <p className="muted">No line of it differs.</p>}
      {hunks.length > 0 && <Lines key={path} hunks={hunks} row={row} />}
    </div>
  );
}

function Lines({ hunks, row }: { hunks: DiffHunk[]; row: ChangeRow }) {
  const table = useRef<HTMLTableElement>(null);
  const { id } = row;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row marks other lines
  useEffect(() => {
    const mark = table.current?.querySelector("[data-main][data-line-kind=added], [data-main]");
    mark?.scrollIntoView?.({ block: "nearest" });
  }, [id]);
  return (
    <table ref={table} className="changes-lines code">
      <caption className="visually-hidden">Lines that differ: before, now, text</caption>
      <colgroup>
        <col className="changes-number" />
        <col className="changes-number" />
        <col className="changes-sign" />
        <col />
      </colgroup>
      {hunks.map((hunk) => (
        <tbody key={`${hunk.old_start} ${hunk.new_start}`}>
          <tr className="changes-hunk">
            <td colSpan={4}>
              Line {hunk.new_start}
              {hunk.old_start !== hunk.new_start && `, before ${hunk.old_start}`}
            </td>
          </tr>
          {hunk.lines.map((line) => (
            <Fragment key={`${line.old} ${line.new}`}>
              <Line line={line} isMain={isOf(line, row)} />
            </Fragment>
          ))}
        </tbody>
      ))}
    </table>
  );
}

function Line({ line, isMain }: { line: HunkLine; isMain: boolean }) {
  const { kind, text } = line;
  return (
    <tr data-line-kind={kind} data-main={isMain || undefined}>
      <td className="num muted">{line.old}</td>
      <td className="num muted">{line.new}</td>
      <td className="changes-sign">
        <span aria-hidden="true">{SIGNS[kind]}</span>
        <span className="visually-hidden">{WORDS[kind]}</span>
      </td>
      <td className="changes-text">{text}</td>
    </tr>
  );
}

/** Of a definition that is gone, the lines that it had. */
function isOf(line: HunkLine, row: ChangeRow): boolean {
  if (row.kind !== "symbol") return false;
  const { start_line, end_line } = row.symbol.symbol;
  const at = row.symbol.change === "removed" ? line.old : line.new;
  return at !== null && at >= start_line && at <= end_line;
}
