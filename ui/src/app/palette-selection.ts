// What the palette offers for what is chosen in Code: its lenses, and what else its keys do.

import { copyAndSay } from "../components/copy";
import { useEditor } from "../components/OpenInEditor";
import { showLens, toggleDock, useSelection } from "./dock-state";
import { fillExplain } from "./fill";
import { LENSES } from "./lenses";
import { showOnMap } from "./on-map";
import type { Command } from "./palette-commands";
import { MOD } from "./platform-keys";
import { currentRoute, navigate } from "./route";
import { lookInto, newMemo } from "./scope";
import type { Selection } from "./selection";
import { lastRoute, session } from "./session";

/** Lenses and acts of what is chosen; where nothing is, lenses alone, as commands like any other. */
export function useSelectionCommands(): Command[] {
  const selection = useSelection();
  const editor = useEditor(selection?.repo);
  if (!selection) return lensCommands("Actions");
  const { path, line, endLine, symbol, hit, queryId } = selection;
  const about = symbol ?? `${path}:${line}`;
  const act = (label: string, keys: string, also: string, run: () => void): Command => ({
    ...{ id: label, group: "Selection", label, keys, also, run },
    detail: about,
  });
  const pin = () => within(selection, () => newMemo({ path, from: line, to: endLine }));
  const map = () => within(selection, () => showOnMap({ over: "file", file: path }));
  return [
    ...lensCommands("Selection", about),
    ...(hit && queryId
      ? [act("Explain in the whole window", `${MOD}Enter`, "why", () => fillExplain(selection))]
      : []),
    act("Pin a memo to it", "m", "memo", pin),
    act("Copy its reference", "c", "path line", () => void copyAndSay(`${path}:${line}`)),
    act(`Open in ${editor.name ?? "editor"}`, "o", "editor", () => editor.open(path, line)),
    act("Show on the map", "", "map", map),
  ];
}

/** The lenses are those of Code, wherever they are asked for. */
function lensCommands(group: "Selection" | "Actions", detail?: string): Command[] {
  const inCode = (act: () => void) => () => {
    if (currentRoute().view !== "search") navigate(lastRoute("search"));
    act();
  };
  const lenses = LENSES.map(
    ({ id, label, key }): Command => ({
      ...{ id: `Lens: ${label}`, group, label: `Lens: ${label}`, also: label, keys: key, detail },
      run: inCode(() => showLens(id)),
    }),
  );
  const label = "Show or hide the lenses";
  const dock: Command = { id: label, group: "Actions", label, keys: "d", run: inCode(toggleDock) };
  return [...lenses, dock];
}

/** What is shown of one place is shown of its repository. */
function within({ repo, hit }: Selection, act: () => void): void {
  if (hit?.repo || repo !== session.get().repo) lookInto(repo);
  act();
}
