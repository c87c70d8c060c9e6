// Search: a box, what it finds, and the file of what is chosen.

import "./search.css";
import { useRef, useState } from "react";
import { session } from "../../app/session";
import { useAsked } from "../../components/Behind";
import { Failure, Loading } from "../../components/states";
import { useNarrow } from "../../components/useNarrow";
import { useLookAgain, usePrepared, useRepos } from "../../ipc";
import { MatchSearch } from "./MatchSearch";
import { RankedSearch } from "./RankedSearch";
import { NoRepository } from "./Results";
import { rememberQuery } from "./recent";
import { SearchBox } from "./SearchBox";
import { useListFocus } from "./useListFocus";
import { useSearchQuery } from "./useSearchQuery";

/** Whether facets stand beside the hits; a window that becomes narrow folds them until asked. */
function useFacets(): [boolean, () => void] {
  const isNarrow = useNarrow();
  const [wide, setWide] = useState(() => window.innerWidth >= 1180);
  const [narrow, setNarrow] = useState(false);
  const set = isNarrow ? setNarrow : setWide;
  return [isNarrow ? narrow : wide, () => set((isOpen) => !isOpen)];
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
  if (repos.isError) return <Failure error={repos.error} onRetry={() => repos.refetch()} />;
  // Which one was chosen last is known before the engine has opened it: what is typed meanwhile waits.
  if (repos.isPending && repo === "") return <Loading label="Reading repositories" />;
  if (repos.data?.every((one) => one.id !== repo)) return <NoRepository />;
  const parts = { repo, asked, boxRef: box, listRef: list, facetsOpen, onShown };
  return (
    <section className="view search" aria-label="Search" onFocus={onFocus}>
      <h1 className="visually-hidden">Search</h1>
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
