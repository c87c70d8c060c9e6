// The graph: a symbol, who uses it and what it uses; drawn, listed, and in figures.

import "./graph.css";
import "./drawing.css";
import "./side.css";
import { useMemo, useRef } from "react";
import { navigate } from "../../app/route";
import { useScope } from "../../app/scope";
import { session } from "../../app/session";
import { Behind } from "../../components/Behind";
import { Button } from "../../components/controls";
import { IndexFailure } from "../../components/IndexFailure";
import { Empty, Failure, Loading } from "../../components/states";
import { useKeys } from "../../components/useKeys";
import { type GraphView as Neighbourhood, useGraphView, useLiveJob, useRepos } from "../../ipc";
import { Answer } from "./Answer";
import { Head } from "./Head";
import { asRequest, type Named, shortName } from "./place";
import { NearNames, Start } from "./Start";
import { type Steps, usePlace } from "./usePlace";

export function GraphView() {
  const { repo: chosen } = session.use();
  const { scope, isLoading } = useScope();
  const repo = scope?.id ?? chosen;
  const repos = useRepos();
  const job = useLiveJob(chosen);
  const steps = usePlace(repo);
  const picker = useRef<HTMLInputElement>(null);
  const request = useMemo(() => asRequest(repo, steps.place), [repo, steps.place]);
  const view = useGraphView(request, steps.place.focus !== null);

  const current = repos.data?.find((one) => one.id === chosen);
  if (repos.isPending || isLoading) return <Loading label="Reading repositories" />;
  if (repos.isLoadingError) return <Failure error={repos.error} onRetry={() => repos.refetch()} />;
  if (!current) return <ToRepositories>Choose a repository to see its graph.</ToRepositories>;
  if (current.chunks === 0 && !scope) {
    return (
      <ToRepositories>
        {job ? "The repository is being indexed." : "This repository has no index yet."}
      </ToRepositories>
    );
  }
  return (
    <section className="view graph" aria-label="Graph">
      <h1 className="visually-hidden">Graph</h1>
      <Head
        repo={repo}
        steps={steps}
        picker={picker}
        view={view.isPlaceholderData ? undefined : view.data}
      />
      <Behind />
      <div className="graph-body">
        {!steps.place.focus ? (
          <Start repo={repo} onPick={steps.focus} />
        ) : view.isPending || (view.isPlaceholderData && view.data.focus === null) ? (
          <Loading label="Laying out the graph" />
        ) : view.isError ? (
          <IndexFailure repo={chosen} error={view.error} onRetry={() => view.refetch()} />
        ) : view.data.focus === null ? (
          <Unknown steps={steps} view={view.data} />
        ) : (
          <Answer repo={repo} steps={steps} view={view.data} isStale={view.isPlaceholderData} />
        )}
      </div>
      <Keys steps={steps} picker={picker} />
    </section>
  );
}

/** Nothing bears the name of the focus, or of the other end. */
function Unknown({ steps, view }: { steps: Steps; view: Neighbourhood }) {
  const { place, change, focus } = steps;
  const isEnd = view.notes.some((note) => note.includes(`\`${place.to?.symbol}\``));
  const name = shortName((isEnd ? place.to : place.focus) ?? { symbol: "" });
  const pick = isEnd ? (to: Named) => change({ to }) : focus;
  return <NearNames name={name} near={view.near} onPick={pick} />;
}

function ToRepositories({ children }: { children: React.ReactNode }) {
  return (
    <Empty
      action={
        <Button kind="primary" onPress={() => navigate({ view: "repositories" })}>
          Go to repositories
        </Button>
      }
    >
      {children}
    </Empty>
  );
}

/** The keys of the screen, wherever the focus is, save in a text field. */
function Keys(props: { steps: Steps; picker: React.RefObject<HTMLInputElement | null> }) {
  useKeys({
    "/": () => props.picker.current?.focus(),
    "[": () => props.steps.back?.(),
    "]": () => props.steps.forward?.(),
  });
  return null;
}
