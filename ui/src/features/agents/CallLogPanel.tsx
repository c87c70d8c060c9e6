// What agents asked, as it happens: who, what, how long, how much; a click opens the answer.

import { useState } from "react";
import { navigate, useRoute } from "../../app/route";
import { Choice, plainOptions } from "../../components/Choice";
import { Button } from "../../components/controls";
import { count, ms, plural } from "../../components/format";
import { Failure, Loading } from "../../components/states";
import { type CallLine, type CallLog, type CallTotals, useCalls } from "../../ipc";
import { CallAnswer } from "./CallAnswer";
import { LogActions } from "./LogActions";
import { NoCalls } from "./NoCalls";
import { timeOfDay, written } from "./words";

export function CallLogPanel() {
  const { params } = useRoute();
  const [paused, setPaused] = useState(false);
  const [client, setClient] = useState("");
  const log = useCalls(client, paused);
  const chosen = params.call ? Number(params.call) : null;
  const choose = (id: number | null) =>
    navigate({
      view: "agents",
      params: { tab: "calls", ...(id && { call: String(id) }) },
    });
  if (log.error && !log.data)
    return <Failure error={log.error} onRetry={() => void log.refetch()} />;
  if (!log.data) return <Loading label="Reading the log" />;
  if (log.data.total.calls === 0 && client === "") return <NoCalls isOn={log.data.is_on} />;
  return (
    <div className="calls" data-open={chosen !== null || undefined}>
      <div className="calls-main">
        <Head
          log={log.data}
          client={client}
          onClient={setClient}
          paused={paused}
          onPause={() => setPaused(!paused)}
        />
        <Lines calls={log.data.calls} chosen={chosen} onChoose={choose} />
      </div>
      {chosen !== null && <CallAnswer id={chosen} onClose={() => choose(null)} />}
    </div>
  );
}

function Head(props: {
  log: CallLog;
  client: string;
  onClient: (client: string) => void;
  paused: boolean;
  onPause: () => void;
}) {
  const { log } = props;
  const names = new Set([props.client, ...log.clients.map((one) => one.name)]);
  return (
    <div className="calls-head">
      <Sum label="Last 24 hours" totals={log.day} />
      <Sum label="All recorded" totals={log.total} />
      <span className="spacer" />
      <Choice
        slim
        label="Client"
        value={props.client}
        options={[
          { value: "", label: "All clients" },
          ...plainOptions([...names].filter((name) => name !== "")),
        ]}
        onChange={props.onClient}
      />
      <Button kind="quiet" icon={props.paused ? "play" : "pause"} onPress={props.onPause}>
        {props.paused ? "Resume" : "Pause"}
      </Button>
      <LogActions log={log} />
    </div>
  );
}

function Sum({ label, totals }: { label: string; totals: CallTotals }) {
  return (
    <p className="calls-sum">
      <span className="muted">{label}</span>
      <span className="num">
        {plural(totals.calls, "call")}
        {totals.failed > 0 && `, ${count(totals.failed)} failed`} · {count(totals.tokens)} tokens ·
        p50 {ms(totals.p50_ms)} · p95 {ms(totals.p95_ms)}
      </span>
    </p>
  );
}

function Lines(props: {
  calls: CallLine[];
  chosen: number | null;
  onChoose: (id: number) => void;
}) {
  return (
    <div className="calls-scroll">
      <table className="calls-table" data-testid="calls">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Client</th>
            <th scope="col">Tool</th>
            <th scope="col">Arguments</th>
            <th scope="col" className="num">
              ms
            </th>
            <th scope="col" className="num">
              Tokens
            </th>
            <th scope="col" className="num">
              Results
            </th>
          </tr>
        </thead>
        <tbody>
          {props.calls.map((call) => (
            <tr
              key={call.id}
              data-selected={call.id === props.chosen || undefined}
              data-failed={call.error !== null || undefined}
              onClick={() => props.onChoose(call.id)}
            >
              <td className="num">{timeOfDay(call.at_ms)}</td>
              <td title={`${call.client} ${call.client_version} over ${call.transport}`}>
                {call.client}
              </td>
              <td>
                <button
                  type="button"
                  className="link"
                  data-testid="call"
                  onClick={() => props.onChoose(call.id)}
                >
                  {call.tool}
                </button>
              </td>
              <td className="calls-args">
                <code>{written(call.args)}</code>
              </td>
              <td className="num">{call.ms.toFixed(1)}</td>
              <td className="num">{count(call.tokens)}</td>
              <td className="num">{call.error?.replaceAll("-", " ") ?? count(call.hits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
