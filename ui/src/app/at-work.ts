// Whether an agent works now: it has asked a moment ago. Looked at wherever one is, for the rail.

import { useEffect, useState } from "react";
import { useLastCall } from "../ipc";

/** So long after a call an agent counts as at work: it reads what it got, and asks again. */
const AT_WORK_MS = 45_000;

/** Where one sees what it asks. */
export const AT_WORK_LINK = { view: "agents", params: { tab: "live" } } as const;

/** The name of the agent that works; nothing where none does. */
export function useAtWork(): string | undefined {
  const { data: last } = useLastCall();
  const [now, setNow] = useState(Date.now);
  const until = (last?.at_ms ?? 0) + AT_WORK_MS;
  useEffect(() => {
    setNow(Date.now());
    const left = until - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), left);
    return () => clearTimeout(timer);
  }, [until]);
  return last && now < until ? last.client : undefined;
}
