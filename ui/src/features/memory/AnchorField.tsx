// The code that a memo speaks of: found by name, or given as path:lines.

import { useId, useState } from "react";
import { IconButton } from "../../components/controls";
import { useDebounced } from "../../components/useDebounced";
import { useSuggestions } from "../../ipc";

export function AnchorField(props: {
  repo: string;
  anchors: string[];
  onChange: (anchors: string[]) => void;
}) {
  const [text, setText] = useState("");
  const list = useId();
  const wanted = useDebounced(text.trim(), 80);
  const found = useSuggestions(props.repo, wanted, wanted !== "");
  const offered = wanted === "" ? [] : (found.data ?? []).filter((one) => one.kind !== "recent");
  const add = (anchor: string) => {
    const plain = anchor.trim();
    if (plain !== "" && !props.anchors.includes(plain)) props.onChange([...props.anchors, plain]);
    setText("");
  };
  return (
    <fieldset className="memory-anchor-field">
      <legend className="small muted">Code that it speaks of</legend>
      {props.anchors.map((anchor) => (
        <span key={anchor} className="memory-chip code">
          <span className="ellipsis">{anchor}</span>
          <IconButton
            icon="close"
            label={`Leave out ${anchor}`}
            onPress={() => props.onChange(props.anchors.filter((one) => one !== anchor))}
          />
        </span>
      ))}
      <input
        className="memory-input code"
        data-testid="memory-anchor-input"
        aria-label="Add code: a symbol, a path, or path:12-30"
        placeholder="symbol, path or path:12-30"
        spellCheck={false}
        list={list}
        value={text}
        onChange={(event) => {
          const { value } = event.target;
          // Choosing a completion changes the box at once.
          const chosen = offered.find((one) => anchorText(one) === value);
          if (chosen) add(value);
          else setText(value);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          add(text);
        }}
        onBlur={() => add(text)}
      />
      <datalist id={list}>
        {offered.map((one) => (
          <option key={`${one.kind}${one.text}${one.detail}`} value={anchorText(one)} />
        ))}
      </datalist>
    </fieldset>
  );
}

/** `path#symbol` for a definition, the path for a file. */
export function anchorText(one: { kind: string; text: string; detail: string }): string {
  if (one.kind === "path") return one.text;
  const path = one.detail.replace(/:\d+$/, "");
  return path === "" ? one.text : `${path}#${one.text}`;
}
