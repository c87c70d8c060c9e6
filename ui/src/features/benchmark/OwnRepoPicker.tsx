// Questions made from an indexed repository: its definitions, uses, comments and commits.

import { plural } from "../../components/format";
import { Failure } from "../../components/states";
import { useRepos } from "../../ipc";
import { Skeleton } from "./Skeleton";

export function OwnRepoPicker(props: { chosen: string; onChoose: (repo: string) => void }) {
  const repos = useRepos();
  const indexed = repos.data?.filter((repo) => repo.chunks > 0) ?? [];
  return (
    <fieldset className="bench-pick">
      <legend>Repository</legend>
      {repos.isPending && <Skeleton label="Reading repositories" rows={2} />}
      {repos.isLoadingError && <Failure error={repos.error} onRetry={() => repos.refetch()} />}
      <p className="small muted">
        Makes questions of four kinds from the code and its history: where a name is defined, where
        it is used, which file a comment describes, and which files a past fix changed.
      </p>
      <ul>
        {indexed.map((repo) => (
          <li key={repo.id}>
            <label className="check">
              <input
                type="radio"
                name="own-repo"
                checked={repo.id === props.chosen}
                onChange={() => props.onChoose(repo.id)}
              />
              <span className="bench-option">
                <span>
                  <b>{repo.name}</b>{" "}
                  <span className="small muted">{plural(repo.symbols, "symbol")}</span>
                </span>
                <span className="small muted code ellipsis">{repo.root}</span>
              </span>
            </label>
          </li>
        ))}
        {repos.isSuccess && indexed.length === 0 && (
          <li className="muted">No repository is indexed yet.</li>
        )}
      </ul>
    </fieldset>
  );
}
