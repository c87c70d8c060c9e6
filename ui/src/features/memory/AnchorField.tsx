// The code that a memo is about: found by name, given as path:lines, or selected in the code.

import { useId, useMemo, useState } from "react";
import { Button, IconButton } from "../../components/controls";
import { PinnableCode } from "../../components/PinnableCode";
import { Failure, Loading } from "../../components/states";
import { useDebounced } from "../../components/useDebounced";
import { usePreview, useSuggestions } from "../../ipc";

export function AnchorField(props: {
  repo: string;
  anchors: string[];
  onChange: (anchors: string[]) => void;
}) {
  const [text, setText] = useState("");
  const [shown, setShown] = useState<string | null>(null);
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
      <legend className="small muted">Linked code</legend>
      {props.anchors.map((anchor) => (
        <span key={anchor} className="memory-chip code">
          <button
            type="button"
            className="memory-chip-text ellipsis"
            title={`Show ${anchor}`}
            data-testid="memory-anchor-show"
            onClick={() => setShown(anchor)}
          >
            {anchor}
          </button>
          <IconButton
            icon="close"
            label={`Unlink ${anchor}`}
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
        onBlur={(event) => {
          // The button beside takes the text as the file to open.
          if (event.relatedTarget?.closest("[data-testid=memory-anchor-pick]")) return;
          add(text);
        }}
      />
      <Button
        data-testid="memory-anchor-pick"
        isDisabled={shown === null && text.trim() === "" && props.anchors.length === 0}
        onPress={() =>
          setShown(shown === null ? text.trim() || (props.anchors.at(-1) ?? "") : null)
        }
      >
        {shown === null ? "Select lines" : "Close code"}
      </Button>
      <datalist id={list}>
        {offered.map((one) => (
          <option key={`${one.kind}${one.text}${one.detail}`} value={anchorText(one)} />
        ))}
      </datalist>
      {shown !== null && (
        <Pick
          repo={props.repo}
          anchor={shown}
          onPick={(anchor) => {
            // Lines of a file say more than the file.
            const path = anchor.replace(/:\d+(-\d+)?$/, "");
            const rest = props.anchors.filter((one) => one !== path && one !== anchor);
            props.onChange([...rest, anchor]);
            setText("");
            setShown(anchor);
          }}
        />
      )}
    </fieldset>
  );
}

/** A file of which lines are selected. */
function Pick(props: { repo: string; anchor: string; onPick: (anchor: string) => void }) {
  const { path, from, to } = placeOf(props.anchor);
  const preview = usePreview(props.repo, path);
  const file = preview.data?.path === path ? preview.data : undefined;
  const spans = useMemo(() => (from > 0 ? [{ from, to, main: true }] : []), [from, to]);
  return (
    <section className="memory-pick" aria-label={`Lines of ${path}`} data-testid="memory-pick">
      {preview.isError && <Failure error={preview.error} onRetry={() => preview.refetch()} />}
      {!file && !preview.isError && <Loading label="Reading the file" />}
      {file && !preview.isError && (
        <>
          <p className="memory-pick-head small muted">
            Select lines with the mouse, or with Shift and the arrow keys.
          </p>
          <PinnableCode file={file} spans={spans} label="Link here" onPin={props.onPick} />
        </>
      )}
    </section>
  );
}

/** The file of an anchor, and its lines; 0 where it names none. */
export function placeOf(anchor: string): { path: string; from: number; to: number } {
  const lines = /^(.*?):(\d+)(?:-(\d+))?$/.exec(anchor);
  if (lines) {
    const from = Number(lines[2]);
    return { path: lines[1] ?? "", from, to: Number(lines[3] ?? from) };
  }
  return { path: anchor.replace(/#.*$/, ""), from: 0, to: 0 };
}

/** `path#symbol` for a definition, the path for a file. */
export function anchorText(one: { kind: string; text: string; detail: string }): string {
  if (one.kind === "path") return one.text;
  const path = one.detail.replace(/:\d+$/, "");
  return path === "" ? one.text : `${path}#${one.text}`;
}
