// A memo's text, its two times, who wrote it, and its code.

import { plainOptions } from "../../components/Choice";
import { Button, Segmented } from "../../components/controls";
import { withoutCommand } from "../../components/repo-state";
import type { Memo } from "../../ipc";
import { Anchors } from "./Anchors";
import { Markdown } from "./Markdown";
import { Marks } from "./MemoList";
import type { Acts } from "./useMemory";
import { authorOf, sinceOf, whenOf } from "./words";

const TIERS = plainOptions(["core", "normal", "archive"]);

export function MemoFacts(props: {
  memo: Memo;
  acts: Acts;
  canWrite: boolean;
  canFollow: boolean;
  onPurge: () => void;
}) {
  const { memo, acts } = props;
  return (
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
            <li key={note}>{withoutCommand(note)}</li>
          ))}
        </ul>
      )}
      {memo.anchors.length > 0 && <Anchors memo={memo} acts={acts} canFollow={props.canFollow} />}
      <dl className="memory-dl">
        {memo.repo && (
          <>
            <dt>Repository</dt>
            <dd>{memo.repo.name}</dd>
          </>
        )}
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
          isDisabled={!props.canWrite}
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
        <Button
          kind="danger"
          icon="trash"
          data-testid="memory-purge-open"
          isDisabled={!props.canWrite}
          onPress={props.onPurge}
        >
          Delete permanently
        </Button>
      </div>
    </>
  );
}
