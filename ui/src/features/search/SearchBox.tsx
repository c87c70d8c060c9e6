// The query box. Chips echo its filters; completions stand docked under it and cover nothing.

import { type ClipboardEvent, type KeyboardEvent, type RefObject, useState } from "react";
import { toggleDock, useDock, useSelection } from "../../app/dock-state";
import { hasMod, MOD } from "../../app/platform-keys";
import { focusScreen } from "../../app/screen-focus";
import type { SearchQuery } from "../../app/search-query";
import { Button, IconButton, Kbd } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { useDebounced } from "../../components/useDebounced";
import { useNarrow } from "../../components/useNarrow";
import { type Suggestion, useSuggestions } from "../../ipc";
import { AsOf } from "./AsOf";
import { changeByKey, MatchCase, ModeSwitch } from "./ModeSwitch";
import { MODE } from "./modes";
import { type FilterToken, parseQuery, removeFilter, withRevision } from "./query";
import { PoorFit } from "./Results";
import { SaveSearch } from "./SaveSearch";

export function SearchBox(props: {
  inputRef: RefObject<HTMLInputElement | null>;
  repo: string;
  query: SearchQuery;
  facetsOpen: boolean;
  /** Why nothing fits well, said on a line that is there anyway: nothing moves. */
  poorFit: string | null;
  onFacets: () => void;
  onChange: (change: Partial<SearchQuery>) => void;
  onLeave: (how: "list" | "explain") => void;
}) {
  const { query, onChange, inputRef } = props;
  const { text, mode } = query;
  const dock = useDock();
  const hasSelection = useSelection() !== null;
  const isDockShown = hasSelection && (dock.isOver || dock.isBeside);
  const onText = (text: string) => onChange({ text });
  const [focused, setFocused] = useState(false);
  const parsed = parseQuery(text, mode);
  // After the answer, which they would keep waiting.
  const prefix = useDebounced(parsed.text, 150);
  const suggestions = useSuggestions(props.repo, prefix, focused && mode === "ranked");
  const offered = mode === "ranked" ? (suggestions.data ?? []) : [];
  const others = offered.filter((one) => one.text !== parsed.text).slice(0, 5);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const changed = changeByKey(event, query);
    if (changed) onChange(changed);
    else if (event.key === "Enter") props.onLeave(hasMod(event) ? "explain" : "list");
    else if (event.key === "ArrowDown") props.onLeave("list");
    else if (event.key === "Escape" && text !== "") onText("");
    else if (event.key === "Escape") focusScreen();
    else return;
    event.preventDefault();
  };
  // The box has one line and would drop the breaks of a pasted issue; the query keeps them.
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData("text");
    if (!pasted.trim().includes("\n")) return;
    event.preventDefault();
    onText(pasted);
  };
  const accept = (suggestion: Suggestion) => {
    const filters = parsed.tokens.map((token) => token.token);
    onText([suggestion.text, ...filters].join(" "));
    inputRef.current?.focus();
  };

  return (
    <search
      className="search-head"
      onFocus={() => setFocused(true)}
      onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
    >
      <div className="search-line">
        <div className="search-field">
          <Icon name="search" />
          <input
            ref={inputRef}
            type="text"
            data-testid="search-input"
            aria-label="Search code"
            placeholder={MODE[mode].placeholder}
            data-mode={mode}
            spellCheck={false}
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: the screen is its box
            autoFocus={text === ""}
            value={text}
            onChange={(event) => onText(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
          />
          <MatchCase query={query} onChange={onChange} />
          <SaveSearch query={query} />
          {!focused && text === "" && <Kbd>/</Kbd>}
        </div>
        <ModeSwitch query={query} onChange={onChange} />
        <AsOf
          repo={props.repo}
          value={parsed.at}
          onChange={(revision) => onText(withRevision(text, revision, mode))}
        />
        <FiltersButton isOpen={props.facetsOpen} onPress={props.onFacets} />
        <IconButton
          icon="dock"
          label={isDockShown ? "Hide the lenses (d)" : "Show the lenses (d)"}
          aria-pressed={isDockShown}
          isDisabled={!hasSelection}
          data-testid="dock-toggle"
          onPress={toggleDock}
        />
      </div>
      <div className="search-strip">
        {parsed.tokens.map((token) => (
          <Chip
            key={token.token}
            token={token}
            onRemove={() => onText(removeFilter(text, token.token))}
          />
        ))}
        {props.poorFit && <PoorFit why={props.poorFit} />}
        {focused && others.length > 0 ? (
          others.map((suggestion) => (
            <button
              key={`${suggestion.kind}:${suggestion.text}:${suggestion.detail}`}
              type="button"
              className="suggestion"
              title={suggestion.detail}
              onClick={() => accept(suggestion)}
            >
              <span className="small muted">{suggestion.kind}</span>
              <span className="code ellipsis">{suggestion.text}</span>
            </button>
          ))
        ) : props.poorFit ? null : (
          <span className="small muted ellipsis">
            Filters:{" "}
            {MODE[mode].filters.map((filter) => (
              <code key={filter}>{filter} </code>
            ))}
            · <Kbd>↓</Kbd> results ·{" "}
            {mode === "ranked" ? (
              <>
                <Kbd>{MOD}Enter</Kbd> explain · <Kbd>Alt+E</Kbd> exact · <Kbd>Alt+R</Kbd> regex
              </>
            ) : (
              <>
                {MODE[mode].hasCase && (
                  <>
                    <Kbd>Alt+C</Kbd> match case ·{" "}
                  </>
                )}
                <Kbd>Alt+{MODE[mode].key}</Kbd> ranked
              </>
            )}{" "}
            · <Kbd>?</Kbd> keys
          </span>
        )}
      </div>
    </search>
  );
}

function FiltersButton({ isOpen, onPress }: { isOpen: boolean; onPress: () => void }) {
  const shown = { "aria-pressed": isOpen, "data-testid": "search-filters", onPress };
  if (useNarrow()) return <IconButton {...shown} icon="filter" label="Filters" />;
  return (
    <Button {...shown} icon="filter" kind="quiet">
      Filters
    </Button>
  );
}

function Chip({ token, onRemove }: { token: FilterToken; onRemove: () => void }) {
  return (
    <button
      type="button"
      className="chip"
      onClick={onRemove}
      aria-label={`Remove filter ${token.name} ${token.value}`}
    >
      <span>
        {token.name} <b>{token.value}</b>
      </span>
      <Icon name="close" />
    </button>
  );
}
