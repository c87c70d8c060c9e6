// Memory: memos as of a commit and as known at a moment, along both times; written and mended here.

import "./memory.css";
import "./timeline.css";
import { useEffect, useMemo, useRef, useState } from "react";
import { inTextField } from "../../app/platform-keys";
import { navigate, useRoute } from "../../app/route";
import { session } from "../../app/session";
import { Button, IconButton } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { Split } from "../../components/Splitter";
import { Empty, Failure, FailureLine, Loading } from "../../components/states";
import { useDebounced } from "../../components/useDebounced";
import {
  type Memo,
  type MemoMoment,
  PAGE,
  useMemoConflicts,
  useMemoTimeline,
  useOneMemo,
  useRepos,
} from "../../ipc";
import { Conflicts } from "./Conflicts";
import { Editor, type Writing } from "./Editor";
import { Head } from "./Head";
import { OtherMemories } from "./Home";
import { MemoList } from "./MemoList";
import { MemoPane, type Part } from "./MemoPane";
import { Timeline } from "./Timeline";
import { type Acts, useActs } from "./useMemory";
import { useRows } from "./useRows";
import { isNow, shortSha, whenOf } from "./words";

export function MemoryView() {
  const { repo } = session.use();
  const repos = useRepos();
  const current = repos.data?.find((one) => one.id === repo);
  if (repos.isPending) return <Loading label="Reading repositories" />;
  if (repos.isError) return <Failure error={repos.error} onRetry={() => repos.refetch()} />;
  if (!current) {
    return (
      <Empty
        action={
          <Button kind="primary" onPress={() => navigate({ view: "repositories" })}>
            Go to repositories
          </Button>
        }
      >
        Choose a repository to see its memory.
      </Empty>
    );
  }
  return <Memory key={repo} repo={repo} />;
}

function Memory({ repo }: { repo: string }) {
  const { params } = useRoute();
  const place = usePlace();
  const acts = useActs(repo);
  const [writing, setWriting] = useState<Writing | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const asOf = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const [part, setPart] = useState<Part>("memo");
  const settled = useDebounced(place.text, 120);
  const filter = useMemo(
    () => ({
      state: place.state === "conflicts" ? "valid" : place.state,
      kinds: place.kind === "" ? [] : [place.kind],
      text: settled,
    }),
    [place.state, place.kind, settled],
  );
  const rows = useRows(repo, filter, place.moment);
  const memos = rows.pages.first;
  // The axis stays that of HEAD, so that one can go on from an earlier commit.
  const { known_at } = place.moment;
  const axis = useMemo(() => ({ as_of: null, known_at }), [known_at]);
  const timeline = useMemoTimeline(repo, axis, rows.onTimeline);
  const conflicts = useMemoConflicts(repo, place.moment, place.state === "conflicts");

  // A hit of a search or a selection of code begins a memo.
  useEffect(() => {
    if (params.new === undefined) return;
    setWriting({ memo: null, anchors: params.anchor ? [params.anchor] : [], supersedes: null });
    navigate({ view: "memory" }, { replace: true });
  }, [params.new, params.anchor]);

  const chosenRow = rows.pages.rowOf(params.memo);
  // What was chosen stays, though its row is far out of sight.
  const isFar = chosenRow < 0 && rows.pages.n > PAGE && params.memo !== undefined;
  const far = useOneMemo(repo, isFar ? (params.memo ?? "") : "", place.moment);
  const chosen = rows.pages.at(chosenRow) ?? (isFar ? far.data : undefined) ?? rows.pages.at(0);
  rows.place.current = chosenRow >= 0 ? chosenRow : isFar ? rows.place.current : 0;
  const choose = (memo: string) => {
    setWriting(null);
    navigate({ view: "memory", params: { memo } }, { replace: true });
  };
  const move = (by: number) => {
    const from = rows.place.current;
    const to = Math.min(Math.max(from + by, 0), rows.pages.n - 1);
    rows.goTo(to, (memo) => choose(memo.id));
  };
  const isEmpty = memos.data?.n_total === 0;
  const isConflicts = place.state === "conflicts";
  const begin = () => setWriting({ memo: null, anchors: [], supersedes: null });
  useKeys(writing !== null, {
    "/": () => box.current?.focus(),
    n: begin,
    e: () => chosen && setWriting(editing(chosen)),
    j: () => move(1),
    k: () => move(-1),
    h: () => setPart((old) => (old === "memo" ? "history" : "memo")),
    a: () => asOf.current?.select(),
    u: acts.undo,
  });

  return (
    <section className="view memory" aria-label="Memory">
      <h1 className="visually-hidden">Memory</h1>
      <Head
        repo={repo}
        place={place}
        box={box}
        asOf={asOf}
        n={isEmpty || isConflicts ? undefined : memos.data?.n_found}
        nConflicts={memos.data?.n_conflicts ?? 0}
        onNew={begin}
      />
      <Banner place={place} commit={memos.data?.commit ?? null} />
      {memos.data?.notes.map((note) => (
        <p key={note} className="memory-note" role="status">
          <Icon name="warn" /> {note}
        </p>
      ))}
      <Outcome acts={acts} />
      <Timeline
        timeline={isEmpty || isConflicts ? undefined : timeline.data}
        rows={rows.pages}
        onSeen={rows.onLanesSeen}
        chosen={chosen?.id}
        moment={place.moment}
        onChoose={choose}
        onMoment={place.setMoment}
      />
      <div className="memory-body">
        {isConflicts ? (
          <Conflicts
            conflicts={conflicts}
            text={settled}
            kind={place.kind}
            onLift={() => {
              place.setText("");
              place.setKind("");
            }}
            acts={acts}
            onOpen={(memo) => setWriting(editing(memo))}
          />
        ) : memos.isPending ? (
          <Loading label="Reading memory" />
        ) : memos.isError ? (
          <Failure error={memos.error} onRetry={() => memos.refetch()} />
        ) : rows.pages.n === 0 && !writing ? (
          <Nothing repo={repo} place={place} nTotal={memos.data.n_total} onNew={begin} />
        ) : (
          <Split
            id="memory"
            share={0.38}
            first={
              <MemoList
                listRef={list}
                rows={rows.pages}
                onSeen={rows.onListSeen}
                chosen={chosen?.id}
                stale={memos.isPlaceholderData}
                onChoose={choose}
                onMove={move}
                onOpen={() => {
                  // Whatever the engine takes for the cause of the focus, it is shown.
                  pane.current?.setAttribute("data-focus-visible", "");
                  pane.current?.focus();
                }}
              />
            }
            second={
              chosen ? (
                <MemoPane
                  key={chosen.id}
                  bodyRef={pane}
                  part={part}
                  onPart={setPart}
                  onLeave={() => list.current?.focus()}
                  repo={repo}
                  memo={chosen}
                  isNow={isNow(place.moment)}
                  acts={acts}
                  onEdit={() => setWriting(editing(chosen))}
                  onSupersede={() =>
                    setWriting({ ...editing(chosen), memo: null, supersedes: chosen })
                  }
                />
              ) : null
            }
          />
        )}
      </div>
      {writing && (
        <Editor
          repo={repo}
          writing={writing}
          acts={acts}
          onClose={(saved) => {
            setWriting(null);
            if (saved) choose(saved);
          }}
        />
      )}
    </section>
  );
}

function editing(memo: Memo): Writing {
  return { memo, anchors: [], supersedes: null };
}

export interface Place {
  state: string;
  kind: string;
  text: string;
  moment: MemoMoment;
  setState: (state: string) => void;
  setKind: (kind: string) => void;
  setText: (text: string) => void;
  setMoment: (moment: Partial<MemoMoment>) => void;
}

function usePlace(): Place {
  const [state, setState] = useState("valid");
  const [kind, setKind] = useState("");
  const [text, setText] = useState("");
  const [moment, set] = useState<MemoMoment>({ as_of: null, known_at: null });
  const setMoment = (change: Partial<MemoMoment>) => set((old) => ({ ...old, ...change }));
  return { state, kind, text, moment, setState, setKind, setText, setMoment };
}

/** Of which moment this is, when it is not here and now. */
function Banner({ place, commit }: { place: Place; commit: string | null }) {
  const { moment } = place;
  if (isNow(moment)) return null;
  const asOf = moment.as_of ? `As of ${shortName(moment.as_of)}` : "As of HEAD";
  const at =
    moment.as_of && commit && !commit.startsWith(moment.as_of) ? ` (${shortSha(commit)})` : "";
  const known = moment.known_at ? `, as known at ${whenOf(Number(moment.known_at))}` : "";
  return (
    <p className="memory-banner" role="status" data-testid="memory-banner">
      <Icon name="clock" />
      <span>
        {asOf}
        {at}
        {known}
      </span>
      <Button
        data-testid="memory-now"
        onPress={() => place.setMoment({ as_of: null, known_at: null })}
      >
        Back to now
      </Button>
    </p>
  );
}

const shortName = (revision: string) =>
  /^[0-9a-f]{40}$/.test(revision) ? shortSha(revision) : revision;

/** What was done last, and its undo. */
function Outcome({ acts }: { acts: Acts }) {
  if (acts.sending.isError) {
    return (
      <div className="memory-done">
        <FailureLine error={acts.sending.error} />
        <IconButton icon="close" label="Dismiss" onPress={() => acts.sending.reset()} />
      </div>
    );
  }
  if (!acts.done) return null;
  return (
    <div className="memory-done" role="status" data-testid="memory-done">
      <Icon name="check" />
      <span>{acts.done.words}</span>
      {acts.done.undo && (
        <Button data-testid="memory-undo" onPress={acts.undo}>
          Undo
        </Button>
      )}
      <span className="spacer" />
      <IconButton icon="close" label="Dismiss" onPress={acts.clear} />
    </div>
  );
}

function Nothing(props: { repo: string; place: Place; nTotal: number; onNew: () => void }) {
  const { place } = props;
  if (props.nTotal === 0) {
    return (
      <>
        <Empty
          action={
            <Button kind="primary" icon="plus" onPress={props.onNew}>
              New memo
            </Button>
          }
        >
          Nothing is remembered of this repository. A memo says what the code does not: a decision
          and its reason, a preference, a correction.
        </Empty>
        <OtherMemories repo={props.repo} />
      </>
    );
  }
  const isFiltered = place.text !== "" || place.kind !== "" || place.state !== "valid";
  const show = () => {
    place.setText("");
    place.setKind("");
    place.setState(isFiltered ? "valid" : "all");
  };
  return (
    <Empty
      action={<Button onPress={show}>{isFiltered ? "Clear filters" : "Show all memos"}</Button>}
    >
      {isFiltered ? "No memo matches these filters." : "No current memo here."}
    </Empty>
  );
}

function useKeys(isWriting: boolean, keys: Record<string, () => void>): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    if (isWriting) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const run = inTextField(event) ? undefined : current.current[event.key];
      if (!run || document.querySelector("[role=dialog]")) return;
      event.preventDefault();
      run();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isWriting]);
}
