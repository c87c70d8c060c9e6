// The place in the route, the trail of focuses behind it, and how one goes on from here.

import { useCallback, useEffect, useMemo, useRef } from "react";
import { amend, navigate, useRoute } from "../../app/route";
import { askedNow, session } from "../../app/session";
import { createStore } from "../../app/store";
import {
  focusOn,
  keyedName,
  type Named,
  nameKey,
  type Place,
  placeParams,
  readPlace,
} from "./place";
import { ahead, behind, NO_TRAIL, type Trail, visit } from "./trail";

const trails = createStore<{ repo: string; trail: Trail }>({ repo: "", trail: NO_TRAIL });

export interface Steps {
  place: Place;
  /** Another focus, a new stop. */
  focus: (named: Named | null) => void;
  /** The same focus seen otherwise; not a stop of its own. */
  change: (change: Partial<Place>) => void;
  /** `undefined` where there is none. */
  back: (() => void) | undefined;
  forward: (() => void) | undefined;
}

/** `repo`: the repository that is drawn, or several as one. */
export function usePlace(repo: string): Steps {
  const { params } = useRoute();
  const { trail } = trails.use();
  const place = useMemo(() => readPlace(params), [params]);
  const latest = useRef(place);
  latest.current = place;

  useForgetting(repo);
  useEffect(() => {
    session.set({ graph: { asked: askedNow(), params: placeParams(place) } });
    if (!place.focus) return;
    const known = trails.get();
    const before = known.repo === repo ? known.trail : NO_TRAIL;
    trails.set({ repo, trail: visit(before, nameKey(place.focus)) });
  }, [repo, place]);

  const focus = useCallback((named: Named | null) => go(focusOn(latest.current, named)), []);
  const change = useCallback(
    (some: Partial<Place>) => go({ ...latest.current, ...some }, { replace: true }),
    [],
  );
  const to = (stop: string | undefined) =>
    stop === undefined ? undefined : () => focus(keyedName(stop));
  return { place, focus, change, back: to(behind(trail)), forward: to(ahead(trail)) };
}

/** Another repository has other symbols: its graph begins at the start. */
function useForgetting(repo: string): void {
  const before = useRef(repo);
  useEffect(() => {
    if (before.current !== "" && before.current !== repo) {
      trails.set({ repo, trail: NO_TRAIL });
      amend({ view: "graph" });
    }
    before.current = repo;
  }, [repo]);
}

function go(place: Place, options: { replace?: boolean } = {}): void {
  navigate({ view: "graph", params: placeParams(place) }, options);
}
