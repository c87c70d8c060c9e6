// Before anything is typed: what one may type, saved searches, recent ones, and examples of the
// repository's own names. Arrows lead through them, as through hits.

import type { KeyboardEvent, ReactNode } from "react";
import {
  asRanked,
  isSameQuery,
  queryKey,
  type SearchMode,
  type SearchQuery,
} from "../../app/search-query";
import { IconButton } from "../../components/controls";
import { Icon, type IconName } from "../../components/Icon";
import { type Suggestion, useExampleQueries } from "../../ipc";
import { MODE } from "./modes";
import { recentQueries } from "./recent";
import { toggleSaved, useSavedSearches } from "./saved";

const RECENT = 6;

/** What an example shows that can be asked. */
const EXAMPLES: Partial<Record<Suggestion["kind"], { icon: IconName; what: string }>> = {
  symbol: { icon: "focus", what: "a name" },
  words: { icon: "search", what: "what the code does" },
  path: { icon: "file", what: "a path" },
};

type OnQuery = (query: SearchQuery) => void;

export function Start(props: { repo: string; mode: SearchMode; onQuery: OnQuery }) {
  const saved = useSavedSearches();
  const isSaved = (query: SearchQuery) => saved.some((one) => isSameQuery(one, query));
  const recent = recentQueries().filter((one) => !isSaved(one));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons in it
    <div className="search-start" data-testid="search-start" onKeyDown={moveByArrow}>
      <p>{MODE[props.mode].words}</p>
      <Group title="Saved searches" testid="saved-searches">
        {saved.map((query) => (
          <li key={queryKey(query)}>
            <Again query={query} icon="starred" onQuery={props.onQuery} />
            <IconButton
              icon="close"
              label={`Remove ${query.text} from saved searches`}
              onPress={() => toggleSaved(query)}
            />
          </li>
        ))}
      </Group>
      <Group title="Recent searches" testid="recent-searches">
        {recent.slice(0, RECENT).map((query) => (
          <li key={queryKey(query)}>
            <Again query={query} icon="clock" onQuery={props.onQuery} />
            <IconButton
              icon="star"
              label={`Save ${query.text}`}
              onPress={() => toggleSaved(query)}
            />
          </li>
        ))}
      </Group>
      {props.mode === "ranked" && <Examples repo={props.repo} onQuery={props.onQuery} />}
    </div>
  );
}

function Examples(props: { repo: string; onQuery: OnQuery }) {
  const { data: examples = [] } = useExampleQueries(props.repo, true);
  return (
    <Group title="From this repository" testid="example-searches">
      {examples.map(({ text, kind }) => {
        const example = EXAMPLES[kind];
        return (
          example && (
            <li key={kind}>
              <Again query={asRanked(text)} icon={example.icon} onQuery={props.onQuery} />
              <span className="small muted">{example.what}</span>
            </li>
          )
        );
      })}
    </Group>
  );
}

function Group(props: { title: string; testid: string; children: ReactNode[] }) {
  if (props.children.length === 0) return null;
  return (
    <section aria-label={props.title} data-testid={props.testid}>
      <h2>{props.title}</h2>
      <ul>{props.children}</ul>
    </section>
  );
}

function Again(props: { query: SearchQuery; icon: IconName; onQuery: OnQuery }) {
  const { text, mode } = props.query;
  const ask = () => {
    props.onQuery(props.query);
    // The row goes with the rest; from the box, an arrow leads to what is found.
    focusBox();
  };
  return (
    <button type="button" className="search-again" onClick={ask}>
      <Icon name={props.icon} />
      <span className={mode === "ranked" ? "ellipsis" : "ellipsis code"}>{text}</span>
      {mode !== "ranked" && <span className="badge">{MODE[mode].label}</span>}
    </button>
  );
}

const ROW = ".search-again";

/** The focus onto the first row, where there is one. */
export function focusStart(): void {
  document.querySelector<HTMLElement>(ROW)?.focus();
}

const box = () => document.querySelector<HTMLElement>("[data-testid=search-input]");
const focusBox = () => box()?.focus();

/** From row to row; above the first one is the box. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(ROW)];
  const row = (event.target as Element).closest("li")?.querySelector<HTMLElement>(ROW);
  const next = (row ? rows.indexOf(row) : -1) + step;
  (next < 0 ? box() : rows[next])?.focus();
}
