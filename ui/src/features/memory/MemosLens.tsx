// The memos that are about what is chosen in Code, with what became of their code.

import "./memory.css";
import "./memos-lens.css";
import { useMemo } from "react";
import { navigate } from "../../app/route";
import { newMemo } from "../../app/scope";
import type { LensProps } from "../../app/selection";
import { session } from "../../app/session";
import { Button } from "../../components/controls";
import { plural } from "../../components/format";
import { Empty, Failure, Loading } from "../../components/states";
import { useMemosThatHold } from "../../ipc";
import { Diff } from "./Anchors";
import { type MemoHere, memosAt, type Nearness } from "./lens-memos";
import { Marks } from "./MemoList";
import { anchorOf, authorOf, sinceOf, titleOf } from "./words";

const TITLES: Record<Nearness, string> = {
  here: "About this code",
  file: "About this file",
  folder: "About its folder",
};

export function MemosLens({ selection }: LensProps) {
  const { repo, asOf, path, line, endLine } = selection;
  const memos = useMemosThatHold(repo, asOf);
  const here = useMemo(() => memosAt(memos.data?.memos ?? [], selection), [memos.data, selection]);
  // A memo belongs to one repository: to that in which the place lies.
  const begin = () => {
    session.set({ repo });
    newMemo({ path, from: line, to: endLine });
  };
  const add = (
    <Button icon="plus" data-testid="memos-lens-new" onPress={begin}>
      New memo here
    </Button>
  );
  if (memos.isPending) return <Loading label="Reading memory" isLate />;
  if (memos.isError) return <Failure error={memos.error} onRetry={() => memos.refetch()} />;
  if (here.length === 0) {
    return (
      <Empty action={add}>
        {memos.data.memos.length > 0
          ? `None of ${plural(memos.data.memos.length, "memo")} is about `
          : "No memo is about "}
        <span className="code">{path.split("/").pop()}</span>.
      </Empty>
    );
  }
  return (
    <div className="lens memos-lens" data-testid="memos-lens">
      {(["here", "file", "folder"] as const).map((near) => (
        <Group key={near} title={TITLES[near]} memos={here.filter((one) => one.near === near)} />
      ))}
      <div className="lens-acts">{add}</div>
    </div>
  );
}

function Group({ title, memos }: { title: string; memos: MemoHere[] }) {
  if (memos.length === 0) return null;
  return (
    <section>
      <h2 className="minor">{title}</h2>
      <ul>
        {memos.map((one) => (
          <li key={one.memo.id}>
            <One {...one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function One({ memo, anchor }: MemoHere) {
  const rest = memo.content
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(1)
    .join("\n");
  const isElsewhere = anchor.now !== "" && anchor.now !== anchorOf(anchor);
  return (
    <article className="memos-lens-memo" data-testid="memos-lens-memo">
      <button
        type="button"
        className="memos-lens-open"
        title="Open in Memory"
        onClick={() => navigate({ view: "memory", params: { memo: memo.id } })}
      >
        {titleOf(memo)}
      </button>
      {rest && <p className="small memos-lens-rest">{rest}</p>}
      <p className="memory-facts small muted">
        <span className="memory-kind">{memo.kind}</span>
        <Marks memo={memo} />
        <span>
          {sinceOf(memo)} · {authorOf(memo.author)}
        </span>
      </p>
      {(anchor.state === "changed" || anchor.state === "moved") && (
        <p className="small">
          Its code {anchor.state}
          {isElsewhere && (
            <>
              : now at <span className="code">{anchor.now}</span>
            </>
          )}
          .
        </p>
      )}
      {anchor.state === "gone" && <p className="small">Its code is gone.</p>}
      {anchor.diff !== "" && (
        <details>
          <summary className="small">What changed since</summary>
          <Diff text={anchor.diff} />
        </details>
      )}
    </article>
  );
}
