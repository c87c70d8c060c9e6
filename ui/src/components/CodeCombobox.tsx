// A box that finds symbols and files while one types. What is chosen is the engine's own suggestion,
// whose parts say which place is meant: nothing is read off what is shown.

import "./code-combobox.css";
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from "react";
import { type Suggestion, useSuggestions } from "../ipc";
import { hasMoved } from "./has-moved";
import { Icon } from "./Icon";
import { PathText } from "./PathText";
import { useDebounced } from "./useDebounced";

const DEBOUNCE_MS = 80;

export function CodeCombobox(props: {
  repo: string;
  label: string;
  placeholder: string;
  text: string;
  /** What stands in the box at rest. */
  shown: string;
  testid: string;
  inputRef?: RefObject<HTMLInputElement | null> | undefined;
  isNew?: boolean | undefined;
  /** The id of what is said beside the box about what was typed. */
  saidBy?: string | undefined;
  onEdit: (text: string) => void;
  nameOf: (one: Suggestion) => string;
  isOffered: (one: Suggestion) => boolean;
  onPick: (one: Suggestion) => void;
  /** What was typed where nothing is offered for it. */
  onText: (text: string) => void;
  /** Escape, which may have closed the list or taken back what was typed: whether it was of use. */
  onEscape?: ((hasClosed: boolean) => boolean) | undefined;
}) {
  const { text, shown } = props;
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const list = useId();

  const wanted = useDebounced(text.trim(), DEBOUNCE_MS);
  const found = useSuggestions(props.repo, wanted, isOpen && wanted !== "");
  const offered = wanted === "" ? [] : (found.data ?? []).filter(props.isOffered);
  const isSettled = wanted === text.trim() && !found.isPlaceholderData && !found.isLoading;
  const at = Math.min(chosen, offered.length - 1);
  const isListed = isOpen && offered.length > 0;

  const pick = (index: number) => {
    const suggestion = offered[index];
    setOpen(false);
    if (suggestion) props.onPick(suggestion);
    else if (text.trim() !== "") props.onText(text.trim());
  };
  // Who types and presses Enter at once means the completions of what was typed, not earlier ones.
  const [isAwaited, setAwaited] = useState(false);
  useEffect(() => {
    if (!isAwaited || !isSettled) return;
    setAwaited(false);
    pick(at);
  });
  const close = () => {
    setAwaited(false);
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowDown" && isListed) setChosen((at + 1) % offered.length);
    else if (event.key === "ArrowUp" && isListed)
      setChosen((at - 1 + offered.length) % offered.length);
    else if (event.key === "Enter" && (isOpen || text !== shown)) {
      setOpen(true);
      setAwaited(true);
    } else if (event.key === "Escape") {
      const hasClosed = isListed || text !== shown;
      close();
      if (text !== shown) props.onEdit(shown);
      if (!props.onEscape?.(hasClosed) && !hasClosed) return;
    } else return;
    event.preventDefault();
    // What the box has used is no key of the dialog around it.
    event.stopPropagation();
  };

  return (
    <div className="code-combobox">
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
        aria-invalid={props.saidBy !== undefined || undefined}
        aria-describedby={props.saidBy}
        placeholder={props.placeholder}
        spellCheck={false}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: it appears because someone asked for it
        autoFocus={props.isNew}
        value={text}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          props.onEdit(event.target.value);
          setAwaited(false);
          setChosen(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div
        id={list}
        className="code-options popover"
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
            className="code-option"
            data-testid="code-option"
            aria-selected={index === at}
            // Without this the box would lose the focus before the click arrives.
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={(event) => hasMoved(event) && setChosen(index)}
            onClick={() => pick(index)}
          >
            <span className="code ellipsis">{props.nameOf(one)}</span>
            <PathText className="small muted" path={one.kind === "path" ? one.text : one.detail} />
          </div>
        ))}
      </div>
    </div>
  );
}
