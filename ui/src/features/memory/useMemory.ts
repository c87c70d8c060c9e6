// Acts on memory, each with the act that undoes it.

import { useEffect, useState } from "react";
import { UNDO_STAYS_MS } from "../../app/notices";
import { type MemoAct, type MemoDone, useMemoAct } from "../../ipc";

export interface Done {
  /** What was done, in words. */
  words: string;
  undo: MemoAct | null;
}

/** Acts on memos of a repository, unless an act says of which. */
export function useActs(home: string) {
  const sending = useMemoAct();
  const [done, setDone] = useState<Done | null>(null);
  const [isHeld, hold] = useState(false);
  useEffect(() => {
    if (!done || isHeld) return;
    const timer = setTimeout(() => setDone(null), UNDO_STAYS_MS);
    return () => clearTimeout(timer);
  }, [done, isHeld]);
  const act = (what: MemoAct, then?: (answer: MemoDone) => void) => {
    const repo = what.repo ?? home;
    sending.mutate(
      { ...what, repo },
      {
        onSuccess: (answer) => {
          const { words, undo } = doneOf(what, answer);
          // Another memo may be chosen by then.
          setDone({ words, undo: undo && { ...undo, repo } });
          then?.(answer);
        },
      },
    );
  };
  const undo = () => {
    const back = done?.undo;
    if (!back) return;
    sending.mutate(
      { ...back, repo: back.repo ?? home },
      { onSuccess: () => setDone({ words: "Undone.", undo: null }) },
    );
  };
  return { act, undo, done, hold, clear: () => setDone(null), sending };
}

export type Acts = ReturnType<typeof useActs>;

/** Nothing is ever overwritten, so an undo is one more version or mark. */
export function doneOf(what: MemoAct, answer: MemoDone): Done {
  const { memo } = answer;
  switch (what.act) {
    case "add":
      return {
        words: what.supersedes ? "Replaced." : "Recorded.",
        undo: what.supersedes ? null : { act: "forget", memo: memo.id },
      };
    case "edit":
      return { words: "Saved as a new version.", undo: back(memo.id, what.base.at(-1)) };
    case "revert":
      return { words: "Restored as a new version.", undo: null };
    case "reanchor":
      return { words: "Links updated to where the code is now.", undo: null };
    case "forget":
      return { words: "Ended from this commit on.", undo: back(memo.id, memo.version) };
    case "mark":
      if (what.mark.mark === "pinned")
        return {
          words: what.mark.value ? "Pinned." : "Unpinned.",
          undo: {
            act: "mark",
            memo: memo.id,
            mark: { mark: "pinned", value: !what.mark.value },
          },
        };
      if (what.mark.mark === "tier") return { words: `Now ${what.mark.value}.`, undo: null };
      return { words: "Marked as not a conflict.", undo: null };
  }
}

function back(memo: string, version: string | undefined): MemoAct | null {
  return version ? { act: "revert", memo, version } : null;
}
