// The find bar of the code: CodeMirror searches, the window draws.

import "./find-bar.css";
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  SearchQuery,
  setSearchQuery,
} from "@codemirror/search";
import { type EditorView, type Panel, runScopeHandlers, type ViewUpdate } from "@codemirror/view";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { count } from "./format";
import { Icon, type IconName } from "./Icon";

/** More matches than this are not counted. */
const MOST = 999;

export function findPanel(view: EditorView): Panel {
  const dom = document.createElement("div");
  dom.className = "find-bar";
  const root = createRoot(dom);
  // At once: whoever opens the panel looks for its field right away.
  const draw = () => flushSync(() => root.render(<FindBar view={view} />));
  draw();
  return {
    dom,
    top: true,
    // Not before it is in the page. Later ones find the field by its name.
    mount: () => {
      const field = dom.querySelector("input");
      field?.focus();
      field?.select();
    },
    update: (update) => isNew(update) && queueMicrotask(draw),
    // A root is not unmounted while another one is being drawn.
    destroy: () => queueMicrotask(() => root.unmount()),
  };
}

function isNew(update: ViewUpdate): boolean {
  const before = getSearchQuery(update.startState);
  return update.selectionSet || !getSearchQuery(update.state).eq(before);
}

function FindBar({ view }: { view: EditorView }) {
  const query = getSearchQuery(view.state);
  const set = (change: Partial<SearchQuery>) => {
    const { search, caseSensitive, regexp, wholeWord } = getSearchQuery(view.state);
    const next = new SearchQuery({ search, caseSensitive, regexp, wholeWord, ...change });
    view.dispatch({ effects: setSearchQuery.of(next) });
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (runScopeHandlers(view, event.nativeEvent, "search-panel")) event.preventDefault();
    else if (event.key === "Enter") {
      event.preventDefault();
      (event.shiftKey ? findPrevious : findNext)(view);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the field and the buttons in it
    <div className="find-line" onKeyDown={onKeyDown}>
      <label className="find-field">
        <Icon name="search" />
        <input
          // CodeMirror moves the focus to the field of this name.
          {...{ "main-field": "true" }}
          aria-label="Find in file"
          placeholder="Find in file"
          spellCheck={false}
          autoComplete="off"
          data-testid="find-text"
          defaultValue={query.search}
          onInput={(event) => set({ search: event.currentTarget.value })}
        />
        <span className="small muted num" role="status" data-testid="find-count">
          {placeIn(view, query)}
        </span>
      </label>
      <Act icon="up" label="Previous match (Shift+Enter)" onClick={() => findPrevious(view)} />
      <Act icon="down" label="Next match (Enter)" onClick={() => findNext(view)} />
      <Toggle
        text="Aa"
        label="Match case"
        isOn={query.caseSensitive}
        onChange={(caseSensitive) => set({ caseSensitive })}
      />
      <Toggle
        text="W"
        label="Whole word"
        isOn={query.wholeWord}
        onChange={(wholeWord) => set({ wholeWord })}
      />
      <Toggle
        text=".*"
        label="Regular expression"
        isOn={query.regexp}
        onChange={(regexp) => set({ regexp })}
      />
      <Act icon="close" label="Close (Esc)" onClick={() => closeSearchPanel(view)} />
    </div>
  );
}

function Act(props: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}

function Toggle(props: {
  text: string;
  label: string;
  isOn: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <button
      type="button"
      className="find-toggle code"
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.isOn}
      onClick={() => props.onChange(!props.isOn)}
    >
      {props.text}
    </button>
  );
}

/** `3 of 12`: which match is selected, and how many there are. */
export function placeIn(view: EditorView, query: SearchQuery): string {
  if (query.search === "") return "";
  if (!query.valid) return "Not a regular expression";
  const { from, to } = view.state.selection.main;
  const matches = query.getCursor(view.state);
  let n = 0;
  let at = 0;
  for (let next = matches.next(); !next.done && n <= MOST; next = matches.next()) {
    n += 1;
    if (next.value.from === from && next.value.to === to) at = n;
  }
  if (n === 0) return "No match";
  const all = n > MOST ? `${count(MOST)}+` : count(n);
  return at > 0 ? `${count(at)} of ${all}` : `${all} ${n === 1 ? "match" : "matches"}`;
}
