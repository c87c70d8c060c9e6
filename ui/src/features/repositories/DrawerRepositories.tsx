// Repositories in the drawer of the status bar: the one in use and its health, what is being indexed, the others.

import "./repositories.css";
import { IndexFreshness } from "../../app/IndexFreshness";
import { navigate } from "../../app/route";
import { session } from "../../app/session";
import { Button } from "../../components/controls";
import { plural } from "../../components/format";
import { shortState, unfinished } from "../../components/repo-state";
import { Failure, FailureLine, Loading } from "../../components/states";
import {
  type RepoSummary,
  type TreeLook,
  useLiveJob,
  useLook,
  useRepos,
  useStartIndex,
} from "../../ipc";
import { DrawerHealth } from "./DrawerHealth";
import { DrawerJobs } from "./DrawerJobs";
import { RepoStatePill } from "./RepoStatePill";

export function DrawerRepositories({ onLeave }: { onLeave: () => void }) {
  const repos = useRepos();
  const { repo } = session.use();
  if (repos.isPending) return <Loading label="Reading repositories" />;
  if (repos.isLoadingError) return <Failure error={repos.error} onRetry={() => repos.refetch()} />;
  const current = repos.data.find((one) => one.id === repo);
  const others = repos.data.filter((one) => one.id !== repo);
  const show = (id?: string) => {
    onLeave();
    navigate({ view: "repositories", id });
  };
  return (
    <>
      {current && <Current repo={current} onHealth={() => show(current.id)} />}
      <DrawerJobs repos={repos.data} />
      <section className="drawer-part" aria-labelledby="drawer-others">
        <h2 id="drawer-others" className="minor">
          {current ? "Other repositories" : "Repositories"}
        </h2>
        {others.length > 0 && (
          <ul className="drawer-list">
            {others.map((one) => (
              <Other key={one.id} repo={one} />
            ))}
          </ul>
        )}
        <div className="drawer-actions">
          <Button icon="repositories" data-testid="drawer-repositories" onPress={() => show()}>
            All repositories
          </Button>
          <Button
            icon="plus"
            onPress={() => {
              onLeave();
              navigate({ view: "repositories", params: { add: "1" } });
            }}
          >
            Add repository
          </Button>
        </div>
      </section>
    </>
  );
}

function Current({ repo, onHealth }: { repo: RepoSummary; onHealth: () => void }) {
  const startIndex = useStartIndex();
  const isBusy = useLiveJob(repo.id) !== undefined;
  const look = useLookOf(repo);
  return (
    <section className="drawer-part" aria-labelledby="drawer-current" data-testid="drawer-current">
      <header className="drawer-head">
        <h2 id="drawer-current" className="minor ellipsis">
          {repo.name}
        </h2>
        <RepoStatePill repo={repo} />
        <span className="small muted ellipsis">
          <IndexFreshness repo={repo} look={look} otherwise="" />
        </span>
      </header>
      <DrawerHealth repo={repo} />
      <FailureLine error={startIndex.error} />
      <div className="drawer-actions">
        {!isBusy && repo.state !== "missing" && (
          <Button
            icon="refresh"
            isDisabled={startIndex.isPending}
            data-testid="drawer-index"
            onPress={() => startIndex.mutate({ repo: repo.id })}
          >
            {unfinished(repo) ? "Resume" : repo.chunks > 0 ? "Update" : "Index"}
          </Button>
        )}
        <Button icon="info" data-testid="drawer-health" onPress={onHealth}>
          Health in full
        </Button>
      </div>
    </section>
  );
}

function Other({ repo }: { repo: RepoSummary }) {
  return (
    <li>
      <button
        type="button"
        className="drawer-repo"
        data-testid="drawer-repo"
        title={repo.root}
        onClick={() => session.set({ repo: repo.id, scope: null })}
      >
        <span className="ellipsis">{repo.name}</span>
        <span className="small muted">{plural(repo.files, "file")}</span>
        <span className="small muted ellipsis">{shortState(repo, useLookOf(repo))}</span>
      </button>
    </li>
  );
}

/** What has no index, or no folder any more, is not looked at. */
function useLookOf({ id, chunks, state }: RepoSummary): TreeLook | undefined {
  return useLook(chunks > 0 && state !== "missing" ? id : "");
}
