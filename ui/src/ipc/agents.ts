// Setting agents up, the HTTP server and the log of calls: types, and one hook per command.

import {
  keepPreviousData,
  type UseQueryOptions,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type Answered, ask, useChange } from "./ask";
import type * as raw from "./bindings";
import { commands } from "./bindings";
import type { EngineFailure } from "./types";

export type AgentsOverview = raw.AgentsOverview;
export type Applied = raw.Applied;
export type CallDetail = raw.CallDetail;
export type CallLine = raw.CallLine;
export type CallLog = raw.CallLog;
export type SessionCall = raw.SessionCall;
export type CallSession = raw.CallSession;
export type CallTotals = raw.CallTotals;
export type ClientStatus = raw.ClientStatus;
export type GrepCall = raw.GrepCall;
export type HttpState = raw.HttpState;
export type Placement = raw.Placement;
export type PlacementState = raw.PlacementState;
export type Plan = raw.Plan;
export type ProfileCost = raw.ProfileCost;
export type ServerProfile = raw.ServerProfile;
export type SessionCost = raw.SessionCost;
export type SetupRequest = raw.SetupRequest;
export type SetupScope = raw.Scope;
export type Tick = raw.Tick;
export type Verification = raw.Verification;

/** A client in a scope. */
export interface SetupTarget {
  client: string;
  scope: SetupScope;
  project: string | null;
}

const LOG_POLL_MS = 1_500;
const SESSION_POLL_MS = 5_000;
/** The rail looks whether an agent works, wherever one is: each look reads the log. */
const LAST_CALL_POLL_MS = 6_000;
/** A client connects when the person starts it: the cards look every so often. */
const OVERVIEW_POLL_MS = 5_000;

const keys = {
  overview: ["agents"],
  http: ["agents-http"],
  calls: ["calls"],
} as const;

/** What fails from the start is asked again on request: what is said of it does not come and go. */
function unlessFailed(everyMs: number) {
  return ({ state }: { state: { status: string; data: unknown } }) =>
    state.status === "error" && state.data === undefined ? false : everyMs;
}

export function useAgents(projects: string[]): Answered<AgentsOverview> {
  return useQuery({
    queryKey: [...keys.overview, projects],
    queryFn: () => ask<AgentsOverview>(commands.agentsOverview(projects)),
    refetchInterval: unlessFailed(OVERVIEW_POLL_MS),
    placeholderData: keepPreviousData,
  });
}

export function useAgentsPlan(request: SetupRequest): Answered<Plan> {
  return useQuery({
    queryKey: ["agents-plan", request],
    queryFn: () => ask<Plan>(commands.agentsPlan(request)),
    // What would be written depends on files that anybody may change.
    gcTime: 0,
    staleTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

export function useAgentsApply() {
  return useChange<{ request: SetupRequest; seen: string[] }, Applied>(
    ({ request, seen }) => commands.agentsApply(request, seen),
    keys.overview,
  );
}

export function useAgentsUndo() {
  return useChange<SetupTarget, Applied>(
    ({ client, scope, project }) => commands.agentsUndo(client, scope, project),
    keys.overview,
  );
}

export function useAgentsVerify() {
  return useChange<SetupTarget, Verification[]>(({ client, scope, project }) =>
    commands.agentsVerify(client, scope, project),
  );
}

export function useHttpState(): Answered<HttpState> {
  return useQuery({ queryKey: keys.http, queryFn: () => ask<HttpState>(commands.httpState()) });
}

/** Switches the HTTP server on (`true`) or off. */
export function useHttpSwitch() {
  return useChange<boolean, HttpState>(
    (on) => (on ? commands.httpStart(null) : commands.httpStop()),
    keys.http,
  );
}

/** The token of the HTTP server; `true` makes a new one. */
export function useHttpToken() {
  return useChange<boolean, string>((rotate) => commands.httpToken(rotate), keys.http);
}

/** The newest calls, of one client where one is named. */
export function useCalls(client: string, paused: boolean): Answered<CallLog> {
  return useQuery({
    queryKey: [...keys.calls, client],
    queryFn: () =>
      ask<CallLog>(commands.calls({ client, session: "", tool: "", before: 0, limit: 500 })),
    refetchInterval: paused ? false : unlessFailed(LOG_POLL_MS),
    placeholderData: keepPreviousData,
  });
}

/** The newest call; nothing where there is none. */
export function useLastCall(): Answered<CallLine | null> {
  return useQuery({
    queryKey: [...keys.calls, "last"],
    queryFn: () => ask<CallLine | null>(commands.lastCall()),
    refetchInterval: LAST_CALL_POLL_MS,
    retry: false,
  });
}

/** Sessions call by call, each read again when it has gone on; those that are here. */
export function useCallSessions(sessions: readonly CallTotals[]): CallSession[] {
  const client = useQueryClient();
  const keyOf = (session: string) => [...keys.calls, "session-of-day", session];
  const known = useRef(new Map<string, number>());
  useEffect(() => {
    for (const { session, last_ms } of sessions) {
      if (!session) continue;
      const before = known.current.get(session.id) ?? last_ms;
      known.current.set(session.id, last_ms);
      if (before === last_ms) continue;
      void client.invalidateQueries({ queryKey: keyOf(session.id), exact: true });
    }
  });
  return useQueries({
    queries: sessions.map(
      ({ session }): Asked<CallSession> => ({
        queryKey: keyOf(session?.id ?? ""),
        queryFn: () => ask<CallSession>(commands.callSession(session?.id ?? "")),
        staleTime: SESSION_POLL_MS,
        retry: false,
      }),
    ),
    combine: whatIsHere,
  });
}

/** What grep would have cost for sessions: measured when `measure` is called, one set of questions each. */
export function useSessionCosts(sessions: readonly string[]) {
  return useQueries({
    queries: sessions.map(
      (session): Asked<SessionCost> => ({
        queryKey: ["session-cost", session],
        queryFn: () => ask<SessionCost>(commands.sessionCost(session)),
        enabled: false,
        retry: false,
      }),
    ),
    combine: (answers: Answered<SessionCost>[]) => ({
      data: whatIsHere(answers),
      isMeasuring: answers.some((one) => one.isFetching),
      error: answers.find((one) => one.error)?.error ?? null,
      // One after the other: each greps the whole repository.
      measure: async () => {
        for (const one of answers) await one.refetch();
      },
    }),
  });
}

type Asked<T> = UseQueryOptions<T, EngineFailure>;

const whatIsHere = <T>(answers: Answered<T>[]): T[] =>
  answers.flatMap(({ data }) => (data === undefined ? [] : [data]));

/** A session call by call; it may still go on. */
export function useCallSession(session: string): Answered<CallSession> {
  return useQuery({
    queryKey: [...keys.calls, "session", session],
    queryFn: () => ask<CallSession>(commands.callSession(session)),
    refetchInterval: unlessFailed(SESSION_POLL_MS),
    placeholderData: keepPreviousData,
  });
}

/** What grep would have cost for the same places: measured when it is asked for. */
export function useSessionCost(session: string): Answered<SessionCost> {
  return useQuery({
    queryKey: ["session-cost", session],
    queryFn: () => ask<SessionCost>(commands.sessionCost(session)),
    enabled: false,
  });
}

export function useCallDetail(id: number | null): Answered<CallDetail> {
  return useQuery({
    queryKey: ["call", id],
    queryFn: () => ask<CallDetail>(commands.callDetail(id ?? 0)),
    enabled: id !== null,
    staleTime: 60_000,
  });
}

export function useClearCalls() {
  return useChange<null, null>(() => commands.clearCalls(), keys.calls, keys.overview);
}

/** Whether calls are kept, for every server that runs. */
export function useKeepCalls() {
  return useChange<boolean, null>((on) => commands.keepCalls(on), keys.calls);
}

/** Writes every call that is kept to a file; answers how many. */
export function useSaveCalls() {
  return useChange<string, number>((path) => commands.callsSave(path));
}
