// Who wrote the line that is read.

import { commitAt, shortAge } from "../../components/blame-gutter";
import { FailureLine } from "../../components/states";
import type { useBlame } from "../../ipc";

/** The commit of the place in words, for who cannot hover a gutter. */
export function BlameLine({ blame, line }: { blame: ReturnType<typeof useBlame>; line: number }) {
  if (blame.error) return <FailureLine error={blame.error} />;
  const commit = blame.data && commitAt(blame.data, line);
  const age = commit ? shortAge(commit.at, Date.now()) : "";
  return (
    <p className="small preview-note preview-blame ellipsis" role="status" data-testid="blame-line">
      {!blame.data && "Walking through history"}
      {commit === null && "Not committed yet"}
      {commit && (
        <>
          <span className="code">{commit.sha.slice(0, 7)}</span> {commit.summary}{" "}
          <span className="muted">
            — {commit.author}, {age === "today" ? age : `${age} ago`}
          </span>
        </>
      )}
      {blame.data?.stopped && <span className="muted"> {blame.data.stopped}</span>}
    </p>
  );
}
