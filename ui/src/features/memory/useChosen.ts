// The memo that is chosen: by the route, wherever its row is; the first where none is named.

import { amend, useRoute } from "../../app/route";
import { type MemoMoment, PAGE, useOneMemo } from "../../ipc";
import type { useRows } from "./useRows";

export function useChosen(
  repo: string,
  rows: ReturnType<typeof useRows>,
  moment: MemoMoment,
  onChoose: () => void,
) {
  const { params } = useRoute();
  const chosenRow = rows.pages.rowOf(params.memo);
  // What was chosen stays, though its row is far out of sight.
  const isFar = chosenRow < 0 && rows.pages.n > PAGE && params.memo !== undefined;
  const far = useOneMemo(repo, isFar ? (params.memo ?? "") : "", moment);
  const chosen = rows.pages.at(chosenRow) ?? (isFar ? far.data : undefined) ?? rows.pages.at(0);
  rows.place.current = chosenRow >= 0 ? chosenRow : isFar ? rows.place.current : 0;
  const choose = (memo: string) => {
    onChoose();
    amend({ view: "memory", params: { memo } });
  };
  const move = (by: number) => {
    const from = rows.place.current;
    const to = Math.min(Math.max(from + by, 0), rows.pages.n - 1);
    rows.goTo(to, (memo) => choose(memo.id));
  };
  return { chosen, choose, move };
}
