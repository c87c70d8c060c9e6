// What the box asks, in step with the route: the route follows the box once it is still, and the box
// follows the route when someone else wrote it.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { amend, useRoute } from "../../app/route";
import { isSameQuery, queryOf, queryParams, type SearchQuery } from "../../app/search-query";
import { session } from "../../app/session";
import { useSettled } from "./useSettled";

export interface AskedQuery {
  /** As it stands in the box. */
  query: SearchQuery;
  /** As it is asked. */
  settled: SearchQuery;
  /** It is being typed: answers come at once, of the index as it is. */
  isTyping: boolean;
  change: (change: Partial<SearchQuery>) => void;
}

export function useSearchQuery(): AskedQuery {
  const { params } = useRoute();
  const [query, setQuery] = useState(() => queryOf(params));
  const text = useSettled(query.text);
  const { mode, matchCase } = query;
  const settled = useMemo(() => ({ text, mode, matchCase }), [text, mode, matchCase]);
  const [isTyping, setTyping] = useState(false);
  const change = useCallback((change: Partial<SearchQuery>) => {
    setTyping(change.text !== undefined);
    setQuery((old) => ({ ...old, ...change }));
  }, []);
  const written = useRef(queryOf(params));
  useEffect(() => {
    const routed = queryOf(params);
    if (!isSameQuery(routed, written.current)) {
      setTyping(false);
      setQuery(routed);
    }
    written.current = routed;
  }, [params]);
  useEffect(() => {
    session.set({ search: settled });
    if (isSameQuery(settled, written.current)) return;
    written.current = settled;
    amend({ view: "search", params: queryParams(settled) });
  }, [settled]);
  return { query, settled, isTyping, change };
}
