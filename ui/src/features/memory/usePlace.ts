// Which memos are looked at, and as of which moment.

import { useState } from "react";
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

export function usePlace(): Place {
  const [state, setState] = useState("valid");
  const [kind, setKind] = useState("");
  const [text, setText] = useState("");
  const [moment, set] = useState<MemoMoment>({ as_of: null, known_at: null });
  const setMoment = (change: Partial<MemoMoment>) => set((old) => ({ ...old, ...change }));
  return { state, kind, text, moment, setState, setKind, setText, setMoment };
}
