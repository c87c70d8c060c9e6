// Memory's types as the window uses them, and one hook per command.

import { keepPreviousData, type QueryClient, useQueries, useQuery } from "@tanstack/react-query";
import { type Answered, ask, useChange } from "./ask";
import type * as raw from "./bindings";
import { commands } from "./bindings";
import { keys } from "./hooks";
import { askFresh } from "./looks";
import type { Complete } from "./types";

export type AnchorPlace = Complete<raw.AnchorPlace>;
export type Memo = raw.Memo;
export type MemoAnchor = raw.MemoAnchor;
export type MemoAuthor = raw.MemoAuthor;
export type MemoConflict = raw.MemoConflict;
export type MemoEncoding = raw.MemoEncoding;
export type MemoDone = raw.MemoDone;
export type MemoHistory = raw.MemoHistory;
export type MemoHome = raw.MemoHome;
export type MemoImport = raw.MemoImport;
export type MemoList = raw.MemoListResponse;
export type MemoMark = raw.MemoMark;
export type MemoMoment = Complete<raw.MemoMoment>;
export type MemoTimeline = raw.MemoTimeline;
export type MemoVersion = raw.MemoVersion;
export type TimelineBar = raw.TimelineBar;

export const memoryKey = ["memory"] as const;
/** Memos that are asked for at once. */
export const PAGE = 200;

export const NOW: MemoMoment = { as_of: null, known_at: null };

/** Who writes in the window: the person that git knows. */
const PERSON: raw.MemoAuthor = { name: "", is_client: false, call: null };

export interface MemoFilter {
  state: string;
  kinds: string[];
  text: string;
}

/** Memos as far as they are here: every row can be reached, each page is asked for when it is seen. */
export interface MemoPages {
  /** The first page, which knows how many there are. */
  first: Answered<MemoList>;
  n: number;
  at: (row: number) => Memo | undefined;
  /** The row of a memo among those that are here; -1 for none. */
  rowOf: (memo: string | undefined) => number;
  /** The ids of the pages that hold some rows, as far as they are here. */
  ids: (from: number, to: number) => string[];
}

export function useMemoPages(
  repo: string,
  filter: MemoFilter,
  moment: MemoMoment,
  seen: readonly number[],
): MemoPages {
  const page = (offset: number) => {
    const request = { repo, ...filter, tags: [], with_drift: true, limit: PAGE, offset, moment };
    return {
      queryKey: [...memoryKey, "list", request],
      queryFn: ({ client }: { client: QueryClient }) =>
        askFresh<MemoList>(client, commands.memos(request)),
    };
  };
  const first: Answered<MemoList> = useQuery({
    ...page(0),
    enabled: repo !== "",
    placeholderData: keepPreviousData,
  });
  const n = first.data?.n_found ?? 0;
  const wanted = [...new Set(seen)].filter((at) => at > 0 && at * PAGE < n);
  const more = useQueries({
    queries: wanted.map((at) => ({ ...page(at * PAGE), enabled: !first.isPlaceholderData })),
  });
  const memosOf = (at: number): Memo[] =>
    (at === 0 ? first : more[wanted.indexOf(at)])?.data?.memos ?? [];
  return {
    first,
    n,
    at: (row) => memosOf(Math.floor(row / PAGE))[row % PAGE],
    rowOf: (memo) => {
      for (const at of memo === undefined ? [] : [0, ...wanted]) {
        const row = memosOf(at).findIndex((one) => one.id === memo);
        if (row >= 0) return at * PAGE + row;
      }
      return -1;
    },
    ids: (from, to) => {
      const [low, high] = [Math.floor(from / PAGE), Math.floor(to / PAGE)];
      const pages = Array.from({ length: high - low + 1 }, (_, index) => memosOf(low + index));
      return pages.flat().map((memo) => memo.id);
    },
  };
}

/** Every memo of a repository that holds, with what became of its code. */
export function useMemosThatHold(repo: string, asOf: string | null): Answered<MemoList> {
  const moment: MemoMoment = { as_of: asOf, known_at: null };
  const request = { repo, state: "valid", kinds: [], text: "", tags: [], limit: 0, offset: 0 };
  return useQuery({
    queryKey: [...memoryKey, "hold", repo, asOf],
    queryFn: ({ client }) =>
      askFresh<MemoList>(client, commands.memos({ ...request, with_drift: true, moment })),
    enabled: repo !== "",
    staleTime: 30_000,
  });
}

/** How many memos each of some repositories has of a kind; `undefined` where that is not known. */
export function useMemoCounts(
  repos: readonly string[],
  filter: MemoFilter,
  moment: MemoMoment,
): (number | undefined)[] {
  const answers = useQueries({
    queries: repos.map((repo) => {
      const request = { repo, ...filter, tags: [], with_drift: false, limit: 1, offset: 0, moment };
      return {
        queryKey: [...memoryKey, "count", request],
        queryFn: ({ client }: { client: QueryClient }) =>
          askFresh<MemoList>(client, commands.memos(request)),
      };
    }),
  });
  return answers.map((answer) => answer.data?.n_found);
}

export function useOneMemo(repo: string, memo: string, moment: MemoMoment): Answered<Memo> {
  return useQuery({
    queryKey: [...memoryKey, "memo", repo, memo, moment],
    queryFn: ({ client }) => askFresh<Memo>(client, commands.memo(repo, memo, moment)),
    enabled: repo !== "" && memo !== "",
  });
}

export function useMemoHistory(repo: string, memo: string): Answered<MemoHistory> {
  return useQuery({
    queryKey: [...memoryKey, "history", repo, memo],
    queryFn: () => ask<MemoHistory>(commands.memoHistory(repo, memo)),
    enabled: repo !== "" && memo !== "",
  });
}

/** No memo has it: the axes alone are asked for. */
const NOBODY = [""];

/** The timeline of some memos; without any, its axes. */
export function useMemoTimeline(
  repo: string,
  moment: MemoMoment,
  memos: string[],
): Answered<MemoTimeline> {
  const asked = memos.length > 0 ? memos : NOBODY;
  return useQuery({
    queryKey: [...memoryKey, "timeline", repo, moment, asked],
    queryFn: () => ask<MemoTimeline>(commands.memoTimeline(repo, moment, asked)),
    enabled: repo !== "",
    placeholderData: keepPreviousData,
  });
}

export function useMemoConflicts(
  repo: string,
  moment: MemoMoment,
  enabled: boolean,
): Answered<MemoConflict[]> {
  return useQuery({
    queryKey: [...memoryKey, "conflicts", repo, moment],
    queryFn: () => ask<MemoConflict[]>(commands.memoConflicts(repo, moment)),
    enabled: enabled && repo !== "",
  });
}

/** Where memory lies, and what else there is. */
export function useMemoryHome(repo: string, enabled: boolean): Answered<MemoHome> {
  return useQuery({
    queryKey: [...memoryKey, "home", repo],
    queryFn: () => ask<MemoHome>(commands.memoryHome(repo)),
    enabled: enabled && repo !== "",
  });
}

export const encodingKey = (repo: string) => ["memo-encoding", repo];

/** How far vectors of memos are while they are made; filled from events. */
export function useMemoEncoding(repo: string): MemoEncoding | null {
  const { data } = useQuery<MemoEncoding | null>({
    queryKey: encodingKey(repo),
    queryFn: () => null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
}

/** Uses the memory of another place; `null` goes back to the place's own. */
export function useMemoryAttach(repo: string) {
  return useChange<string | null, MemoHome>(
    (from) => commands.memoryAttach(repo, from),
    memoryKey,
    keys.search,
  );
}

/** A memo as it is written in the window. */
export interface MemoDraft {
  content: string;
  kind: string;
  tags: string[];
  anchors: AnchorPlace[];
  confidence: number;
}

/** What someone does to memory; `repo` where the memo is not of the repository that is shown. */
export type MemoAct = { repo?: string | undefined } & MemoChange;

type MemoChange =
  | { act: "add"; draft: MemoDraft; tier: string; supersedes: string | null }
  | { act: "edit"; memo: string; base: string[]; draft: Partial<MemoDraft>; since_start: boolean }
  | { act: "revert"; memo: string; version: string }
  | { act: "forget" | "reanchor"; memo: string }
  | { act: "mark"; memo: string; mark: MemoMark };

export function useMemoAct() {
  return useChange<MemoAct & { repo: string }, MemoDone>(
    (act) => send(act.repo, act),
    memoryKey,
    keys.search,
  );
}

/** Finds what an anchor means that somebody writes. */
export function useMemoAnchor(repo: string) {
  return useChange<string, AnchorPlace>((text) => commands.memoAnchor(repo, text));
}

export function useMemoPurge(repo: string) {
  return useChange<string, number>(
    (memo) => commands.memoPurge({ repo, memo, at: null, author: PERSON }),
    memoryKey,
    keys.search,
  );
}

export function useMemoExport(repo: string) {
  return useChange<string, number>((path) => commands.memoExport(repo, path));
}

export function useMemoImport(repo: string) {
  return useChange<{ path: string; retire: boolean }, MemoImport>(
    ({ path, retire }) => commands.memoImport(repo, path, retire),
    memoryKey,
    keys.search,
  );
}

function send(repo: string, act: MemoAct) {
  const common = { repo, author: PERSON, at: null };
  const unchanged = {
    base: [],
    content: null,
    kind: null,
    tags: null,
    anchors: null,
    confidence: null,
    revert_to: null,
    since_start: false,
  };
  switch (act.act) {
    case "add":
      return commands.memoAdd({
        ...common,
        ...act.draft,
        tier: act.tier,
        supersedes: act.supersedes,
      });
    case "edit":
      return commands.memoEdit({
        ...common,
        ...unchanged,
        ...act.draft,
        memo: act.memo,
        base: act.base,
        since_start: act.since_start,
      });
    case "revert":
      return commands.memoEdit({ ...common, ...unchanged, memo: act.memo, revert_to: act.version });
    case "forget":
      return commands.memoForget({ ...common, memo: act.memo });
    case "reanchor":
      return commands.memoReanchor({ ...common, memo: act.memo });
    case "mark":
      return commands.memoMark({ ...common, memo: act.memo }, act.mark);
  }
}
