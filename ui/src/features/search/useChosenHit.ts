// Which hit is chosen: the first of a new question, where it was left for one that is come back to, and
// the same hit where rows change their places, or while its file is read.

import { useEffect, useMemo, useRef, useState } from "react";
import { leaveOpened } from "../../app/opened";
import { session } from "../../app/session";
import type { Hit, SearchRequest } from "../../ipc";
import { keysOf, sameRequest } from "./request";

export function useChosenHit(hits: Hit[], request: SearchRequest, text: string) {
  const [chosen, setChosen] = useState(() => session.get().last?.chosen ?? 0);
  const keys = useMemo(() => keysOf(hits), [hits]);
  const [before, setBefore] = useState(keys);
  if (before !== keys) {
    setBefore(keys);
    // Before it is drawn: the file of another hit would take the focus away.
    const at = keys.indexOf(before[Math.min(chosen, before.length - 1)] ?? "");
    if (at > 0 && (chosen > 0 || isRead())) setChosen(at);
  }
  const hit = hits[Math.min(chosen, hits.length - 1)];
  const asked = useRef(session.get().last?.text === text ? request : undefined);
  useEffect(() => {
    if (asked.current && sameRequest(asked.current, request)) return;
    asked.current = request;
    setChosen(0);
  }, [request]);
  // Who chooses a hit reads it, in place of what a name in the code led to.
  const choose = (next: number) => {
    leaveOpened();
    setChosen(next);
  };
  const move = (by: number) => choose(Math.max(0, Math.min(hits.length - 1, chosen + by)));
  return { chosen, hit, keys, setChosen: choose, move };
}

/** Whether the keys are the preview's: another hit that comes first does not take its file away. */
function isRead(): boolean {
  return !!document.activeElement?.closest(".preview");
}
