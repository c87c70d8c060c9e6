// The rows of list and timeline: which pages are in sight, and the row that is gone to.

import { useCallback, useEffect, useRef, useState } from "react";
import { type Memo, type MemoFilter, type MemoMoment, PAGE, useMemoPages } from "../../ipc";

type Pages = readonly [number, number];

export function useRows(repo: string, filter: MemoFilter, moment: MemoMoment) {
  const [list, setList] = useState<Pages>([0, 0]);
  const [lanes, setLanes] = useState<Pages>([0, 0]);
  // The row that was gone to last: its page stays, so that the list can bring it into sight.
  const [wanted, setWanted] = useState<number | null>(null);
  const then = useRef<(memo: Memo) => void>(undefined);
  const place = useRef(0);
  const asked = wanted === null ? [] : [Math.floor(wanted / PAGE)];
  const pages = useMemoPages(repo, filter, moment, [...list, ...lanes, ...asked]);
  const found = wanted === null ? undefined : pages.at(wanted);
  useEffect(() => {
    if (!found) return;
    then.current?.(found);
    then.current = undefined;
  }, [found]);
  return {
    pages,
    /** The row of the chosen memo, as far as that is known. */
    place,
    /** The memos whose bars the timeline shows. */
    onTimeline: pages.ids(lanes[0] * PAGE, lanes[1] * PAGE),
    onListSeen: useSeen(setList),
    onLanesSeen: useSeen(setLanes),
    /** Goes to a row as soon as its page is here. */
    goTo: (row: number, act: (memo: Memo) => void) => {
      const memo = pages.at(row);
      if (memo) act(memo);
      then.current = memo ? undefined : act;
      setWanted(row);
    },
  };
}

/** Rows in sight as pages; nothing is redrawn while they are the same. */
function useSeen(set: (change: (old: Pages) => Pages) => void) {
  return useCallback(
    (from: number, to: number) => {
      const [low, high] = [Math.floor(from / PAGE), Math.floor(Math.max(from, to) / PAGE)];
      set((old) => (old[0] === low && old[1] === high ? old : [low, high]));
    },
    [set],
  );
}
