// The sums of a session, what grep would have cost, and the tokens of each answer.

import { useMemo } from "react";
import { showOnMap } from "../../app/on-map";
import { navigate } from "../../app/route";
import { session as chosen } from "../../app/session";
import { Button } from "../../components/controls";
import { count, ms, plural, seconds } from "../../components/format";
import { useKeys } from "../../components/useKeys";
import { type CallSession, type SessionCall, useRepos } from "../../ipc";
import { Figure } from "./Figure";
import { GrepLine } from "./GrepLine";
import { SHARED, toolColours } from "./timeline";
import type { GrepCost } from "./useGrepCost";
import { ago } from "./words";

/** Files that are named; the rest are counted. */
const N_FILES = 6;

export function SessionHead(props: { session: CallSession; id: string; cost: GrepCost }) {
  const { session, id } = props;
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
        <span className="spacer" />
        <ToMap session={id} repo={mostAsked(calls)} isDisabled={files.length === 0} />
      </div>
      <dl className="session-figures" data-testid="session-figures">
        <Figure value={count(total.calls)} name={total.calls === 1 ? "call" : "calls"} />
        <Figure value={count(total.tokens)} name="tokens in answers" />
        <Figure value={ms(waited_ms)} name={`latency (of ${seconds(lasted)})`} />
        <Figure value={count(files.length)} name={files.length === 1 ? "file" : "files"} />
        <Figure value={count(total.failed)} name="failed" isBad={total.failed > 0} />
      </dl>
      <GrepLine cost={props.cost} />
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

/** The repository that most calls asked; nothing where no call says. */
function mostAsked(calls: readonly SessionCall[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { line } of calls)
    if (line.repo) counts.set(line.repo, (counts.get(line.repo) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** Also by its key, wherever the focus is. The map is that of the repository that was asked, where it is still here. */
function ToMap(props: { session: string; repo: string | undefined; isDisabled: boolean }) {
  const { session, repo, isDisabled } = props;
  const { data: repos = [] } = useRepos();
  const show = () => {
    const isHere = repos.some(({ id }) => id === repo);
    if (repo && isHere && repo !== chosen.get().repo) chosen.set({ repo });
    showOnMap({ over: "session", session });
  };
  useKeys({ g: show }, !isDisabled);
  return (
    <Button icon="graph" data-testid="session-map" isDisabled={isDisabled} onPress={show}>
      Show on the map
    </Button>
  );
}

/** Tokens of every answer, a bar for each call, in the colour of its tool. */
function Strip({ calls }: { calls: SessionCall[] }) {
  const colours = useMemo(() => toolColours(calls), [calls]);
  const most = Math.max(1, ...calls.map((call) => call.line.tokens));
  const used = [...colours].filter(([, colour]) => colour !== SHARED);
  const hasFailed = calls.some(({ line }) => line.error);
  return (
    <figure className="session-strip">
      <div className="session-bars" aria-hidden="true">
        {calls.map(({ line }) => (
          <i
            key={line.id}
            title={`${line.tool}: ${plural(line.tokens, "token")}${line.error ? ", failed" : ""}`}
            style={{
              height: `${Math.max(4, (100 * line.tokens) / most)}%`,
              background: colours.get(line.tool),
            }}
            data-failed={line.error ? true : undefined}
          />
        ))}
      </div>
      <figcaption className="session-legend small">
        <span className="muted">Tokens per answer (max {count(most)})</span>
        {used.map(([tool, colour]) => (
          <span key={tool}>
            <i style={{ background: colour }} />
            {tool}
          </span>
        ))}
        {used.length < colours.size && (
          <span>
            <i style={{ background: SHARED }} />
            other tools
          </span>
        )}
        {hasFailed && (
          <span>
            <i data-failed />
            failed
          </span>
        )}
      </figcaption>
    </figure>
  );
}
