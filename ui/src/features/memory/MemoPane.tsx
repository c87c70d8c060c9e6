// One memo: its text, its two times, who wrote it, its code, its history.

import { type RefObject, useState } from "react";
import { Button, Segmented } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { FailureLine } from "../../components/states";
import { type Memo, type MemoAnchor, useMemoPurge } from "../../ipc";
import { History } from "./History";
import { Markdown } from "./Markdown";
import { Marks } from "./MemoList";
import type { Acts } from "./useMemory";
import { anchorOf, authorOf, sinceOf, whenOf } from "./words";

const TIERS = ["core", "normal", "archive"].map((value) => ({ value, label: value }));

export type Part = "memo" | "history";

export function MemoPane(props: {
  bodyRef: RefObject<HTMLDivElement | null>;
  part: Part;
  onPart: (part: Part) => void;
  /** Back to where one came from. */
  onLeave: () => void;
  repo: string;
  memo: Memo;
  isNow: boolean;
  acts: Acts;
  onEdit: () => void;
  onSupersede: () => void;
}) {
  const { memo, acts } = props;
  const [isPurging, setPurging] = useState(false);
  const holds = memo.state === "valid" && props.isNow;
  return (
    <article className="memory-pane" aria-label="Memo" data-testid="memory-pane">
      <header className="memory-pane-head">
        <Segmented
          label="Part"
          value={props.part}
          options={[
            { value: "memo", label: "Memo" },
            { value: "history", label: `History (${memo.n_versions})` },
          ]}
          onChange={props.onPart}
        />
        <span className="spacer" />
        <Button data-testid="memory-edit" isDisabled={!props.isNow} onPress={props.onEdit}>
          Edit
        </Button>
        <Button data-testid="memory-supersede" isDisabled={!holds} onPress={props.onSupersede}>
          Supersede
        </Button>
        <Button
          data-testid="memory-pin"
          onPress={() =>
            acts.act({ act: "mark", memo: memo.id, mark: { mark: "pinned", value: !memo.pinned } })
          }
        >
          {memo.pinned ? "Unpin" : "Pin"}
        </Button>
        <Button
          data-testid="memory-forget"
          isDisabled={!holds}
          onPress={() => acts.act({ act: "forget", memo: memo.id })}
        >
          End
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape leads back from what is scrolled */}
      <div
        ref={props.bodyRef}
        className="memory-pane-body"
        data-testid="memory-pane-body"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          props.onLeave();
        }}
        onBlur={(event) => event.currentTarget.removeAttribute("data-focus-visible")}
      >
        {props.part === "history" ? (
          <History repo={props.repo} memo={memo.id} acts={acts} canRevert={props.isNow} />
        ) : (
          <>
            <p className="memory-marks">
              <span className="memory-kind">{memo.kind}</span>
              <Marks memo={memo} />
              {memo.tags.map((tag) => (
                <span key={tag} className="pill">
                  #{tag}
                </span>
              ))}
            </p>
            <Markdown text={memo.content} />
            {memo.notes.length > 0 && (
              <ul className="memory-notes">
                {memo.notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            )}
            {memo.anchors.length > 0 && <Anchors memo={memo} acts={acts} canFollow={holds} />}
            <dl className="memory-dl">
              <dt>Valid</dt>
              <dd className="code">{sinceOf(memo)}</dd>
              <dt>Recorded</dt>
              <dd>
                {whenOf(memo.recorded_at)}
                {memo.invalidated_at !== null && ` until ${whenOf(memo.invalidated_at)}`}
              </dd>
              <dt>Written by</dt>
              <dd>{authorOf(memo.author)}</dd>
              <dt>Confidence</dt>
              <dd>{memo.confidence}</dd>
              <dt>Id</dt>
              <dd className="code">{memo.id}</dd>
            </dl>
            <div className="memory-keep">
              <Segmented
                label="Tier"
                value={memo.tier}
                options={TIERS}
                onChange={(value) =>
                  acts.act({ act: "mark", memo: memo.id, mark: { mark: "tier", value } })
                }
              />
              <span className="small muted">
                {memo.tier === "core" && "Given to agents at the start of every session."}
                {memo.tier === "normal" && "Found by search."}
                {memo.tier === "archive" && "Found only when nothing else matches."}
              </span>
              <span className="spacer" />
              <Button kind="danger" icon="trash" onPress={() => setPurging(true)}>
                Delete permanently
              </Button>
            </div>
          </>
        )}
      </div>
      {isPurging && <PurgeDialog repo={props.repo} memo={memo} onClose={() => setPurging(false)} />}
    </article>
  );
}

function Anchors(props: { memo: Memo; acts: Acts; canFollow: boolean }) {
  const { memo } = props;
  const canFollow = memo.anchors.some(
    (anchor) => (anchor.state === "moved" || anchor.state === "changed") && anchor.now !== "",
  );
  return (
    <section className="memory-anchors" aria-label="Code">
      <h2 className="minor">Code</h2>
      <ul>
        {memo.anchors.map((anchor) => (
          <li key={anchorOf(anchor)} data-testid="memory-anchor">
            <span className="code">{anchorOf(anchor)}</span>
            {anchor.symbol && <span className="code muted">{anchor.symbol}</span>}
            <AnchorState anchor={anchor} />
            {anchor.diff !== "" && <Diff text={anchor.diff} />}
          </li>
        ))}
      </ul>
      {canFollow && (
        <Button
          icon="focus"
          data-testid="memory-reanchor"
          isDisabled={!props.canFollow}
          onPress={() => props.acts.act({ act: "reanchor", memo: memo.id })}
        >
          Link to where the code is now
        </Button>
      )}
    </section>
  );
}

function AnchorState({ anchor }: { anchor: MemoAnchor }) {
  if (anchor.state === "" || anchor.state === "unchanged") return null;
  const where = anchor.now !== "" && anchor.now !== anchorOf(anchor) ? `: ${anchor.now}` : "";
  return (
    <span className="pill" data-tone={anchor.state === "moved" ? undefined : "amber"}>
      {anchor.state}
      {where}
    </span>
  );
}

/** Hunks, lines that went and lines that came set off. */
export function Diff({ text }: { text: string }) {
  return (
    <pre className="memory-diff">
      {text
        .trimEnd()
        .split("\n")
        .map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other name
          <span key={index} data-sign={line[0]}>
            {line}
            {"\n"}
          </span>
        ))}
    </pre>
  );
}

function PurgeDialog(props: { repo: string; memo: Memo; onClose: () => void }) {
  const purging = useMemoPurge(props.repo);
  const { memo } = props;
  return (
    <Dialog title="Delete this memo permanently?" onClose={props.onClose}>
      <p>
        Its {memo.n_versions} {memo.n_versions === 1 ? "version" : "versions"} are deleted and
        overwritten. There is no undo. To keep its history, end it instead.
      </p>
      <FailureLine error={purging.error} />
      <div className="dialog-actions">
        <Button onPress={props.onClose}>Keep</Button>
        <Button
          kind="danger"
          icon="trash"
          data-testid="memory-purge"
          isPending={purging.isPending}
          onPress={() => purging.mutate(memo.id, { onSuccess: props.onClose })}
        >
          Delete permanently
        </Button>
      </div>
    </Dialog>
  );
}
