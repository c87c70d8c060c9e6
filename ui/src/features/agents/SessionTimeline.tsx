// One session, call by call: what was asked, what the answer cost and showed, and how long it took.

import "./timeline.css";
import { useMemo } from "react";
import { navigate } from "../../app/route";
import { ms, plural } from "../../components/format";
import { Failure, Loading } from "../../components/states";
import { type GrepCall, type SessionCall, useCallSession } from "../../ipc";
import { CallAnswer } from "./CallAnswer";
import { SessionHead } from "./SessionHead";
import { askedBy, pauseInWords, timelineRows, toolColours } from "./timeline";
import { useGrepCost } from "./useGrepCost";
import { grepInWords, timeOfDay } from "./words";

/** Places that are named; the rest are counted. */
const N_SHOWN = 3;

export function SessionTimeline({ id, call }: { id: string; call: number | null }) {
  const session = useCallSession(id);
  const cost = useGrepCost(id);
  const choose = (call: number | null) =>
    navigate({
      view: "agents",
      params: { tab: "sessions", session: id, ...(call && { call: String(call) }) },
    });
  if (session.error && !session.data)
    return <Failure error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.data) return <Loading label="Reading the session" />;
  return (
    <div className="calls" data-open={call !== null || undefined}>
      <div className="calls-main">
        <SessionHead session={session.data} id={id} cost={cost} />
        <Calls calls={session.data.calls} cost={cost.byCall} chosen={call} onChoose={choose} />
      </div>
      {call !== null && <CallAnswer id={call} onClose={() => choose(null)} />}
    </div>
  );
}

function Calls(props: {
  calls: SessionCall[];
  /** What grep printed, by call, where it was asked. */
  cost: ReadonlyMap<number, GrepCall>;
  chosen: number | null;
  onChoose: (id: number) => void;
}) {
  const colours = useMemo(() => toolColours(props.calls), [props.calls]);
  const most = Math.max(1, ...props.calls.map((call) => call.line.tokens));
  return (
    <ol className="session-calls" aria-label="Calls" data-testid="session-calls">
      {timelineRows(props.calls).map((row) =>
        row.kind === "pause" ? (
          <li key={row.id} className="session-pause small muted">
            {pauseInWords(row.ms)} later
          </li>
        ) : (
          <Call
            key={row.call.line.id}
            call={row.call}
            grep={props.cost.get(row.call.line.id)}
            colour={colours.get(row.call.line.tool) ?? ""}
            share={row.call.line.tokens / most}
            isChosen={row.call.line.id === props.chosen}
            onChoose={() => props.onChoose(row.call.line.id)}
          />
        ),
      )}
    </ol>
  );
}

function Call(props: {
  call: SessionCall;
  grep: GrepCall | undefined;
  colour: string;
  share: number;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { line, shown } = props.call;
  const { asked, rest } = askedBy(line.args);
  return (
    <li>
      <button
        type="button"
        className="session-call"
        data-testid="session-call"
        data-failed={line.error !== null || undefined}
        aria-current={props.isChosen || undefined}
        style={{ "--tool": line.error ? "var(--red)" : props.colour } as React.CSSProperties}
        onClick={props.onChoose}
      >
        <span className="num small muted session-time">{timeOfDay(line.at_ms)}</span>
        <span className="session-main">
          <span className="session-asked">
            <b className="code">{line.tool}</b>
            {asked && <span className="ellipsis">{asked}</span>}
            {rest && <span className="small muted ellipsis code">{rest}</span>}
          </span>
          <Shown shown={shown} error={line.error} />
        </span>
        <span className="session-cost num small">
          <span>
            {plural(line.tokens, "token")} · {ms(line.ms)}
          </span>
          <span className="session-bar" aria-hidden="true">
            <i style={{ width: `${Math.max(1, props.share * 100)}%` }} />
          </span>
          {props.grep && <span className="muted">{grepInWords(props.grep)}</span>}
        </span>
      </button>
    </li>
  );
}

function Shown({ shown, error }: Pick<SessionCall, "shown"> & { error: string | null }) {
  if (error) return <span className="small session-error">{error}</span>;
  if (!shown) return <span className="small muted">answer no longer kept</span>;
  if (shown.length === 0) return <span className="small muted">no results shown</span>;
  const places = shown.slice(0, N_SHOWN).map((place) => `${place.path}:${place.start_line}`);
  const more = shown.length - places.length;
  return (
    <span className="small muted code ellipsis">
      {places.join("  ")}
      {more > 0 && `  +${more}`}
    </span>
  );
}
