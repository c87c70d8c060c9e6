// Memos about files that changed: those whose code no longer is what they were written about come first.

import { navigate } from "../../app/route";
import { count, plural } from "../../components/format";
import { FailureLine, Loading } from "../../components/states";
import { type Memo, type ReviewResponse, useMemosThatHold } from "../../ipc";
import { pathsOf } from "./words";

export function DriftedMemos({ repo, review }: { repo: string; review: ReviewResponse }) {
  const memos = useMemosThatHold(repo, null);
  if (memos.isPending) return <Loading label="Reading memory" isLate />;
  if (memos.isError) return <FailureLine error={memos.error} />;
  const about = memosAbout(memos.data.memos, pathsOf(review));
  const nDrifted = about.filter((memo) => memo.drifted).length;
  return (
    <div className="changes-tests" data-testid="changes-memos">
      <p>{wordsOf(about.length, nDrifted)}</p>
      <ul aria-label="Memos about changed files">
        {about.map((memo) => (
          <li key={memo.id}>
            <button
              type="button"
              className="changes-caller"
              data-testid="changes-memo"
              onClick={() => navigate({ view: "memory", params: { memo: memo.id } })}
            >
              <span className="ellipsis">{memo.content.split("\n", 1)[0]}</span>
              {memo.drifted && (
                <span className="pill" data-tone="amber">
                  drifted
                </span>
              )}
              <span className="code small muted ellipsis">{memo.anchors[0]?.path}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Those that drift first. */
export function memosAbout(memos: readonly Memo[], paths: ReadonlySet<string>): Memo[] {
  return memos
    .filter((memo) => memo.anchors.some(({ path }) => paths.has(path)))
    .sort((one, other) => Number(other.drifted) - Number(one.drifted));
}

function wordsOf(n: number, nDrifted: number): string {
  if (n === 0) return "No memo is about a file that changed.";
  const head = `${plural(n, "memo")} ${n === 1 ? "is" : "are"} about files that changed`;
  return nDrifted === 0
    ? `${head}, and none drifts.`
    : `${head}; ${count(nDrifted)} no longer ${nDrifted === 1 ? "fits" : "fit"} the code.`;
}
