// Calls, newest first; only rows in sight are drawn. The list has the focus, the chosen call is its active row.

import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { navigate } from "../../../app/route";
import { activeRow } from "../../../components/active-row";
import { rowIntoSight, useKeptRow } from "../../../components/useKeptInSight";
import type { CallLine, GrepCall, RepoSummary } from "../../../ipc";
import { LiveRow } from "./LiveRow";
import { repoOf, showAnswer } from "./lead";

const ROW = 44;
const OVERSCAN = 8;
/** Rows of a page where nothing is laid out yet. */
const HEIGHT = 600;

export function LiveList(props: {
  calls: readonly CallLine[];
  /** What grep printed, by call, where it was asked. */
  costs: ReadonlyMap<number, GrepCall>;
  repos: readonly RepoSummary[];
  onFollow: (call: CallLine) => void;
}) {
  const { calls } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // Chosen by its id, so that it stays chosen when others come before it.
  const [id, setId] = useState<number>();
  const name = useId();
  const at = Math.max(
    0,
    calls.findIndex((call) => call.id === id),
  );
  const height = box.current?.clientHeight || HEIGHT;
  const first = Math.min(Math.max(0, top - OVERSCAN), calls.length);
  const shown = calls.slice(first, first + Math.ceil(height / ROW) + 2 * OVERSCAN);
  useKeptPlace(box, calls);
  useKeptRow(box, at, ROW);
  const move = (to: number) => {
    const place = Math.max(0, Math.min(calls.length - 1, to));
    setId(calls[place]?.id);
    rowIntoSight(box.current, place, ROW);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = calls[at];
    const page = Math.max(1, Math.floor(height / ROW) - 1);
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page }[event.key];
    if (by) move(at + by);
    else if (event.key === "Home") move(0);
    else if (event.key === "End") move(calls.length - 1);
    else if (!chosen) return;
    else if (event.key === "Enter") props.onFollow(chosen);
    else if (event.key === "a") showAnswer(chosen);
    else if (event.key === "s") showSession(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div
        ref={box}
        className="live-list"
        role="listbox"
        aria-label="Calls, newest first"
        aria-activedescendant={activeRow(
          at,
          shown.map((_, index) => first + index),
          `${name}-${at}`,
        )}
        data-testid="live-list"
        data-begin
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={(event) => setTop(Math.floor(event.currentTarget.scrollTop / ROW))}
      >
        <div role="presentation" style={{ height: calls.length * ROW, paddingTop: first * ROW }}>
          {shown.map((call, index) => (
            <LiveRow
              key={call.id}
              id={`${name}-${first + index}`}
              call={call}
              grep={props.costs.get(call.id)}
              repo={nameOf(call, props.repos)}
              at={first + index}
              n={calls.length}
              isChosen={first + index === at}
              onFollow={(one) => {
                setId(one.id);
                props.onFollow(one);
              }}
            />
          ))}
        </div>
      </div>
      <p className="live-keys small muted">
        Enter or a click: why, or the code · a: the answer · s: the session · p: pause
      </p>
    </>
  );
}

function showSession({ session }: CallLine): void {
  navigate({ view: "agents", params: { tab: "sessions", session } });
}

/** Whoever has scrolled away from the newest goes on reading where they are when calls come. */
function useKeptPlace(box: React.RefObject<HTMLDivElement | null>, calls: readonly CallLine[]) {
  const newest = useRef(calls[0]?.id);
  useLayoutEffect(() => {
    const come = calls.findIndex((call) => call.id === newest.current);
    newest.current = calls[0]?.id;
    if (box.current && come > 0 && box.current.scrollTop > 0) box.current.scrollTop += come * ROW;
  }, [box, calls]);
}

/** Where there is one repository alone, its name says nothing. */
function nameOf(call: CallLine, repos: readonly RepoSummary[]): string | undefined {
  const asked = repos.length > 1 ? repoOf(call, repos) : undefined;
  return repos.find(({ id }) => id === asked)?.name;
}
