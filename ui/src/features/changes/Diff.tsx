// The lines in which a file differs; of a chosen definition its own, marked, before the rest.

import { useState } from "react";
import { plural, sentence } from "../../components/format";
import { FailureLine, Loading } from "../../components/states";
import { type DiffHunk, type HunkLine, type SymbolLine, useFileDiff } from "../../ipc";
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
      {hunks.length > 0 && <Lines key={row.id} hunks={hunks} row={row} />}
    </div>
  );
}

/** Of a chosen definition its own hunks, until one asks for the others. */
function Lines({ hunks, row }: { hunks: DiffHunk[]; row: ChangeRow }) {
  const [isWhole, setWhole] = useState(false);
  const own = hunks.filter((hunk) => hunk.lines.some((line) => isOf(line, row)));
  const shown = isWhole || own.length === 0 ? hunks : own;
  return (
    <>
      <table className="changes-lines code" aria-label="Lines that differ: before, now, text">
        <colgroup>
          <col className="changes-number" />
          <col className="changes-number" />
          <col className="changes-sign" />
          <col />
        </colgroup>
        {shown.map((hunk) => (
          <Hunk key={`${hunk.old_start} ${hunk.new_start}`} hunk={hunk} row={row} />
        ))}
      </table>
      {shown.length < hunks.length && (
        <button
          type="button"
          className="link small changes-more"
          data-testid="changes-whole-file"
          onClick={() => setWhole(true)}
        >
          Show {plural(hunks.length - shown.length, "other place")} of the file
        </button>
      )}
    </>
  );
}

function Hunk({ hunk, row }: { hunk: DiffHunk; row: ChangeRow }) {
  return (
    <tbody>
      <tr className="changes-hunk">
        <td colSpan={4}>
          Line {hunk.new_start}
          {hunk.old_start !== hunk.new_start && `, before ${hunk.old_start}`}
        </td>
      </tr>
      {hunk.lines.map((line) => (
        <Line key={`${line.old} ${line.new}`} line={line} isMain={isOf(line, row)} />
      ))}
    </tbody>
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
  const { symbol, change, from } = row.symbol;
  const isIn = (at: number | null, { start_line, end_line }: SymbolLine) =>
    at !== null && at >= start_line && at <= end_line;
  if (change === "removed") return isIn(line.old, symbol);
  // Under its old name it stood in the same lines that differ.
  const wasHere = from?.path === symbol.path && line.kind === "removed" && isIn(line.old, from);
  return wasHere || isIn(line.new, symbol);
}
