// The health of an index in a few lines: its problems, what was left out, its vectors.

import { bytes, plural, sentence } from "../../components/format";
import { Icon } from "../../components/Icon";
import { withoutCommand } from "../../components/repo-state";
import { FailureLine } from "../../components/states";
import { type RepoHealth, type RepoSummary, useRepoHealth } from "../../ipc";

export function DrawerHealth({ repo }: { repo: RepoSummary }) {
  const health = useRepoHealth(repo.id);
  if (health.isError) return <FailureLine error={health.error} />;
  if (!health.data)
    return (
      <p className="muted" role="status">
        Checking the index
      </p>
    );
  const { problems } = health.data;
  return (
    <>
      {problems.length === 0 ? (
        <p className="drawer-line">
          <Icon name={repo.chunks > 0 ? "check" : "info"} />
          {repo.chunks > 0 ? "The check of the index found no problem." : "There is no index yet."}
        </p>
      ) : (
        <ul>
          {problems.map((problem) => (
            <li key={problem} className="drawer-line wrap">
              <Icon name="warn" />
              {sentence(withoutCommand(problem))}
            </li>
          ))}
        </ul>
      )}
      <p className="muted">{factsOf(health.data)}</p>
    </>
  );
}

function factsOf({ summary, skipped, parse_errors }: RepoHealth): string {
  return [
    plural(summary.files, "file"),
    plural(summary.chunks, "chunk"),
    bytes(summary.index_bytes),
    skipped.length > 0 && `${plural(skipped.length, "file")} left out`,
    parse_errors.length > 0 && `${plural(parse_errors.length, "file")} partly parsed`,
  ]
    .filter(Boolean)
    .join(" · ");
}
