// What is in place of the hits while there are none, and what is said above those that fit badly.

import { useEffect } from "react";
import { navigate } from "../../app/route";
import type { SearchQuery } from "../../app/search-query";
import { useBehind } from "../../components/Behind";
import { Button } from "../../components/controls";
import { sentence } from "../../components/format";
import { Icon } from "../../components/Icon";
import { IndexFailure } from "../../components/IndexFailure";
import { Empty, FailureLine, Loading } from "../../components/states";
import { type EngineFailure, useLiveJob, useRepos, useStartIndex } from "../../ipc";
import { isAsked, MODE } from "./modes";
import { CodeAlone } from "./Panes";
import { PreviewPane } from "./PreviewPane";
import { parseQuery } from "./query";
import { Start } from "./Start";
import { useOpenedPreview } from "./useOpenedPreview";

interface Answer {
  isPending: boolean;
  isError: boolean;
  error: EngineFailure | null;
  refetch: () => void;
}

export function Results(props: {
  answer: Answer;
  repo: string;
  query: SearchQuery;
  /** Why there is nothing to show: nothing was found, or the pattern has a problem, said elsewhere. */
  nothing: false | "nothing" | "problem";
  /** What a list of nothing leaves open. */
  open?: string | null;
  onQuery: (change: Partial<SearchQuery>) => void;
  onShown: () => void;
  children: React.ReactNode;
}) {
  const { answer, query } = props;
  const { behind, isLooking } = useBehind();
  const { data: repos } = useRepos();
  const isIndexing = useLiveJob(props.repo) !== undefined;
  const opened = useOpenedPreview();
  const isIndexed = repos?.some((one) => one.id === props.repo && one.chunks > 0) ?? false;
  if ((repos && !isIndexed) || answer.error?.code === "index-missing")
    return <NotIndexed repo={props.repo} isIndexing={isIndexing} />;
  if (answer.isError && answer.error)
    return <IndexFailure repo={props.repo} error={answer.error} onRetry={() => answer.refetch()} />;
  if (opened && (!isAsked(query.mode, query.text) || props.nothing))
    return (
      <CodeAlone>
        <PreviewPane {...opened} asOf={null} />
      </CodeAlone>
    );
  if (!isAsked(query.mode, query.text))
    return <Start repo={props.repo} mode={query.mode} onQuery={props.onQuery} />;
  if (props.nothing === "problem") return null;
  if (answer.isPending) return <Loading label="Searching" />;
  // That nothing is there can only be said of the files as they are.
  if (props.nothing && isLooking) return <Loading label="Looking for changed files" isLate />;
  if (props.nothing)
    return (
      <Nothing
        query={query}
        open={props.open}
        isBehind={behind.length > 0}
        onQuery={props.onQuery}
      />
    );
  return <Rows onShown={props.onShown}>{props.children}</Rows>;
}

function Rows({ onShown, children }: { onShown: () => void; children: React.ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when they come
  useEffect(onShown, []);
  return children;
}

function NotIndexed({ repo, isIndexing }: { repo: string; isIndexing: boolean }) {
  const start = useStartIndex();
  const toRepositories = () => navigate({ view: "repositories" });
  if (isIndexing) {
    return (
      <Empty action={<Button onPress={toRepositories}>Show progress</Button>}>
        The repository is being indexed. You can search as soon as the text index is ready.
      </Empty>
    );
  }
  const action = (
    <>
      <Button
        kind="primary"
        isDisabled={start.isPending}
        data-testid="search-index"
        onPress={() => start.mutate({ repo })}
      >
        Index it
      </Button>
      <FailureLine error={start.error} />
    </>
  );
  return <Empty action={action}>This repository has no index yet.</Empty>;
}

function Nothing(props: {
  query: SearchQuery;
  open?: string | null;
  isBehind: boolean;
  onQuery: (change: Partial<SearchQuery>) => void;
}) {
  const { text, mode } = props.query;
  const { text: bare, tokens } = parseQuery(text, mode);
  const action =
    tokens.length > 0 ? (
      <Button onPress={() => props.onQuery({ text: bare })}>Search without filters</Button>
    ) : (
      mode !== "ranked" && (
        <Button onPress={() => props.onQuery({ mode: "ranked" })}>Search ranked instead</Button>
      )
    );
  if (mode === "unused" && props.open)
    return <Empty action={action}>Nothing is listed. {sentence(props.open)}</Empty>;
  if (text.trim() === "") return <Empty>Nothing that was checked is unused.</Empty>;
  return (
    <Empty action={action}>
      {MODE[mode].nothing} <q>{bare || text}</q>
      {bare && tokens.length > 0 && " with these filters"}
      {props.isBehind && " in the index so far"}.
    </Empty>
  );
}

/** A list always has a first row; this says that even it does not answer. */
export function PoorFit({ why }: { why: string }) {
  const words = `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  return (
    <span className="poor-fit small" role="status" data-testid="poor-fit" title={words}>
      <Icon name="warn" />
      <span className="ellipsis">{words}</span>
    </span>
  );
}

export function NoRepository() {
  return (
    <Empty
      action={
        <Button kind="primary" onPress={() => navigate({ view: "repositories" })}>
          Go to repositories
        </Button>
      }
    >
      Choose a repository to search.
    </Empty>
  );
}
