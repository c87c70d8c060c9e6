// Which hit is chosen: the first of a new question, where it was left for one that is come back to, and
// the same hit where rows change their places.

import { useEffect, useRef, useState } from "react";
import { session } from "../../app/session";
import type { Hit, SearchRequest } from "../../ipc";
import { keyOf, sameRequest } from "./request";

export function useChosenHit(hits: Hit[], request: SearchRequest, text: string) {
  const [chosen, setChosen] = useState(() => session.get().last?.chosen ?? 0);
  const hit = hits[Math.min(chosen, hits.length - 1)];
  const asked = useRef(session.get().last?.text === text ? request : undefined);
  useEffect(() => {
    if (asked.current && sameRequest(asked.current, request)) return;
    asked.current = request;
    setChosen(0);
  }, [request]);
  const chosenKey = useRef<string>(undefined);
  useEffect(() => {
    const at = hits.findIndex((one) => keyOf(one) === chosenKey.current);
    if (at > 0) setChosen((old) => (old > 0 ? at : old));
  }, [hits]);
  useEffect(() => {
    chosenKey.current = hit && keyOf(hit);
  }, [hit]);
  const move = (by: number) => setChosen((old) => Math.max(0, Math.min(hits.length - 1, old + by)));
  return { chosen, hit, setChosen, move };
}
