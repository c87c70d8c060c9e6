// How the window asks: a command's outcome as a value or an error, and what a change makes stale.

import {
  type QueryClient,
  type UseQueryResult,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { EngineFailure } from "./types";

export type Outcome = { status: "ok"; data: unknown } | { status: "error"; error: EngineFailure };
export type Answered<T> = UseQueryResult<T, EngineFailure>;

/** Unpacks a command's outcome; a broken bridge becomes an error like any other. */
export async function ask<T>(outcome: Promise<Outcome>): Promise<T> {
  const settled = await outcome.catch((cause: unknown): Outcome => {
    const message = cause instanceof Error ? cause.message : String(cause);
    return { status: "error", error: { code: "shell", message, hint: "Restart Whyrank." } };
  });
  if (settled.status === "error") throw settled.error;
  return settled.data as T;
}

/** What is in sight is asked again; the rest is forgotten, lest an old answer is taken for a new one. What is
 * on its way may be of before: it is asked again once it is here. */
export function outdate(client: QueryClient, queryKey: readonly string[]): void {
  const asked = client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" });
  for (const query of asked.filter(({ state }) => state.data === undefined)) {
    const again = () => void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    void query.promise?.then(again, again);
  }
  client.removeQueries({ queryKey, type: "inactive" });
  void client.invalidateQueries({ queryKey });
}

/** A command that changes something; afterwards the named queries are asked again. */
export function useChange<Argument, T>(
  act: (argument: Argument) => Promise<Outcome>,
  ...touched: readonly (readonly string[])[]
) {
  const client = useQueryClient();
  return useMutation<T, EngineFailure, Argument>({
    mutationFn: (argument) => ask<T>(act(argument)),
    onSettled: () => {
      for (const queryKey of touched) outdate(client, queryKey);
    },
  });
}
