// A repository: where it is, what is in it, what its index is up to.

import { navigate } from "../../app/route";
import { session } from "../../app/session";
import { Button, IconButton, Switch } from "../../components/controls";
import { ago, bytes, percent, plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { LanguageBar } from "../../components/LanguageBar";
import { PathText } from "../../components/PathText";
import { unfinished, withoutCommand } from "../../components/repo-state";
import { FailureLine } from "../../components/states";
import { type RepoSummary, useJobs, useLiveJob, useSetWatching, useStartIndex } from "../../ipc";
import { JobBlock } from "./JobBlock";
import { RepoStatePill } from "./RepoStatePill";

export function RepoRow(props: {
  repo: RepoSummary;
  selected: boolean;
  open: boolean;
  onOpen: () => void;
}) {
  const { repo } = props;
  const job = useLiveJob(repo.id);
  const last = useJobs().data?.find((one) => one.repo === repo.id);
  const startIndex = useStartIndex();
  const setWatching = useSetWatching();
  const search = () => {
    session.set({ repo: repo.id });
    navigate({ view: "search" });
  };
  const failure = startIndex.error ?? setWatching.error ?? (job ? null : last?.error);
  const searchable = repo.chunks > 0;
  return (
    <li
      className="repo-row"
      data-testid="repo-row"
      data-repo={repo.id}
      data-state={repo.state}
      data-selected={props.selected || undefined}
      data-open={props.open || undefined}
    >
      <div className="repo-head">
        <h2 className="ellipsis">{repo.name}</h2>
        <RepoStatePill repo={repo} />
        {repo.head && (
          <span className="code muted ellipsis">
            {repo.branch ?? "detached"}@{repo.head}
          </span>
        )}
        <div className="repo-actions">
          <Switch
            isSelected={repo.watching}
            isDisabled={repo.state === "missing"}
            onChange={(watching) => setWatching.mutate({ repo: repo.id, watching })}
          >
            Watch
          </Switch>
          {!job && (
            <Button
              icon="refresh"
              kind={searchable ? "plain" : "primary"}
              isDisabled={startIndex.isPending || repo.state === "missing"}
              data-testid="repo-index"
              onPress={() => startIndex.mutate({ repo: repo.id })}
            >
              {unfinished(repo) ? "Resume" : searchable ? "Update" : "Index"}
            </Button>
          )}
          {searchable && (
            <Button icon="search" data-testid="repo-search" onPress={search}>
              Search
            </Button>
          )}
          <IconButton
            icon="info"
            label={props.open ? "Hide health" : "Health of the index"}
            data-testid="repo-health"
            onPress={props.onOpen}
          />
        </div>
      </div>
      <PathText className="code muted" path={repo.root} />
      {job ? <JobBlock job={job} nChunks={repo.chunks} /> : <StateNote repo={repo} />}
      <FailureLine error={failure} />
      {searchable && <Facts repo={repo} />}
    </li>
  );
}

function StateNote({ repo }: { repo: RepoSummary }) {
  if (repo.state === "ready" || repo.state_note === "") return null;
  return (
    <p className="repo-note">
      <Icon name="info" />
      {withoutCommand(repo.state_note)}
    </p>
  );
}

function Facts({ repo }: { repo: RepoSummary }) {
  const vector = repo.coverage.vector;
  return (
    <div className="repo-facts">
      <span>{plural(repo.files, "file")}</span>
      <span>{plural(repo.chunks, "chunk")}</span>
      <span>{plural(repo.symbols, "symbol")}</span>
      <span>{bytes(repo.index_bytes)}</span>
      <span title={withoutCommand(repo.coverage.vector_note ?? "") || undefined}>
        {vector > 0 ? `vectors ${percent(vector)}` : "no vectors"}
      </span>
      {(repo.coverage.tokens ?? 0) > 0 && (
        <span title={withoutCommand(repo.coverage.tokens_note ?? "") || undefined}>
          token vectors {percent(repo.coverage.tokens ?? 0)}
        </span>
      )}
      {repo.indexed_at !== null && <span>indexed {ago(repo.indexed_at)}</span>}
      <LanguageBar languages={repo.languages} />
    </div>
  );
}
