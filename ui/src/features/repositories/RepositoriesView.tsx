// Repositories: what is indexed, how far, and how well.

import "./repositories.css";
import { useCallback, useEffect, useRef, useState } from "react";
import { amend, navigate, useRoute } from "../../app/route";
import { session } from "../../app/session";
import { Button } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { useComingModel } from "../../components/model-coming";
import { Split } from "../../components/Splitter";
import { Failure, Loading } from "../../components/states";
import { type RepoSummary, useRepos } from "../../ipc";
import { Welcome } from "../welcome/Welcome";
import { AddDialog } from "./AddDialog";
import { HealthPanel } from "./HealthPanel";
import { RemoveDialog } from "./RemoveDialog";
import { RepoRow } from "./RepoRow";

export function RepositoriesView() {
  const { id, params } = useRoute();
  const repos = useRepos();
  const dropped = session.use().dropped ?? undefined;
  const [removing, setRemoving] = useState<RepoSummary>();
  const adding = params.add !== undefined;
  const open = useCallback((repo?: string) => navigate({ view: "repositories", id: repo }), []);
  const startAdding = () => navigate({ view: "repositories", id, params: { add: "1" } });
  const stopAdding = () => {
    amend({ view: "repositories", id });
  };
  useEffect(() => {
    if (!adding && session.get().dropped) session.set({ dropped: null });
  }, [adding]);

  const shown = repos.data?.find((repo) => repo.id === id);
  useFocusAfterHealth(shown?.id);
  const isFirstStart = repos.data?.length === 0;
  const list = (
    <RepoList repos={repos} openId={id} onAdd={startAdding} onOpen={open} onRemove={setRemoving} />
  );
  return (
    <section className="view" aria-label="Repositories">
      {!isFirstStart && (
        <header className="view-head">
          <h1>Repositories</h1>
          <Button kind="primary" icon="plus" data-testid="repo-add" onPress={startAdding}>
            Add repository
          </Button>
        </header>
      )}
      {!isFirstStart && <ModelComing />}
      <div className="view-body">
        {shown ? (
          <Split
            id="health"
            share={0.52}
            first={list}
            second={
              <HealthPanel
                key={shown.id}
                repo={shown}
                onClose={() => open()}
                onRemove={() => setRemoving(shown)}
              />
            }
          />
        ) : (
          list
        )}
      </div>
      {adding && <AddDialog path={dropped} onClose={stopAdding} />}
      {removing && <RemoveDialog repo={removing} onClose={() => setRemoving(undefined)} />}
    </section>
  );
}

/** That the model is on its way, and what that means for what is listed. */
function ModelComing() {
  const coming = useComingModel();
  if (!coming) return null;
  return (
    <p className="repo-model small" role="status" data-testid="model-coming">
      <Icon name="download" />
      <span>
        The embedding model is on its way: {coming.sentence}. You can search meanwhile; its vectors
        begin when it is here.
      </span>
    </p>
  );
}

/** Out of the panel, the focus goes back to what opened it. */
function useFocusAfterHealth(id: string | undefined): void {
  const last = useRef(id);
  useEffect(() => {
    const row = last.current && !id && `[data-repo="${CSS.escape(last.current)}"]`;
    last.current = id;
    if (row) document.querySelector<HTMLElement>(`${row} [data-testid="repo-health"]`)?.focus();
  }, [id]);
}

function RepoList(props: {
  repos: ReturnType<typeof useRepos>;
  openId: string | undefined;
  onAdd: () => void;
  onOpen: (repo?: string) => void;
  onRemove: (repo: RepoSummary) => void;
}) {
  const { repos } = props;
  const selected = session.use().repo;
  if (repos.isPending) return <Loading label="Reading repositories" />;
  if (repos.isLoadingError) return <Failure error={repos.error} onRetry={() => repos.refetch()} />;
  if (repos.data.length === 0) return <Welcome onAdd={props.onAdd} />;
  return (
    <ul className="repo-list">
      {repos.data.map((repo) => (
        <RepoRow
          key={repo.id}
          repo={repo}
          selected={repo.id === selected}
          open={repo.id === props.openId}
          onOpen={() => props.onOpen(repo.id === props.openId ? undefined : repo.id)}
          onRemove={() => props.onRemove(repo)}
        />
      ))}
    </ul>
  );
}
