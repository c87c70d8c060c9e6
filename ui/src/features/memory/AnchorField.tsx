// The code that a memo is about: found by name, given as path:lines, or selected in the code.

import { type RefObject, useEffect, useId, useMemo, useState } from "react";
import { CodeCombobox } from "../../components/CodeCombobox";
import { Button, IconButton } from "../../components/controls";
import { PinnableCode } from "../../components/PinnableCode";
import { Failure, FailureLine, Loading } from "../../components/states";
import { type AnchorPlace, type Suggestion, useMemoAnchor, usePreview } from "../../ipc";
import { placeKey, placeName } from "./words";

export function AnchorField(props: {
  repo: string;
  anchors: AnchorPlace[];
  /** Takes what is written in the box as a link too; `null` where it is none. */
  linkRef: RefObject<(() => Promise<AnchorPlace[] | null>) | null>;
  onChange: (anchors: AnchorPlace[]) => void;
  onTyping: (isTyping: boolean) => void;
}) {
  const { anchors, linkRef } = props;
  const [text, setText] = useState("");
  const [shown, setShown] = useState<AnchorPlace | null>(null);
  const written = useMemoAnchor(props.repo);
  const said = useId();
  const edit = (next: string) => {
    setText(next);
    written.reset();
    props.onTyping(next.trim() !== "");
  };
  const add = (place: AnchorPlace) => {
    edit("");
    const isNew = anchors.every((one) => placeKey(one) !== placeKey(place));
    const linked = isNew ? [...anchors, place] : anchors;
    props.onChange(linked);
    return linked;
  };
  /** What is written, as the engine reads it: what is wrong with it is said beside the box. */
  const read = async (typed: string): Promise<AnchorPlace | null> => {
    try {
      return await written.mutateAsync(typed);
    } catch {
      return null;
    }
  };
  const link = async (typed: string) => {
    if (typed === "") return anchors;
    const place = await read(typed);
    return place && add(place);
  };
  useEffect(() => {
    linkRef.current = () => link(text.trim());
  });
  const showCode = async () => {
    const place = text.trim() === "" ? anchors.at(-1) : await read(text.trim());
    if (place) setShown(place);
  };
  return (
    <fieldset className="memory-anchor-field">
      <legend className="small muted">Linked code</legend>
      {anchors.map((anchor) => (
        <span key={placeKey(anchor)} className="memory-chip code">
          <button
            type="button"
            className="memory-chip-text ellipsis"
            title={`Show ${placeName(anchor)} in ${anchor.path}`}
            data-testid="memory-anchor-show"
            onClick={() => setShown(anchor)}
          >
            {placeName(anchor)}
          </button>
          <IconButton
            icon="close"
            label={`Unlink ${placeName(anchor)}`}
            onPress={() => props.onChange(anchors.filter((one) => one !== anchor))}
          />
        </span>
      ))}
      <CodeCombobox
        repo={props.repo}
        label="Add code: a symbol, a path, or path:12-30"
        placeholder="symbol, path or path:12-30"
        text={text}
        shown=""
        onEdit={edit}
        testid="memory-anchor-input"
        saidBy={written.isError ? said : undefined}
        nameOf={(one) => one.text}
        isOffered={(one) => one.path !== null}
        onPick={(one) => add(suggested(one))}
        onText={link}
      />
      <Button
        data-testid="memory-anchor-pick"
        isDisabled={shown === null && text.trim() === "" && anchors.length === 0}
        onPress={() => (shown === null ? showCode() : setShown(null))}
      >
        {shown === null ? "Select lines" : "Close code"}
      </Button>
      {written.isError && (
        <div id={said} className="memory-anchor-said" data-testid="memory-anchor-said">
          <FailureLine error={written.error} />
        </div>
      )}
      {shown !== null && (
        <Pick
          repo={props.repo}
          anchor={shown}
          onPick={(anchor) => {
            // Lines of a file say more than the file.
            const rest = anchors.filter(
              (one) => placeKey(one) !== placeKey(anchor) && !isWhole(one, anchor.path),
            );
            props.onChange([...rest, anchor]);
            edit("");
            setShown(anchor);
          }}
        />
      )}
    </fieldset>
  );
}

/** A file of which lines are selected. */
function Pick(props: { repo: string; anchor: AnchorPlace; onPick: (anchor: AnchorPlace) => void }) {
  const { path, start_line: from, end_line: to } = props.anchor;
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
          <PinnableCode
            file={file}
            spans={spans}
            label="Link here"
            onPin={({ path, from, to }) =>
              props.onPick({ path, symbol: null, start_line: from, end_line: to })
            }
          />
        </>
      )}
    </section>
  );
}

/** A definition is told from others of its name by its line; a file is one whole. */
export function suggested({ kind, text, path, line }: Suggestion): AnchorPlace {
  const place = { path: path ?? text, symbol: null, start_line: 0, end_line: 0 };
  if (kind === "path") return place;
  return { ...place, symbol: text, start_line: line ?? 0, end_line: line ?? 0 };
}

const isWhole = (one: AnchorPlace, path: string) =>
  one.path === path && one.symbol === null && one.start_line === 0;
