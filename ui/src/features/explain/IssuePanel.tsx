// An issue as it was read: its parts, what each weighs, and which of its words found the chosen hit.

import { count, sig3, weight } from "../../components/format";
import type { IssueRecord, TraceRow } from "../../ipc";
import { Marked } from "../search/Marked";
import { LABELS, partsOf } from "./issue";

export function IssuePanel({ record, row }: { record: IssueRecord; row: TraceRow }) {
  return (
    <div className="run-panel">
      <section className="part">
        <h2>What found {row.symbol ?? row.path}</h2>
        <table className="plain-table issue-parts" data-testid="issue-parts">
          <thead>
            <tr>
              <th>Part</th>
              <th>Query text</th>
              <th className="num">Weight</th>
              <th className="num">Files</th>
              <th className="num">Adds here</th>
              <th>Why</th>
            </tr>
          </thead>
          <tbody>
            {partsOf(record, row).map((part) => (
              <tr key={part.kind} data-part={part.kind}>
                <th>{LABELS[part.kind]}</th>
                <td className="issue-text">
                  <Marked text={part.text} ranges={part.found} />
                </td>
                <td className="num">{weight(part.weight)}</td>
                <td className="num">{count(part.n_files)}</td>
                <td className="num">{part.adds === 0 ? "–" : sig3(part.adds)}</td>
                <td className="small muted">{part.reasons.join("; ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="small muted">
          {count(record.n_dropped_lines)} lines of a template or of versions say nothing
          {record.n_unread_bytes > 0 && `; ${count(record.n_unread_bytes)} bytes were not read`}.
        </p>
      </section>
    </div>
  );
}
