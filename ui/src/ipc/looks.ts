// Whether answers are of the files as they are: what looks at the files came to, by repository. An answer
// brings the look before it, listeners hear of those beside it, and what is of an earlier state of the index
// is asked again.

import { type QueryClient, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { ask, type Outcome, outdate } from "./ask";
import type * as raw from "./bindings";
import { commands } from "./bindings";

export type TreeLook = raw.TreeLook;
export type Freshness = raw.Freshness;

export const lookKey = (repo: string) => ["look", repo] as const;

/** Without a watcher nobody tells of a change: who looks at a screen for longer has its files looked at. */
const EVERY_MS = 20_000;
/** What is behind is looked at sooner. */
const BEHIND_MS = 5_000;
/** Looks take at most this share of one processor. */
const SHARE = 0.01;

/** Unpacks an answer and notes the looks that came with it. */
export async function askFresh<T>(client: QueryClient, outcome: Promise<Outcome>): Promise<T> {
  const { answer, looks } = await ask<{ answer: T; looks: TreeLook[] }>(outcome);
  for (const look of looks) noteLook(client, look);
  return answer;
}

/** The newest look holds, in whichever order they arrive. */
export function noteLook(client: QueryClient, look: TreeLook): TreeLook {
  const before = client.getQueryData<TreeLook>(lookKey(look.repo));
  if (before && before.looked_at > look.looked_at) return before;
  client.setQueryData(lookKey(look.repo), look);
  const isOther = before?.index_state && look.index_state !== before.index_state;
  // Another process may have brought the index up to date: nobody told.
  if (isOther && !look.is_looking) outdateAnswers(client, look.repo);
  return look;
}

/** The engine tells of another state itself: answers are asked again, and the next look just confirms it. */
export function onRepoChanged(client: QueryClient, repo: string): void {
  client.setQueryData<TreeLook>(lookKey(repo), (old) => old && { ...old, index_state: "" });
  outdateAnswers(client, repo);
  void client.invalidateQueries({ queryKey: lookKey(repo) });
}

/** Everything that was answered from a repository's index is asked again. */
function outdateAnswers(client: QueryClient, repo: string): void {
  for (const key of [["search"], ["graph"], ["memory"], ["suggest"]]) outdate(client, key);
  client.removeQueries({ queryKey: ["reranked"], type: "inactive" });
  for (const key of ["preview", "blame"]) outdate(client, [key, repo]);
}

export function isCurrent(look: TreeLook | undefined): boolean {
  return look === undefined || look.found.note === "";
}

/** What the last look at a repository's files came to. Looks by itself every so often. */
export function useLook(repo: string): TreeLook | undefined {
  const client = useQueryClient();
  const { data } = useQuery({
    ...lookQuery(client, repo),
    enabled: repo !== "",
    refetchInterval: ({ state }) => {
      const look = state.data as TreeLook | undefined;
      const least = isCurrent(look) ? EVERY_MS : BEHIND_MS;
      return Math.max(least, (look?.took_ms ?? 0) / SHARE);
    },
  });
  return data;
}

const lookQuery = (client: QueryClient, repo: string) => ({
  queryKey: lookKey(repo),
  queryFn: () => lookAt(client, repo),
  staleTime: Number.POSITIVE_INFINITY,
});

async function lookAt(client: QueryClient, repo: string): Promise<TreeLook> {
  const [look] = await ask<TreeLook[]>(commands.look(repo, true));
  if (!look) throw new Error("it cannot be looked at");
  return noteLook(client, look);
}

/** What was last found of some repositories, as far as they were looked at. */
export function useLooks(repos: readonly string[]): TreeLook[] {
  const client = useQueryClient();
  const looks = useQueries({
    queries: repos.map((repo) => ({ ...lookQuery(client, repo), enabled: false })),
  });
  return looks.flatMap(({ data }) => data ?? []);
}

/** Looks at once, waits a second at most for what changed, and says when it is done. */
export function useLookAgain(): (repos: readonly string[]) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (repos) => {
      for (const repo of repos) {
        client.setQueryData<TreeLook>(lookKey(repo), (old) => old && { ...old, is_looking: true });
      }
      const done = repos.map((repo) => lookAt(client, repo).catch(() => undefined));
      await Promise.all(done);
    },
    [client],
  );
}
