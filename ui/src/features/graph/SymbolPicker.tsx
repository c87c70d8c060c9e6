// A box that finds symbols and files while one types.

import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from "react";
import { focusScreen } from "../../app/screen-focus";
import { Icon } from "../../components/Icon";
import { PathText } from "../../components/PathText";
import { useDebounced } from "../../components/useDebounced";
import { useSuggestions } from "../../ipc";
import { namedSuggestion } from "./named";
import { type Named, shortName } from "./place";

const DEBOUNCE_MS = 80;

export function SymbolPicker(props: {
  repo: string;
  label: string;
  placeholder: string;
  value: Named | null;
  testid: string;
  inputRef?: RefObject<HTMLInputElement | null>;
  isNew?: boolean;
  onPick: (named: Named) => void;
  onLeave?: () => void;
}) {
  const { value } = props;
  const shown = value ? shortName(value) : "";
  const [text, setText] = useState(shown);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const list = useId();
  useEffect(() => setText(shown), [shown]);

  const wanted = useDebounced(text.trim(), DEBOUNCE_MS);
  const found = useSuggestions(props.repo, wanted, isOpen && wanted !== "");
  const offered = wanted === "" ? [] : (found.data ?? []).filter((one) => namedSuggestion(one));
  const isSettled = wanted === text.trim() && !found.isPlaceholderData && !found.isLoading;
  const at = Math.min(chosen, offered.length - 1);
  const isListed = isOpen && offered.length > 0;

  const pick = (index: number) => {
    const suggestion = offered[index];
    const named = suggestion ? namedSuggestion(suggestion) : { symbol: text.trim() };
    if (!named || (named.symbol === "" && !named.path)) return;
    setOpen(false);
    setText(shortName(named));
    props.onPick(named);
  };
  // Who types and presses Enter at once means the completions of what was typed, not earlier ones.
  const [isAwaited, setAwaited] = useState(false);
  useEffect(() => {
    if (!isAwaited || !isSettled) return;
    setAwaited(false);
    pick(at);
  });
  const leave = () => {
    setAwaited(false);
    setOpen(false);
    setText(shown);
    props.onLeave?.();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowDown" && isListed) setChosen((at + 1) % offered.length);
    else if (event.key === "ArrowUp" && isListed)
      setChosen((at - 1 + offered.length) % offered.length);
    else if (event.key === "Enter" && (isOpen || text !== shown)) {
      setOpen(true);
      setAwaited(true);
    } else if (event.key === "Escape" && (isListed || text !== shown || props.onLeave)) leave();
    else if (event.key === "Escape") focusScreen();
    else return;
    event.preventDefault();
  };

  return (
    <div className="graph-picker">
      <Icon name="search" />
      <input
        ref={props.inputRef}
        type="text"
        role="combobox"
        data-testid={props.testid}
        aria-label={props.label}
        aria-expanded={isListed}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isListed ? `${list}-${at}` : undefined}
        placeholder={props.placeholder}
        spellCheck={false}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: it appears because someone asked for it
        autoFocus={props.isNew}
        value={text}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setText(event.target.value);
          setAwaited(false);
          setChosen(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <div
        id={list}
        className="graph-options popover"
        role="listbox"
        aria-label="Symbols and files"
        hidden={!isListed}
      >
        {offered.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles keys
          // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus
          <div
            key={`${one.kind}:${one.text}:${one.path}:${one.line}`}
            id={`${list}-${index}`}
            role="option"
            className="graph-option"
            data-testid="graph-option"
            aria-selected={index === at}
            // Without this the box would lose the focus before the click arrives.
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setChosen(index)}
            onClick={() => pick(index)}
          >
            <span className="code ellipsis">
              {shortName(namedSuggestion(one) ?? { symbol: "" })}
            </span>
            <PathText className="small muted" path={one.kind === "path" ? one.text : one.detail} />
          </div>
        ))}
      </div>
    </div>
  );
}
