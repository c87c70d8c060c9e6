// What can be done with a repository. One whose folder is gone can only be looked at and removed.

import { navigate } from "../../app/route";
import { session } from "../../app/session";
import { Button, IconButton, Switch } from "../../components/controls";
import { unfinished } from "../../components/repo-state";
import type { RepoSummary, useSetWatching, useStartIndex } from "../../ipc";

export function RepoActions(props: {
  repo: RepoSummary;
  isBusy: boolean;
  isHealthOpen: boolean;
  startIndex: ReturnType<typeof useStartIndex>;
  setWatching: ReturnType<typeof useSetWatching>;
  onHealth: () => void;
  onRemove: () => void;
}) {
  const { repo, startIndex, setWatching } = props;
  const isMissing = repo.state === "missing";
  const searchable = repo.chunks > 0;
  const search = () => {
    session.set({ repo: repo.id });
    navigate({ view: "search" });
  };
  return (
    <div className="repo-actions">
      {!isMissing && (
        <Switch
          isSelected={repo.watching}
          onChange={(watching) => setWatching.mutate({ repo: repo.id, watching })}
        >
          Watch
        </Switch>
      )}
      {!props.isBusy && !isMissing && (
        <Button
          icon="refresh"
          kind={searchable ? "plain" : "primary"}
          isDisabled={startIndex.isPending}
          data-testid="repo-index"
          onPress={() => startIndex.mutate({ repo: repo.id })}
        >
          {unfinished(repo) ? "Resume" : searchable ? "Update" : "Index"}
        </Button>
      )}
      {isMissing ? (
        <Button kind="danger" icon="trash" data-testid="repo-row-remove" onPress={props.onRemove}>
          Remove
        </Button>
      ) : (
        searchable && (
          <Button icon="search" data-testid="repo-search" onPress={search}>
            Search
          </Button>
        )
      )}
      <IconButton
        icon="info"
        label={props.isHealthOpen ? "Hide health" : "Health of the index"}
        data-testid="repo-health"
        onPress={props.onHealth}
      />
    </div>
  );
}
