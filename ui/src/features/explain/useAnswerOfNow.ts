// What is explained is the answer of now: where files changed since, the question is asked again, and its new
// trace takes the place of the old one. A trace that somebody kept the link of stays as it is.

import { useEffect, useState } from "react";
import { amend, useRoute } from "../../app/route";
import { session } from "../../app/session";
import { useAsked } from "../../components/Behind";
import { type SearchRequest, useLookAgain, useSearch } from "../../ipc";

const NOTHING = { repo: "", query: "" } as SearchRequest;

/** `isOpening` until it is known whether the trace is of now; `asOf` of the question, "" of any other. */
export function useAnswerOfNow(queryId: string | undefined): {
  isOpening: boolean;
  asOf: string | null;
} {
  const { last } = session.use();
  const { params } = useRoute();
  // Another answer may come between the key that explains a hit and this screen.
  const isLast = last !== null && [last.queryId, last.replaced].includes(queryId);
  const answer = useSearch(isLast ? last.request : NOTHING);
  const isLooked = useLooked();
  const [isOpening, setOpening] = useState(true);
  const now = isLast && !answer.isPlaceholderData ? answer.data : undefined;
  useEffect(() => {
    if (isLooked && !answer.isFetching) setOpening(false);
  }, [isLooked, answer.isFetching]);
  useEffect(() => {
    if (!last || !now || now.query_id === queryId) return;
    session.set({ last: { ...last, queryId: now.query_id, elapsedMs: now.elapsed_ms } });
    amend({ view: "explain", id: now.query_id, params });
  }, [last, now, params, queryId]);
  return { isOpening, asOf: isLast ? last.request.as_of : "" };
}

function useLooked(): boolean {
  const asked = useAsked();
  const lookAgain = useLookAgain();
  const [isLooked, setLooked] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => {
    let isHere = true;
    void lookAgain(asked).then(() => isHere && setLooked(true));
    return () => {
      isHere = false;
    };
  }, []);
  return isLooked;
}
