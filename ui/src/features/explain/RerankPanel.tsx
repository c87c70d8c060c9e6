// The reranker's questions, window by window from the tail to the head: order before and after, the
// answer as given, and what was odd about it.

import { count, ms } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { RerankRecord, Trace, TraceRow } from "../../ipc";
import { rowKey } from "./arithmetic";

type Window = RerankRecord["windows"][number];

export function RerankPanel(props: {
  trace: Trace;
  record: RerankRecord;
  onChoose: (key: string) => void;
}) {
  const { trace, record } = props;
  const byRank = new Map(trace.rows.map((row) => [row.stages?.presented ?? row.rank, row]));
  return (
    <div className="rerank-panel">
      <p>
        <b>{record.backend}</b>{" "}
        <span className="muted">
          {count(record.n_moved)} of {count(record.n_asked)} hits moved, {record.windows.length} of{" "}
          {record.n_windows} windows in {ms(record.elapsed_ms)}
        </span>
      </p>
      {record.cut && (
        <p className="run-note">
          <Icon name="warn" />
          {record.cut}
        </p>
      )}
      <ol className="rerank-windows">
        {record.windows.map((window, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: windows never change places
          <li key={at} data-testid="rerank-window">
            <header>
              <h3>
                Places {window.first}–{window.first + window.before.length - 1}
              </h3>
              <span className="small muted num">
                {count(window.prompt_tokens)} tokens · {ms(window.elapsed_ms)}
              </span>
            </header>
            <Order window={window} byRank={byRank} onChoose={props.onChoose} />
            {window.answer && <code className="rerank-answer wrap">{window.answer}</code>}
            {window.remarks.map((remark) => (
              <p key={remark} className="small muted">
                {remark}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The window's hits in their order after; numbers are the ranks that they came with. */
function Order(props: {
  window: Window;
  byRank: Map<number, TraceRow>;
  onChoose: (key: string) => void;
}) {
  const { window, byRank } = props;
  return (
    <ol className="rerank-order">
      {window.after.map((rank, at) => {
        const row = byRank.get(rank);
        const up = window.before.indexOf(rank) - at;
        return (
          <li key={rank}>
            <span className="num muted">{window.first + at}</span>
            <span
              className="rerank-delta"
              data-up={up > 0 || undefined}
              data-still={up === 0 || undefined}
            >
              {up === 0 ? "–" : <Icon name={up > 0 ? "up" : "down"} />}
              {up !== 0 && Math.abs(up)}
              <span className="visually-hidden">
                {up > 0 ? " up" : up < 0 ? " down" : " stays"}
              </span>
            </span>
            <button
              type="button"
              className="ellipsis code"
              title={row && `${row.path}:${row.start_line}`}
              onClick={() => row && props.onChoose(rowKey(row))}
            >
              {row ? (row.symbol ?? row.path.split("/").pop()) : `hit ${rank}`}
            </button>
            <span className="small muted num">was {rank}</span>
          </li>
        );
      })}
    </ol>
  );
}
