// The query box. Chips echo its filters; completions stand docked under it and cover nothing.

import { type ClipboardEvent, type KeyboardEvent, type RefObject, useState } from "react";
import { hasMod, MOD } from "../../app/platform-keys";
import { Button, Kbd } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { useDebounced } from "../../components/useDebounced";
import { type Suggestion, useSuggestions } from "../../ipc";
import { AsOf } from "./AsOf";
import { type FilterToken, parseQuery, removeFilter, withRevision } from "./query";
import { SaveSearch } from "./SaveSearch";

export function SearchBox(props: {
  inputRef: RefObject<HTMLInputElement | null>;
  repo: string;
  text: string;
  facetsOpen: boolean;
  onFacets: () => void;
  onText: (text: string) => void;
  onLeave: (how: "list" | "explain") => void;
}) {
  const { text, onText, inputRef } = props;
  const [focused, setFocused] = useState(false);
  const parsed = parseQuery(text);
  const prefix = useDebounced(parsed.text, 80);
  const suggestions = useSuggestions(props.repo, prefix, focused);
  const offered = (suggestions.data ?? []).filter((one) => one.text !== parsed.text).slice(0, 5);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") props.onLeave(hasMod(event) ? "explain" : "list");
    else if (event.key === "ArrowDown") props.onLeave("list");
    else if (event.key === "Escape" && text !== "") onText("");
    else if (event.key === "Escape") inputRef.current?.blur();
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
            placeholder="Search by name, path, message or meaning"
            spellCheck={false}
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: the screen is its box
            autoFocus={text === ""}
            value={text}
            onChange={(event) => onText(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
          />
          <SaveSearch text={text} />
          {!focused && text === "" && <Kbd>/</Kbd>}
        </div>
        <AsOf
          repo={props.repo}
          value={parsed.at}
          onChange={(revision) => onText(withRevision(text, revision))}
        />
        <Button icon="filter" kind="quiet" aria-pressed={props.facetsOpen} onPress={props.onFacets}>
          Filters
        </Button>
      </div>
      <div className="search-strip">
        {parsed.tokens.map((token) => (
          <Chip
            key={token.token}
            token={token}
            onRemove={() => onText(removeFilter(text, token.token))}
          />
        ))}
        {focused && offered.length > 0 ? (
          offered.map((suggestion) => (
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
        ) : (
          <span className="small muted ellipsis">
            Narrow with <code>path:</code> <code>lang:</code> <code>kind:</code> <code>-tests</code>{" "}
            <code>at:</code> · <Kbd>↓</Kbd> results · <Kbd>{MOD}Enter</Kbd> explain · <Kbd>?</Kbd>{" "}
            keys
          </span>
        )}
      </div>
    </search>
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
