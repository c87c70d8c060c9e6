// The palette: every command, and the symbols and files of the repository.

import { type KeyboardEvent, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { namedSuggestion } from "../features/graph/named";
import { focusParams } from "../features/graph/place";
import {
  type RepoSummary,
  useCancelJob,
  useLiveJob,
  usePauseJob,
  useRepos,
  useResumeJob,
  useStartIndex,
  useSuggestions,
} from "../ipc";
import { MOD } from "./platform-keys";
import { preferences } from "./preferences";
import { navigate } from "./route";
import { lastRoute, session } from "./session";

/** Symbols of the completions that can be opened in the graph at once. */
const MOST_DRAWN = 3;

interface Command {
  id: string;
  label: string;
  detail?: string;
  keys?: string;
  run: () => void;
}

export function Palette({
  onClose,
  onShortcuts,
}: {
  onClose: () => void;
  onShortcuts: () => void;
}) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const commands = useCommands(text, onShortcuts);
  const at = Math.min(chosen, commands.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setChosen((at + 1) % commands.length);
    else if (event.key === "ArrowUp") setChosen((at - 1 + commands.length) % commands.length);
    else if (event.key === "Enter") run(commands[at]);
    else return;
    event.preventDefault();
  };
  return (
    <ModalOverlay
      className="scrim"
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className="modal palette">
        <Dialog aria-label="Commands">
          <input
            className="palette-input"
            role="combobox"
            aria-label="Command, symbol or file"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={at >= 0 ? `command-${at}` : undefined}
            placeholder="Command, symbol or file"
            autoFocus
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
          />
          <div id="palette-list" className="palette-list" role="listbox" aria-label="Commands">
            {commands.map((command, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles keys
              // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus
              <div
                key={command.id}
                id={`command-${index}`}
                role="option"
                className="palette-item"
                aria-selected={index === at}
                ref={(node) => {
                  if (index === at) node?.scrollIntoView({ block: "nearest" });
                }}
                onPointerMove={() => setChosen(index)}
                onClick={() => run(command)}
              >
                <span className="ellipsis">{command.label}</span>
                <span className="small muted ellipsis">{command.detail}</span>
                {command.keys && <span className="small muted">{command.keys}</span>}
              </div>
            ))}
            {commands.length === 0 && <p className="palette-none muted">Nothing of that name.</p>}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function useCommands(text: string, onShortcuts: () => void): Command[] {
  const { repo } = session.use();
  const { data: repos = [] } = useRepos();
  const suggestions = useSuggestions(repo, text.trim(), text.trim() !== "");
  const jobs = useJobCommands(
    repo,
    repos.find((one) => one.id === repo),
  );
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fixed = [...screenCommands(onShortcuts), ...jobs, ...repoCommands(repos, repo)];
  const found = (text.trim() === "" ? [] : (suggestions.data ?? [])).map(
    (one): Command => ({
      id: `find:${one.kind}:${one.text}:${one.detail}`,
      label: one.text,
      detail: `${one.kind} · ${one.detail}`,
      run: () => navigate({ view: "search", params: { q: one.text } }),
    }),
  );
  const drawn = (text.trim() === "" ? [] : (suggestions.data ?? []))
    .filter((one) => one.kind === "symbol")
    .slice(0, MOST_DRAWN)
    .map(
      (one): Command => ({
        id: `graph:${one.text}:${one.detail}`,
        label: `Graph of ${one.text}`,
        detail: one.detail,
        run: () => navigate({ view: "graph", params: focusParams(namedSuggestion(one)) }),
      }),
    );
  const named = fixed.filter((one) =>
    words.every((word) => one.label.toLowerCase().includes(word)),
  );
  return [...named, ...found, ...drawn];
}

function screenCommands(onShortcuts: () => void): Command[] {
  const { theme, density } = preferences.get();
  const dark = document.documentElement.dataset.theme === "dark";
  return [
    go("Go to search", `${MOD}2`, () => navigate({ view: "search" })),
    go("Go to repositories", `${MOD}1`, () => navigate({ view: "repositories" })),
    go("Go to explain", `${MOD}3`, () => navigate({ view: "explain" })),
    go("Go to graph", `${MOD}4`, () => navigate(lastRoute("graph"))),
    go("Go to memory", `${MOD}5`, () => navigate({ view: "memory" })),
    go("Go to agents", `${MOD}6`, () => navigate(lastRoute("agents"))),
    go("Calls of agents", "", () => navigate({ view: "agents", params: { tab: "calls" } })),
    go("Go to benchmark", `${MOD}7`, () => navigate({ view: "benchmark" })),
    go("Go to settings", `${MOD}8`, () => navigate({ view: "settings" })),
    go("New memo", "", () => navigate({ view: "memory", params: { new: "1" } })),
    go("New benchmark run", "", () => navigate({ view: "benchmark", params: { new: "1" } })),
    go("Add repository", "", () => navigate({ view: "repositories", params: { add: "1" } })),
    go(`Use ${dark ? "light" : "dark"} theme`, "", () =>
      preferences.set({ theme: dark ? "light" : "dark" }),
    ),
    ...(theme === "system"
      ? []
      : [go("Use system theme", "", () => preferences.set({ theme: "system" }))]),
    go(density === "compact" ? "Use comfortable rows" : "Use compact rows", "", () =>
      preferences.set({ density: density === "compact" ? "comfortable" : "compact" }),
    ),
    go("Show keys", "?", onShortcuts),
  ];
}

function useJobCommands(repo: string, current: RepoSummary | undefined): Command[] {
  const start = useStartIndex();
  const pause = usePauseJob();
  const resume = useResumeJob();
  const cancel = useCancelJob();
  const job = useLiveJob(repo);
  if (!current) return [];
  const health = go(`Health of ${current.name}`, "", () =>
    navigate({ view: "repositories", id: repo }),
  );
  if (job) {
    const hold =
      job.state === "paused"
        ? go("Resume indexing", "", () => resume.mutate(job.job_id))
        : go("Pause indexing", "", () => pause.mutate(job.job_id));
    return [hold, go("Cancel indexing", "", () => cancel.mutate(job.job_id)), health];
  }
  return [
    go(`Update index of ${current.name}`, "", () => start.mutate({ repo })),
    go(`Rebuild index of ${current.name}`, "", () => start.mutate({ repo, rebuild: true })),
    health,
  ];
}

function repoCommands(repos: RepoSummary[], current: string): Command[] {
  return repos
    .filter((repo) => repo.id !== current)
    .map((repo) => ({
      id: `repo:${repo.id}`,
      label: `Switch to ${repo.name}`,
      detail: repo.root,
      run: () => session.set({ repo: repo.id }),
    }));
}

function go(label: string, keys: string, run: () => void): Command {
  return { id: label, label, keys, run };
}
