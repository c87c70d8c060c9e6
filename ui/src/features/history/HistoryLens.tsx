// Which commits brought the chosen lines, and Code as of each of them.

import "./history-lens.css";
import { useMemo } from "react";
import { navigate } from "../../app/route";
import { atRevision, queryParams } from "../../app/search-query";
import type { LensProps } from "../../app/selection";
import { session } from "../../app/session";
import { shortAge } from "../../components/blame-gutter";
import { Button } from "../../components/controls";
import { dateTime, plural } from "../../components/format";
import { Empty, Failure, FailureLine, Loading } from "../../components/states";
import { useBlame, useRecentCommits } from "../../ipc";
import { type Brought, broughtBy } from "./brought";

const N_RECENT = 8;

/** Asks the same of the code as it was at a commit, or as it is. */
function showAsOf(revision: string | null): void {
  const asked = atRevision(session.get().search, revision?.slice(0, 10) ?? null);
  navigate({ view: "search", params: queryParams(asked) });
}

export function HistoryLens({ selection }: LensProps) {
  const { repo, asOf, path, line, endLine } = selection;
  const blame = useBlame(repo, path, asOf, true);
  const brought = useMemo(
    () => (blame.data ? broughtBy(blame.data, line, endLine) : []),
    [blame.data, line, endLine],
  );
  if (blame.isPending) return <Loading label="Walking through history" isLate />;
  if (blame.isError) return <Failure error={blame.error} onRetry={() => blame.refetch()} />;
  return (
    <div className="lens" data-testid="history-lens">
      {asOf && (
        <p className="small">
          As of <span className="code">{asOf}</span>.{" "}
          <Button kind="quiet" data-testid="history-now" onPress={() => showAsOf(null)}>
            Back to the working tree
          </Button>
        </p>
      )}
      <section>
        <h2 className="minor">{line === endLine ? `Line ${line}` : `Lines ${line}–${endLine}`}</h2>
        {brought.length === 0 ? (
          <Empty>{blame.data.stopped ?? "No commit is known to have brought these lines."}</Empty>
        ) : (
          <ul className="history-list">
            {brought.map((one) => (
              <Row key={one.commit?.sha ?? ""} one={one} of={endLine - line + 1} asOf={asOf} />
            ))}
          </ul>
        )}
        {brought.length > 0 && blame.data.stopped && (
          <p className="small muted">{blame.data.stopped}</p>
        )}
      </section>
      <Recent repo={repo} asOf={asOf} />
    </div>
  );
}

function Row({ one, of, asOf }: { one: Brought; of: number; asOf: string | null }) {
  const { commit, nLines } = one;
  return (
    <li className="history-row" data-testid="history-row">
      <span className="history-share" title={`${nLines} of ${plural(of, "line")}`}>
        <i style={{ width: `${(100 * nLines) / Math.max(of, nLines)}%` }} />
      </span>
      {commit ? (
        <Commit {...commit} n={plural(nLines, "line")} asOf={asOf} />
      ) : (
        <p>
          <b>Not committed yet</b> <span className="small muted">{plural(nLines, "line")}</span>
        </p>
      )}
    </li>
  );
}

function Commit(props: {
  sha: string;
  summary: string;
  at: number;
  author?: string;
  n?: string;
  asOf: string | null;
}) {
  const { sha, summary, at, author, n, asOf } = props;
  const age = shortAge(at, Date.now());
  const isShown = asOf !== null && sha.startsWith(asOf);
  return (
    <>
      <p>{summary}</p>
      <p className="history-facts small muted">
        <span className="code">{sha.slice(0, 8)}</span>
        {author && <span className="ellipsis">{author}</span>}
        <span title={dateTime(at)}>{age === "today" ? age : `${age} ago`}</span>
        {n && <span>{n}</span>}
        {isShown ? (
          <span>shown now</span>
        ) : (
          <button
            type="button"
            className="link"
            data-testid="history-as-of"
            aria-label={`Show as of ${sha.slice(0, 8)}`}
            onClick={() => showAsOf(sha)}
          >
            Show as of
          </button>
        )}
      </p>
    </>
  );
}

/** The newest commits of the repository, whatever they changed. */
function Recent({ repo, asOf }: { repo: string; asOf: string | null }) {
  const commits = useRecentCommits(repo, N_RECENT);
  if (commits.isError) return <FailureLine error={commits.error} />;
  if (!commits.data || commits.data.length === 0) return null;
  return (
    <section>
      <h2 className="minor">Newest in the repository</h2>
      <ul className="history-list">
        {commits.data.map((commit) => (
          <li key={commit.sha} className="history-row">
            <Commit {...commit} asOf={asOf} />
          </li>
        ))}
      </ul>
    </section>
  );
}
