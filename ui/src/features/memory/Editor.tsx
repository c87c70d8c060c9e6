// Writes a memo: Markdown with its preview, fields, anchors; what changed is shown before it is kept.

import { useRef, useState } from "react";
import { Choice, plainOptions } from "../../components/Choice";
import { Button, Segmented, Switch } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { NumberField } from "../../components/NumberField";
import { FailureLine } from "../../components/states";
import type { Memo, MemoDraft } from "../../ipc";
import { AnchorField } from "./AnchorField";
import { Markdown } from "./Markdown";
import type { Acts } from "./useMemory";
import { WordDiff } from "./WordDiff";
import { anchorOf, KINDS, titleOf } from "./words";

const TIERS = plainOptions(["core", "normal", "archive"]);

export interface Writing {
  /** The memo that gets another version; `null` for a new memo. */
  memo: Memo | null;
  /** Anchors to begin with. */
  anchors: string[];
  /** The memo that the new one takes the place of. */
  supersedes: Memo | null;
}

export function Editor(props: {
  repo: string;
  writing: Writing;
  acts: Acts;
  onClose: (saved: string | null) => void;
}) {
  const { memo, supersedes } = props.writing;
  const from = memo ?? supersedes;
  const known = from?.anchors.map(anchorOf) ?? [];
  const [content, setContent] = useState(from?.content ?? "");
  const [kind, setKind] = useState(from?.kind ?? "decision");
  const [tags, setTags] = useState(from?.tags.join(", ") ?? "");
  const [anchors, setAnchors] = useState([...known, ...props.writing.anchors]);
  const [confidence, setConfidence] = useState(from?.confidence ?? 1);
  const [tier, setTier] = useState("normal");
  const [sinceStart, setSinceStart] = useState(false);
  const [side, setSide] = useState<"preview" | "changes">(memo ? "changes" : "preview");
  const [isLeaving, setLeaving] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);

  const draft: MemoDraft = {
    content,
    kind,
    tags: tags
      .split(/[,\s]+/)
      .map((tag) => tag.replace(/^#/, ""))
      .filter((tag) => tag !== ""),
    anchors,
    confidence,
  };
  const isSame =
    memo !== null &&
    content.trim() === memo.content &&
    kind === memo.kind &&
    draft.tags.join() === memo.tags.join() &&
    anchors.join() === known.join() &&
    draft.confidence === memo.confidence;
  const { isPending } = props.acts.sending;
  const isReady = content.trim() !== "" && !isSame;
  const isWritten =
    content.trim() !== (from?.content ?? "").trim() ||
    tags !== (from?.tags.join(", ") ?? "") ||
    anchors.join() !== [...known, ...props.writing.anchors].join();

  // What was written is not lost by a key or a click: leaving is asked, and asked again it stays.
  const leave = () => {
    if (!isWritten) props.onClose(null);
    else if (isLeaving) stay();
    else setLeaving(true);
  };
  const stay = () => {
    setLeaving(false);
    box.current?.focus();
  };
  const save = () => {
    if (!isReady || isPending) return;
    const { act } = props.acts;
    const close = ({ memo: saved }: { memo: { id: string } }) => props.onClose(saved.id);
    if (!memo) {
      act({ act: "add", draft, tier, supersedes: supersedes?.id ?? null }, close);
      return;
    }
    // Anchors that stay as they are keep the lines that they remember.
    const { anchors: _, ...rest } = draft;
    const changed = anchors.join() === known.join() ? rest : draft;
    act(
      {
        act: "edit",
        memo: memo.id,
        base: [...memo.contested, memo.version],
        draft: changed,
        since_start: sinceStart,
      },
      close,
    );
  };

  return (
    <Dialog
      wide
      title={
        memo ? "Edit memo" : supersedes ? `Supersede “${short(titleOf(supersedes))}”` : "New memo"
      }
      onClose={leave}
      footer={
        isLeaving ? (
          <Leaving onStay={stay} onDiscard={() => props.onClose(null)} />
        ) : (
          <>
            <FailureLine error={props.acts.sending.error} />
            {memo && (
              <Switch isSelected={sinceStart} onChange={setSinceStart}>
                Correct it back to its first commit
              </Switch>
            )}
            <span className="spacer" />
            <Button onPress={leave}>Cancel</Button>
            <Button
              kind="primary"
              data-testid="memory-save"
              isDisabled={!isReady}
              isPending={isPending}
              onPress={save}
            >
              {memo ? "Save as a new version" : supersedes ? "Supersede" : "Save memo"}
            </Button>
          </>
        )
      }
    >
      <div className="memory-editor">
        <div className="memory-write">
          <textarea
            ref={box}
            className="input memory-textarea"
            aria-label="Text (Markdown)"
            data-testid="memory-content"
            placeholder="One fact and its reason, in Markdown."
            autoFocus
            value={content}
            onChange={(event) => setContent(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
            }}
          />
          <section className="memory-beside" aria-label="Preview and changes">
            {memo && (
              <Segmented
                label="Beside the text"
                value={side}
                options={[
                  { value: "changes", label: "Changes" },
                  { value: "preview", label: "Preview" },
                ]}
                onChange={setSide}
              />
            )}
            {memo && side === "changes" ? (
              <WordDiff before={memo.content} after={content} />
            ) : content.trim() === "" ? (
              <p className="small muted">The preview appears here.</p>
            ) : (
              <Markdown text={content} />
            )}
          </section>
        </div>
        <div className="memory-fields">
          <Choice
            showLabel
            label="Kind"
            data-testid="memory-edit-kind"
            value={kind}
            options={plainOptions(KINDS)}
            onChange={setKind}
          />
          <label>
            <span className="small muted">Tags</span>
            <input
              className="memory-input"
              placeholder="net, ops"
              value={tags}
              onChange={(event) => setTags(event.target.value)}
            />
          </label>
          <NumberField
            label="Confidence"
            value={confidence}
            min={0}
            max={1}
            step={0.1}
            onChange={setConfidence}
          />
          {!memo && (
            <Choice showLabel label="Tier" value={tier} options={TIERS} onChange={setTier} />
          )}
        </div>
        <AnchorField repo={props.repo} anchors={anchors} onChange={setAnchors} />
      </div>
    </Dialog>
  );
}

/** Asks before a text goes; to keep writing is what Enter does. */
function Leaving(props: { onStay: () => void; onDiscard: () => void }) {
  return (
    <>
      <span role="alert" data-testid="memory-leaving">
        Discard what you wrote?
      </span>
      <span className="spacer" />
      <Button kind="danger" data-testid="memory-discard" onPress={props.onDiscard}>
        Discard
      </Button>
      <Button kind="primary" data-testid="memory-stay" autoFocus onPress={props.onStay}>
        Keep editing
      </Button>
    </>
  );
}

const short = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text);
