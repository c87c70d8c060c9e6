// The graph: a symbol, who uses it and what it uses; drawn, listed, and in figures.

import "./graph.css";
import "./drawing.css";
import "./side.css";
import { useEffect, useMemo, useRef, useState } from "react";
import { inTextField } from "../../app/platform-keys";
import { navigate } from "../../app/route";
import { session } from "../../app/session";
import { Button } from "../../components/controls";
import { Split } from "../../components/Splitter";
import { Empty, Failure, Loading } from "../../components/states";
import {
  type GraphNode,
  type GraphView as Neighbourhood,
  useGraphView,
  useLiveJob,
  useRepos,
} from "../../ipc";
import { CodePane } from "./CodePane";
import { Drawing } from "./Drawing";
import { Foot } from "./Foot";
import { Head } from "./Head";
import { namedNode } from "./named";
import { asRequest, shortName } from "./place";
import { SidePane } from "./SidePane";
import { NearNames, Start } from "./Start";
import { type Steps, usePlace } from "./usePlace";
import { sentence } from "./words";

export function GraphView() {
  const { repo } = session.use();
  const repos = useRepos();
  const job = useLiveJob(repo);
  const steps = usePlace();
  const picker = useRef<HTMLInputElement>(null);
  const request = useMemo(() => asRequest(repo, steps.place), [repo, steps.place]);
  const view = useGraphView(request, steps.place.focus !== null);

  const current = repos.data?.find((one) => one.id === repo);
  if (repos.isPending) return <Loading label="Reading repositories" />;
  if (repos.isError) return <Failure error={repos.error} onRetry={() => repos.refetch()} />;
  if (!current) return <ToRepositories>Choose a repository to see its graph.</ToRepositories>;
  if (current.chunks === 0) {
    return (
      <ToRepositories>
        {job ? "The repository is being indexed." : "This repository has no index yet."}
      </ToRepositories>
    );
  }
  return (
    <section className="view graph" aria-label="Graph">
      <Head
        repo={repo}
        steps={steps}
        picker={picker}
        view={view.isPlaceholderData ? undefined : view.data}
      />
      <div className="graph-body">
        {!steps.place.focus ? (
          <Start repo={repo} onPick={steps.focus} />
        ) : view.isPending ? (
          <Loading label="Drawing the neighbourhood" />
        ) : view.isError ? (
          <Failure error={view.error} onRetry={() => view.refetch()} />
        ) : (
          <Answer repo={repo} steps={steps} view={view.data} isStale={view.isPlaceholderData} />
        )}
      </div>
      <Keys steps={steps} picker={picker} />
    </section>
  );
}

function Answer(props: { repo: string; steps: Steps; view: Neighbourhood; isStale: boolean }) {
  const { repo, steps, view, isStale } = props;
  const { place, change, focus } = steps;
  const [isCode, setCode] = useState(false);
  const [outside, setOutside] = useState<GraphNode>();
  if (view.focus === null && !isStale) {
    const isEnd = view.notes.some((note) => note.includes(`\`${place.to?.symbol}\``));
    const pick = isEnd ? (to: typeof place.to) => change({ to }) : focus;
    const name = shortName((isEnd ? place.to : place.focus) ?? { symbol: "" });
    return <NearNames name={name} near={view.near} onPick={pick} />;
  }
  const inView = view.nodes.find((node) => node.id === (place.node ?? view.focus));
  // A row of the impact table may lie outside the drawing.
  const selected = outside?.id === place.node ? outside : (inView ?? view.nodes[0]);
  const select = (node: GraphNode) => {
    setOutside(view.nodes.some((one) => one.id === node.id) ? undefined : node);
    if (node.id !== place.node) change({ node: node.id });
  };
  const open = (node: GraphNode) => {
    const named = namedNode(node);
    if (named) focus(named);
    else change({ expanded: [...place.expanded, node.id], node: null });
  };
  const actions = { onSelect: select, onOpen: open };
  return (
    <>
      <Ways view={view} isAsked={place.to !== null} />
      <Split
        id="graph"
        share={0.64}
        first={
          isCode && selected && selected.kind !== "cluster" ? (
            <CodePane repo={repo} view={view} node={selected} onClose={() => setCode(false)} />
          ) : (
            <Drawing
              {...actions}
              view={view}
              selected={selected}
              isStale={isStale}
              label={drawingLabel(view, place.to !== null)}
            />
          )
        }
        second={
          <SidePane
            {...actions}
            repo={repo}
            place={place}
            view={view}
            selected={selected}
            isStale={isStale}
            isCode={isCode}
            onCode={() => setCode(!isCode)}
            onFocus={focus}
          />
        }
      />
      <Foot
        view={view}
        isStale={isStale}
        n_expanded={place.expanded.length}
        onFold={() => change({ expanded: [], node: null })}
      />
      <CodeKey onToggle={() => setCode((old) => !old)} onClose={() => setCode(false)} />
    </>
  );
}

/** Whether there is a way at all; where there is none, what is shown in its place. */
function Ways({ view, isAsked }: { view: Neighbourhood; isAsked: boolean }) {
  if (!isAsked || view.notes.length === 0) return null;
  return (
    <p className="graph-ways" role="status" data-testid="graph-ways">
      {view.notes.map(sentence).join(" ")}
    </p>
  );
}

function drawingLabel(view: Neighbourhood, isWay: boolean): string {
  const focus = view.nodes.find((node) => node.id === view.focus)?.label ?? "the focus";
  const end = view.nodes.find((node) => node.id === view.to)?.label;
  if (isWay && end) return `Drawing of the ways from ${focus} to ${end}`;
  return `Drawing of ${focus} and ${view.nodes.length - 1} around it`;
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

function CodeKey(props: { onToggle: () => void; onClose: () => void }) {
  useKeys({ v: props.onToggle, Escape: props.onClose });
  return null;
}

function useKeys(keys: Record<string, () => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector(".scrim")) return;
      if (inTextField(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
