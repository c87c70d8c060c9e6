// What agents ask, as it happens: today in figures, and the calls, newest first, each a click from its reasons.

import "../timeline.css";
import "./live.css";
import { useState } from "react";
import { Button } from "../../../components/controls";
import { Failure, FailureLine, Loading } from "../../../components/states";
import { useKeys } from "../../../components/useKeys";
import {
  type CallLog,
  useCallSessions,
  useCalls,
  useKeepCalls,
  useRepos,
  useSessionCosts,
} from "../../../ipc";
import { NoCalls } from "../NoCalls";
import { DayCard } from "./DayCard";
import { dayOf, sessionsOfDay } from "./day";
import { LiveList } from "./LiveList";
import { follow } from "./lead";

export function LivePanel() {
  const [paused, setPaused] = useState(false);
  const log = useCalls("", paused);
  if (log.error && !log.data)
    return <Failure error={log.error} onRetry={() => void log.refetch()} />;
  if (!log.data) return <Loading label="Reading the log" />;
  if (log.data.total.calls === 0) return <NoCalls isOn={log.data.is_on} />;
  return (
    <Live
      log={log.data}
      paused={paused}
      onPause={() => setPaused(!paused)}
      // What was read before stays beside what failed.
      error={log.error}
    />
  );
}

function Live(props: {
  log: CallLog;
  paused: boolean;
  onPause: () => void;
  error: Parameters<typeof FailureLine>[0]["error"];
}) {
  const { log, paused, onPause } = props;
  const { data: repos = [] } = useRepos();
  const ofDay = sessionsOfDay(log);
  const sessions = useCallSessions(ofDay);
  const costs = useSessionCosts(ofDay.map(({ session }) => session?.id ?? ""));
  const day = dayOf(log, sessions, costs.data);
  useKeys({ p: onPause });
  return (
    <div className="calls-main live">
      <DayCard day={day} costs={costs} />
      <FailureLine error={props.error} />
      {!log.is_on && <Off />}
      <div className="live-head">
        <p className="muted small" role="status" data-testid="live-state">
          {paused
            ? "Paused: what is asked meanwhile appears on Resume."
            : "Following, newest first"}
        </p>
        <span className="spacer" />
        <Button
          kind="quiet"
          icon={paused ? "play" : "pause"}
          data-testid="live-pause"
          onPress={onPause}
        >
          {paused ? "Resume" : "Pause"}
        </Button>
      </div>
      <LiveList
        calls={log.calls}
        repos={repos}
        costs={new Map(costs.data.flatMap(({ calls }) => calls).map((call) => [call.id, call]))}
        onFollow={(call) => follow(call, repos)}
      />
    </div>
  );
}

/** What is seen is of before: nothing comes to it. */
function Off() {
  const keep = useKeepCalls();
  return (
    <div className="live-off" role="status" data-testid="live-off">
      <span>Recording is off: agents are answered, but nothing new appears here.</span>
      <Button isPending={keep.isPending} onPress={() => keep.mutate(true)}>
        Record calls
      </Button>
    </div>
  );
}
