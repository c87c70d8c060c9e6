// Which memos are looked at, and as of which moment.

import { useCallback, useMemo, useState } from "react";
import type { MemoMoment } from "../../ipc";

export interface Place {
  state: string;
  kind: string;
  text: string;
  moment: MemoMoment;
  setState: (state: string) => void;
  setKind: (kind: string) => void;
  setText: (text: string) => void;
  setMoment: (moment: Partial<MemoMoment>) => void;
}

/** A commit belongs to one repository; the rest stays when another is chosen. */
export function usePlace(repo: string): Place {
  const [state, setState] = useState("valid");
  const [kind, setKind] = useState("");
  const [text, setText] = useState("");
  const [given, set] = useState<MemoMoment & { of: string }>({ of: repo, ...NOW });
  const { known_at } = given;
  const as_of = given.of === repo ? given.as_of : null;
  const moment = useMemo(() => ({ as_of, known_at }), [as_of, known_at]);
  const setMoment = useCallback(
    (change: Partial<MemoMoment>) => set({ of: repo, ...moment, ...change }),
    [repo, moment],
  );
  return { state, kind, text, moment, setState, setKind, setText, setMoment };
}

const NOW: MemoMoment = { as_of: null, known_at: null };
