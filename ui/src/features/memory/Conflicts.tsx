// What cannot all be right, side by side. Nothing is decided but by a person.

import { Button } from "../../components/controls";
import { Empty, Failure, Loading } from "../../components/states";
import type { Memo, MemoConflict, useMemoConflicts } from "../../ipc";
import { Markdown } from "./Markdown";
import type { Acts } from "./useMemory";
import { authorOf, sinceOf, whenOf } from "./words";

export function Conflicts(props: {
  conflicts: ReturnType<typeof useMemoConflicts>;
  /** Shown are those of which a memo holds this text. */
  text: string;
  /** And, unless it is empty, one is of this kind. */
  kind: string;
  onLift: () => void;
  acts: Acts;
  canWrite: boolean;
  onOpen: (memo: Memo) => void;
}) {
  const { conflicts } = props;
  if (conflicts.isPending) return <Loading label="Looking for conflicts" />;
  if (conflicts.isError)
    return <Failure error={conflicts.error} onRetry={() => conflicts.refetch()} />;
  if (conflicts.data.length === 0) return <Empty>No conflicts.</Empty>;
  const fitting = conflicts.data.filter((conflict) => fits(conflict, props.text, props.kind));
  if (fitting.length === 0) {
    const n = conflicts.data.length;
    return (
      <Empty action={<Button onPress={props.onLift}>Clear filters</Button>}>
        No conflict matches these filters; {n} without them.
      </Empty>
    );
  }
  return (
    <ul className="memory-conflicts">
      {fitting.map((conflict) => (
        <li key={conflict.memos.map((memo) => memo.version).join()} data-testid="memory-conflict">
          <One
            conflict={conflict}
            acts={props.acts}
            canWrite={props.canWrite}
            onOpen={props.onOpen}
          />
        </li>
      ))}
    </ul>
  );
}

/** As the list of memos is narrowed: the text of a memo, or the beginning of its id. */
function fits(conflict: MemoConflict, text: string, kind: string): boolean {
  const wanted = text.toLowerCase();
  return conflict.memos.some(
    (memo) =>
      (kind === "" || memo.kind === kind) &&
      (memo.content.toLowerCase().includes(wanted) || memo.id.startsWith(wanted)),
  );
}

function One(props: {
  conflict: MemoConflict;
  acts: Acts;
  canWrite: boolean;
  onOpen: (memo: Memo) => void;
}) {
  const { conflict, acts } = props;
  const isDisabled = !props.canWrite;
  const isWriters = conflict.kind === "writers";
  const [first, second] = conflict.memos;
  const keep = (memo: Memo) => {
    const { content, kind, tags, confidence } = memo;
    acts.act({
      act: "edit",
      repo: memo.repo?.id,
      memo: memo.id,
      base: conflict.memos.map((one) => one.version),
      draft: { content, kind, tags, confidence },
      since_start: false,
    });
  };
  return (
    <>
      <p className="memory-facts">
        <span className="pill" data-tone={isWriters ? "red" : "amber"}>
          {isWriters ? "two writers" : "may contradict"}
        </span>
        <span>{conflict.reason}</span>
        <span className="spacer" />
        {!isWriters && first && second && (
          <Button
            data-testid="memory-agree"
            isDisabled={isDisabled}
            onPress={() =>
              acts.act({
                act: "mark",
                repo: first.repo?.id,
                memo: first.id,
                mark: { mark: "agrees", value: second.id },
              })
            }
          >
            Not a conflict
          </Button>
        )}
      </p>
      <div className="memory-sides">
        {conflict.memos.map((memo) => (
          <section key={memo.version} aria-label={`Version ${memo.version}`}>
            <Markdown text={memo.content} />
            <p className="small muted">
              {memo.repo && `${memo.repo.name}, `}
              {authorOf(memo.author)}, {whenOf(memo.recorded_at)}, {sinceOf(memo)}
            </p>
            <p className="memory-facts">
              {isWriters ? (
                <Button
                  data-testid="memory-keep"
                  isDisabled={isDisabled}
                  onPress={() => keep(memo)}
                >
                  Keep this one
                </Button>
              ) : (
                <Button
                  isDisabled={isDisabled}
                  onPress={() => acts.act({ act: "forget", repo: memo.repo?.id, memo: memo.id })}
                >
                  End this one
                </Button>
              )}
              <Button
                kind="quiet"
                isDisabled={isDisabled}
                onPress={() =>
                  props.onOpen({
                    ...memo,
                    contested: isWriters
                      ? conflict.memos.map((one) => one.version).filter((id) => id !== memo.version)
                      : [],
                  })
                }
              >
                Edit
              </Button>
            </p>
          </section>
        ))}
      </div>
    </>
  );
}
