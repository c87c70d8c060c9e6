// One session, call by call: what was asked, what the answer cost and showed, and how long it took.

import "./timeline.css";
import { useMemo } from "react";
import { navigate } from "../../app/route";
import { Button } from "../../components/controls";
import { count, ms, plural, seconds } from "../../components/format";
import { Failure, Loading } from "../../components/states";
import { type CallSession, type SessionCall, useCallSession } from "../../ipc";
import { CallAnswer } from "./CallAnswer";
import { askedBy, pauseInWords, timelineRows, toolColours } from "./timeline";
import { ago, timeOfDay } from "./words";

/** Files that are named; the rest are counted. */
const N_FILES = 6;
const N_SHOWN = 3;

export function SessionTimeline({ id, call }: { id: string; call: number | null }) {
  const session = useCallSession(id);
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
        <Head session={session.data} id={id} />
        <Calls calls={session.data.calls} chosen={call} onChoose={choose} />
      </div>
      {call !== null && <CallAnswer id={call} onClose={() => choose(null)} />}
    </div>
  );
}

function Head({ session, id }: { session: CallSession; id: string }) {
  const { calls, total, files, waited_ms } = session;
  const [first, last] = [calls[0]?.line, calls.at(-1)?.line];
  const back = () => navigate({ view: "agents", params: { tab: "sessions" } });
  const lasted = first && last ? (last.at_ms - first.at_ms + first.ms) / 1000 : 0;
  return (
    <header className="session-head">
      <div className="session-title">
        <Button kind="quiet" icon="left" data-testid="session-back" onPress={back}>
          Sessions
        </Button>
        <h2>{first?.client ?? "Session"}</h2>
        <span className="muted small ellipsis">
          {first?.client_version} · session {id} · {last && ago(last.at_ms, Date.now())}
        </span>
      </div>
      <dl className="session-figures" data-testid="session-figures">
        <Figure value={count(total.calls)} name={total.calls === 1 ? "call" : "calls"} />
        <Figure value={count(total.tokens)} name="tokens answered" />
        <Figure value={ms(waited_ms)} name={`waited in ${seconds(lasted)}`} />
        <Figure value={count(files.length)} name={files.length === 1 ? "file" : "files"} />
        <Figure value={count(total.failed)} name="failed" isBad={total.failed > 0} />
      </dl>
      <Strip calls={calls} />
      {files.length > 0 && (
        <p className="session-files small">
          <span className="muted">Shown most</span>
          {files.slice(0, N_FILES).map((file) => (
            <span key={file.reason} className="session-file code" title={file.reason}>
              <bdi>{file.reason}</bdi> <b>{file.count}</b>
            </span>
          ))}
          {files.length > N_FILES && <span className="muted">+{files.length - N_FILES}</span>}
        </p>
      )}
    </header>
  );
}

function Figure({ value, name, isBad }: { value: string; name: string; isBad?: boolean }) {
  return (
    <div data-bad={isBad || undefined}>
      <dt className="small muted">{name}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}

/** Tokens of every answer, a bar for each call, in the colour of its tool. */
function Strip({ calls }: { calls: SessionCall[] }) {
  const colours = useMemo(() => toolColours(calls), [calls]);
  const most = Math.max(1, ...calls.map((call) => call.line.tokens));
  const used = [...colours].slice(0, 6);
  return (
    <figure className="session-strip">
      <div className="session-bars" aria-hidden="true">
        {calls.map(({ line }) => (
          <i
            key={line.id}
            title={`${line.tool}: ${plural(line.tokens, "token")}`}
            style={{
              height: `${Math.max(4, (100 * line.tokens) / most)}%`,
              background: line.error ? "var(--red)" : colours.get(line.tool),
            }}
          />
        ))}
      </div>
      <figcaption className="session-legend small">
        <span className="muted">Tokens of each answer, at most {count(most)}</span>
        {used.map(([tool, colour]) => (
          <span key={tool}>
            <i style={{ background: colour }} />
            {tool}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Calls(props: {
  calls: SessionCall[];
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
        </span>
      </button>
    </li>
  );
}

function Shown({ shown, error }: Pick<SessionCall, "shown"> & { error: string | null }) {
  if (error) return <span className="small session-error">{error}</span>;
  if (!shown) return <span className="small muted">answer no longer kept</span>;
  if (shown.length === 0) return <span className="small muted">no place shown</span>;
  const places = shown.slice(0, N_SHOWN).map((place) => `${place.path}:${place.start_line}`);
  const more = shown.length - places.length;
  return (
    <span className="small muted code ellipsis">
      {places.join("  ")}
      {more > 0 && `  +${more}`}
    </span>
  );
}
