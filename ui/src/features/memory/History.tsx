// All versions of a memo, newest first, each with the words that it changed.

import { Button } from "../../components/controls";
import { Failure, Loading } from "../../components/states";
import { type MemoVersion, useMemoHistory } from "../../ipc";
import type { Acts } from "./useMemory";
import { WordDiff } from "./WordDiff";
import { authorOf, sinceOf, whenOf } from "./words";

const CHANGES: Record<string, string> = {
  add: "written",
  edit: "edited",
  revert: "restored",
  anchor: "links updated",
  resolve: "resolved",
};

export function History(props: { repo: string; memo: string; acts: Acts; canRevert: boolean }) {
  const history = useMemoHistory(props.repo, props.memo);
  if (history.isPending) return <Loading label="Reading history" />;
  if (history.isError) return <Failure error={history.error} onRetry={() => history.refetch()} />;
  const { versions, marks } = history.data;
  const newest = versions[0];
  return (
    <>
      <ol className="memory-history">
        {versions.map((version) => (
          <li key={version.memo.version} data-testid="memory-version">
            <p className="memory-facts small">
              <strong>{CHANGES[version.change] ?? version.change}</strong>
              <span>by {authorOf(version.memo.author)}</span>
              <span className="muted">{whenOf(version.memo.recorded_at)}</span>
              <span className="muted code">{sinceOf(version.memo)}</span>
              <span className="spacer" />
              {props.canRevert && version !== newest && (
                <Button
                  data-testid="memory-revert"
                  onPress={() =>
                    props.acts.act({
                      act: "revert",
                      memo: props.memo,
                      version: version.memo.version,
                    })
                  }
                >
                  Restore
                </Button>
              )}
            </p>
            <WordDiff before={parentOf(version, versions)} after={version.memo.content} />
            {version.closings.map((closing) => (
              <p key={`${closing.recorded_at}`} className="small muted">
                ended {whenOf(closing.recorded_at)} ({closing.reason}
                {closing.superseded_by !== props.memo &&
                  closing.superseded_by &&
                  ` by ${closing.superseded_by}`}
                ) by {authorOf(closing.author)}
              </p>
            ))}
          </li>
        ))}
      </ol>
      {marks.length > 0 && (
        <ul className="memory-notes">
          {marks.map((mark) => (
            <li key={`${mark.says}${mark.recorded_at}`}>
              {mark.says}, {whenOf(mark.recorded_at)}, {authorOf(mark.author)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The text that a version began from; its own where it is the first. */
function parentOf(version: MemoVersion, versions: MemoVersion[]): string {
  const parent = versions.find((one) => one.memo.version === version.parents.at(-1));
  return parent?.memo.content ?? version.memo.content;
}
