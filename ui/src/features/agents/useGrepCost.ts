// What grep would have cost for a session: asked for, never guessed.

import { type EngineFailure, type GrepCall, type SessionCost, useSessionCost } from "../../ipc";

export interface GrepCost {
  measure: () => void;
  isMeasuring: boolean;
  data: SessionCost | undefined;
  error: EngineFailure | null;
  byCall: ReadonlyMap<number, GrepCall>;
}

export function useGrepCost(session: string): GrepCost {
  const { refetch, isFetching, data, error } = useSessionCost(session);
  return {
    measure: () => void refetch(),
    isMeasuring: isFetching,
    data,
    error,
    byCall: new Map((data?.calls ?? []).map((call) => [call.id, call])),
  };
}
