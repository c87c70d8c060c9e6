// Writes a memo: Markdown with its preview, fields, anchors; what changed is shown before it is kept.

import { useRef, useState } from "react";
import { Button, Switch } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { FailureLine } from "../../components/states";
import { AnchorField } from "./AnchorField";
import { Beside, Fields } from "./EditorParts";
import { useDraft, type Writing } from "./useDraft";
import type { Acts } from "./useMemory";
import { titleOf } from "./words";

export function Editor(props: {
  repo: string;
  /** Its name, where several could be meant. */
  into?: string | undefined;
  writing: Writing;
  acts: Acts;
  onClose: (saved: string | null) => void;
}) {
  const { memo, supersedes } = props.writing;
  const into = props.into === undefined ? "" : ` in ${props.into}`;
  const draft = useDraft(props.writing, props.acts, props.onClose);
  const { fields, set, isReady, isPending, isWritten, save } = draft;
  const [isLeaving, setLeaving] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);

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
  return (
    <Dialog
      wide
      title={
        memo
          ? `Edit memo${into}`
          : supersedes
            ? `Supersede “${short(titleOf(supersedes))}”${into}`
            : `New memo${into}`
      }
      onClose={leave}
      footer={
        isLeaving ? (
          <Leaving onStay={stay} onDiscard={() => props.onClose(null)} />
        ) : (
          <>
            <FailureLine error={props.acts.sending.error} />
            {memo && (
              <Switch isSelected={fields.sinceStart} onChange={set.sinceStart}>
                Apply the correction from its first commit on
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
            value={fields.content}
            onChange={(event) => set.content(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
            }}
          />
          <Beside memo={memo} content={fields.content} />
        </div>
        <Fields draft={draft} isNew={!memo} />
        <AnchorField
          repo={props.repo}
          anchors={fields.anchors}
          linkRef={draft.link}
          onChange={set.anchors}
          onTyping={draft.setLinking}
        />
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
