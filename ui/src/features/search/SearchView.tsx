// Code: a box, what it finds, the file of what is chosen, and beside it the dock.

import "./search.css";
import { useRef, useState } from "react";
import { useTight } from "../../app/dock-state";
import { session } from "../../app/session";
import { useAsked } from "../../components/Behind";
import { Failure, Loading } from "../../components/states";
import { useLookAgain, usePrepared, useRepos } from "../../ipc";
import { MatchSearch } from "./MatchSearch";
import { RankedSearch } from "./RankedSearch";
import { NoRepository } from "./Results";
import { rememberQuery } from "./recent";
import { SearchBox } from "./SearchBox";
import { useListFocus } from "./useListFocus";
import { useSearchQuery } from "./useSearchQuery";

/** Whether facets stand beside the hits; where there is no room they are folded until asked for. */
function useFacets(): [boolean, () => void] {
  const isTight = useTight();
  const [roomy, setRoomy] = useState(() => window.innerWidth >= 1180);
  const [tight, setTight] = useState(false);
  const set = isTight ? setTight : setRoomy;
  return [isTight ? tight : roomy, () => set((isOpen) => !isOpen)];
}

export function SearchView() {
  const { repo } = session.use();
  const repos = useRepos();
  const asked = useSearchQuery();
  const [facetsOpen, toggleFacets] = useFacets();
  const [poorFit, setPoorFit] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const explain = useRef<() => void>(undefined);
  const { enter, onShown, forget, onFocus } = useListFocus(list);
  const lookAgain = useLookAgain();
  const ofRepos = useAsked();
  usePrepared(repos.data?.find((one) => one.id === repo));
  if (repos.isLoadingError) return <Failure error={repos.error} onRetry={() => repos.refetch()} />;
  // Which one was chosen last is known before the engine has opened it: what is typed meanwhile waits.
  if (repos.isPending && repo === "") return <Loading label="Reading repositories" />;
  if (repos.data?.every((one) => one.id !== repo)) return <NoRepository />;
  const parts = { repo, asked, boxRef: box, listRef: list, facetsOpen, onShown };
  return (
    <section className="view search" aria-label="Code" onFocus={onFocus}>
      <h1 className="visually-hidden">Code</h1>
      <SearchBox
        inputRef={box}
        repo={repo}
        query={asked.query}
        facetsOpen={facetsOpen}
        poorFit={poorFit}
        onFacets={toggleFacets}
        onChange={(change) => {
          forget();
          asked.change(change);
        }}
        onLeave={(how) => {
          rememberQuery(asked.query);
          void lookAgain(ofRepos);
          if (how === "explain") explain.current?.();
          else enter();
        }}
      />
      {asked.query.mode === "ranked" ? (
        <RankedSearch {...parts} explainRef={explain} onPoorFit={setPoorFit} />
      ) : (
        <MatchSearch {...parts} />
      )}
    </section>
  );
}
