// What each session of an agent asked and cost: a session is one run of a server. A click shows it as a
// timeline.

import { navigate, useRoute } from "../../app/route";
import { Button } from "../../components/controls";
import { count, ms, plural } from "../../components/format";
import { Empty, Failure, Loading } from "../../components/states";
import { type CallTotals, useCalls } from "../../ipc";
import { SessionTimeline } from "./SessionTimeline";
import { ago } from "./words";

/** As many as the engine sums up. */
const MOST = 20;

export function SessionsPanel() {
  const { session, call } = useRoute().params;
  if (session) return <SessionTimeline id={session} call={call ? Number(call) : null} />;
  return <Sessions />;
}

function Sessions() {
  const log = useCalls("", false);
  if (log.error && !log.data)
    return <Failure error={log.error} onRetry={() => void log.refetch()} />;
  if (!log.data) return <Loading label="Reading the log" />;
  const { sessions, total, clients } = log.data;
  if (sessions.length === 0) {
    const toCalls = () => navigate({ view: "agents", params: { tab: "calls" } });
    return (
      <Empty action={<Button onPress={toCalls}>Show calls</Button>}>
        No sessions recorded yet.
      </Empty>
    );
  }
  return (
    <div className="calls-main">
      <p className="sessions-sum muted">
        {plural(total.calls, "call")} from {plural(clients.length, "client")},{" "}
        {plural(total.tokens, "token")} in answers, {plural(sessions.length, "session")}
        {sessions.length === MOST && " (the newest)"}
      </p>
      <div className="calls-scroll">
        <table className="calls-table sessions-table" data-testid="sessions">
          <thead>
            <tr>
              <th scope="col">Last call</th>
              <th scope="col">Client</th>
              <th scope="col">Session</th>
              <Numbers names={["Calls", "Failed", "Tokens", "p50", "p95"]} />
            </tr>
          </thead>
          <tbody>
            {sessions.map((one) => (
              <Session key={one.name} totals={one} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Numbers({ names }: { names: string[] }) {
  return names.map((name) => (
    <th key={name} scope="col" className="num">
      {name}
    </th>
  ));
}

function Session({ totals }: { totals: CallTotals }) {
  const { client = "", id: session = "" } = totals.session ?? {};
  const open = () => navigate({ view: "agents", params: { tab: "sessions", session } });
  return (
    <tr onClick={open}>
      <td>{ago(totals.last_ms, Date.now())}</td>
      <td>{client}</td>
      <td>
        <button type="button" className="link" data-testid="session" onClick={open}>
          {session}
        </button>
      </td>
      <td className="num">{count(totals.calls)}</td>
      <td className="num">{count(totals.failed)}</td>
      <td className="num">{count(totals.tokens)}</td>
      <td className="num">{ms(totals.p50_ms)}</td>
      <td className="num">{ms(totals.p95_ms)}</td>
    </tr>
  );
}
