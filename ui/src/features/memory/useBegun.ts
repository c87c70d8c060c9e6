// A memo that another screen begins: of a hit of a search, or of a selection of code.

import { useEffect } from "react";
import { navigate, useRoute } from "../../app/route";
import type { AnchorPlace } from "../../ipc";
import type { Writing } from "./useDraft";
import type { Place } from "./usePlace";

export function useBegun(setMoment: Place["setMoment"], write: (what: Writing) => void): void {
  const { params } = useRoute();
  useEffect(() => {
    if (params.new === undefined) return;
    // It is written now, whatever moment was looked at before.
    setMoment({ as_of: null, known_at: null });
    write({ memo: null, anchors: linked(params), supersedes: null });
    navigate({ view: "memory" }, { replace: true });
  }, [params, setMoment, write]);
}

/** The lines that are to be linked, if any are. */
function linked({ path, from, to }: Record<string, string>): AnchorPlace[] {
  if (!path) return [];
  return [{ path, symbol: null, start_line: Number(from) || 0, end_line: Number(to) || 0 }];
}
