// The conflicts of a moment, and the memos that are in one.

import { useMemo } from "react";
import { useMemoConflicts } from "../../ipc";
import type { Place } from "./usePlace";

export function useConflicts(asked: string, { state, moment }: Place, n: number) {
  const conflicts = useMemoConflicts(asked, moment, state === "conflicts" || n > 0);
  const inConflict = useMemo(
    () => new Set(conflicts.data?.flatMap((one) => one.memos.map(({ id }) => id))),
    [conflicts.data],
  );
  return { conflicts, inConflict };
}
