// What can be done with a line that was found, by its key and in its preview.

import { pressLens } from "../../app/dock-state";
import { showInGraph } from "../../app/route";
import { beginMemo, type LinesPlace } from "../../app/scope";
import { copyAndSay } from "../../components/copy";
import { useEditor } from "../../components/OpenInEditor";
import type { ScopeChoice } from "../../ipc";
import { type Match, placeOf } from "./matches";
import { reference } from "./request";

export function useMatchActs(
  match: Match | undefined,
  { repo, scope }: { repo: string; scope: ScopeChoice | undefined },
  onLeave: () => void,
) {
  const editor = useEditor(repo);
  const place = match && placeOf(match);
  const leave = (act: () => void) => {
    if (!match) return;
    onLeave();
    act();
  };
  return {
    onGraph: () =>
      leave(() => {
        const { file, line } = match as Match;
        const { inside } = line;
        const at = inside?.start_line ?? line.text.line;
        showInGraph({ symbol: inside?.name ?? null, path: file.path, start_line: at });
      }),
    onLens: (lens: string) => {
      if (match) onLeave();
      pressLens(lens);
    },
    onMemo: () =>
      leave(() => {
        if (place)
          beginMemo({ path: place.path, from: place.start_line, to: place.end_line }, scope);
      }),
    onPinLines: (place: LinesPlace) => leave(() => beginMemo(place, scope)),
    onCopy: () => place && copyAndSay(reference(place)),
    onEditor: () => place && editor.open(place.path, place.start_line),
  };
}
