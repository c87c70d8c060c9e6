// Hits of a ranked search inside the palette, and the way into Search with what was typed.

import { useDebounced } from "../components/useDebounced";
import { focusParams } from "../features/graph/place";
import { type Hit, type SearchRequest, useSearch } from "../ipc";
import type { Command } from "./palette-commands";
import { navigate } from "./route";
import { asRanked, queryParams } from "./search-query";

const N_HITS = 5;
/** Fewer letters find too much. */
const LEAST_LETTERS = 3;
/** Names are offered at once; a search waits until the typing rests. */
const RESTS_MS = 180;

/** The best hits, none that `offered` opens already; and a row that asks in Search. */
export function useHitCommands(repo: string, typed: string, offered: readonly Command[]) {
  const rested = useDebounced(typed, RESTS_MS);
  const isAsked = rested.length >= LEAST_LETTERS;
  const answer = useSearch(requestOf(repo, isAsked ? rested : ""), true);
  const isOfNow = isAsked && rested === typed && !answer.isPlaceholderData;
  const hits = isOfNow && !answer.data?.poor_fit ? (answer.data?.hits ?? []) : [];
  return [...hits.filter(isNew(offered)).slice(0, N_HITS).map(hitCommand), searchCommand(typed)];
}

export function searchCommand(typed: string): Command {
  return {
    id: "search",
    group: "Search",
    label: `Search for “${typed}”`,
    run: () => navigate({ view: "search", params: queryParams(asRanked(typed)) }),
  };
}

const isNew = (offered: readonly Command[]) => (hit: Hit) =>
  !offered.some(
    ({ group, label }) =>
      (group === "Symbols" && label === hit.symbol) || (group === "Files" && label === hit.path),
  );

function hitCommand(hit: Hit): Command {
  const { symbol, path, start_line: line } = hit;
  const params = focusParams(symbol ? { symbol, path, line } : { symbol: "", path });
  return {
    id: `hit:${hit.evidence_id}`,
    group: "Hits",
    label: symbol ?? path.split("/").pop() ?? path,
    detail: `${path}:${line}`,
    run: () => navigate({ view: "graph", params: { ...params, code: "1" } }),
    runOther: () => navigate({ view: "graph", params }),
  };
}

function requestOf(repo: string, query: string): SearchRequest {
  return {
    repo,
    repos: [],
    query,
    limit: N_HITS,
    filters: { paths: [], languages: [], kinds: [], no_tests: false },
    as_of: null,
    weights: null,
    tune: [],
    current_file: null,
    distinct_files: true,
    prefix: true,
  };
}
