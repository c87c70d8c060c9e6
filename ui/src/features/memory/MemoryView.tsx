// Memory: memos as of a commit and as known at a moment, along both times; written and repaired here.

import "./memory.css";
import "./timeline.css";
import { useMemo, useRef, useState } from "react";
import { navigate } from "../../app/route";
import { nameIn, useScope } from "../../app/scope";
import { session } from "../../app/session";
import { Behind } from "../../components/Behind";
import { Button } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { withoutCommand } from "../../components/repo-state";
import { Empty, Failure, Loading } from "../../components/states";
import { useDebounced } from "../../components/useDebounced";
import { useKeys } from "../../components/useKeys";
import { type ScopeChoice, useMemoTimeline, useRepos } from "../../ipc";
import { Banner, Outcome } from "./Banner";
import { Conflicts } from "./Conflicts";
import { Editor } from "./Editor";
import { Head } from "./Head";
import { Inbox } from "./Inbox";
import { InConflict } from "./MemoList";
import type { Part } from "./MemoPane";
import { editing, MemoSplit } from "./MemoSplit";
import { Nothing } from "./Nothing";
import { Others } from "./Others";
import { Timeline } from "./Timeline";
import { useBegun } from "./useBegun";
import { useChosen } from "./useChosen";
import { useConflicts } from "./useConflicts";
import type { Writing } from "./useDraft";
import { useActs } from "./useMemory";
import { type Place, usePlace } from "./usePlace";
import { useRows } from "./useRows";
import { isNow } from "./words";

export function MemoryView() {
  const { repo } = session.use();
  const place = usePlace(repo);
  const repos = useRepos();
  const current = repos.data?.find((one) => one.id === repo);
  if (repos.isPending) return <Loading label="Reading repositories" />;
  if (repos.isLoadingError) return <Failure error={repos.error} onRetry={() => repos.refetch()} />;
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
  return <Scoped repo={repo} place={place} />;
}

/** One repository's memory, or one list of several, which can be narrowed to one of them. */
function Scoped({ repo, place }: { repo: string; place: Place }) {
  const { scope, isLoading } = useScope();
  const [only, setOnly] = useState<string | null>(null);
  const narrowed = scope?.repos.find(({ id }) => id === only)?.id;
  const home = narrowed ?? repo;
  if (isLoading) return <Loading label="Reading repositories" />;
  const asked = scope && !narrowed ? scope.id : home;
  return (
    <Memory key={asked} repo={home} asked={asked} scope={scope} place={place} onOnly={setOnly} />
  );
}

/** Which of several repositories could not be asked, and why. */
function NotAsked({ missing }: { missing: { name: string; why: string }[] | undefined }) {
  if (!missing?.length) return null;
  return (
    <p className="memory-note" role="status" data-testid="memory-missing">
      <Icon name="warn" /> not asked:{" "}
      {missing.map(({ name, why }) => `${name} (${why})`).join(", ")}
    </p>
  );
}

function Notes({ notes }: { notes: string[] }) {
  return notes.map((note) => (
    <p key={note} className="memory-note" role="status">
      <Icon name="warn" /> {withoutCommand(note)}
    </p>
  ));
}

function Memory(props: {
  /** The repository that a new memo belongs to. */
  repo: string;
  /** What is listed: that repository, or the joined id of several. */
  asked: string;
  scope: ScopeChoice | undefined;
  place: Place;
  onOnly: (repo: string | null) => void;
}) {
  const { repo, asked, scope, place } = props;
  const isSeveral = asked !== repo;
  const [writing, setWriting] = useState<Writing | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const asOf = useRef<HTMLInputElement>(null);
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
  const rows = useRows(asked, filter, place.moment);
  const memos = rows.pages.first;
  // The axis stays that of HEAD, so that one can go on from an earlier commit.
  const { known_at } = place.moment;
  const axis = useMemo(() => ({ as_of: null, known_at }), [known_at]);
  const timeline = useMemoTimeline(isSeveral ? "" : repo, axis, rows.onTimeline);
  const nConflicts = memos.data?.n_conflicts ?? 0;
  const { conflicts, inConflict } = useConflicts(asked, place, nConflicts);

  useBegun(place.setMoment, setWriting);
  const { chosen, choose, move } = useChosen(asked, rows, place.moment, () => setWriting(null));
  // A memo is changed where it belongs.
  const home = chosen?.repo?.id ?? repo;
  const acts = useActs(home);
  const isEmpty = memos.data?.n_total === 0;
  const isConflicts = place.state === "conflicts";
  // The past is read, never written.
  const canWrite = isNow(place.moment);
  const write = (what: Writing) => canWrite && setWriting(what);
  const begin = () => write({ memo: null, anchors: [], supersedes: null });
  useKeys(
    {
      "/": () => box.current?.focus(),
      n: begin,
      e: () => chosen && write(editing(chosen)),
      j: () => move(1),
      k: () => move(-1),
      h: () => setPart((old) => (old === "memo" ? "history" : "memo")),
      a: () => asOf.current?.select(),
      u: acts.undo,
    },
    writing === null,
  );

  return (
    <section className="view memory" aria-label="Memory">
      <h1 className="visually-hidden">Memory</h1>
      <Head
        repo={isSeveral ? null : repo}
        place={place}
        box={box}
        asOf={asOf}
        n={isEmpty || isConflicts ? undefined : memos.data?.n_found}
        nConflicts={nConflicts}
        onNew={begin}
        canWrite={canWrite}
      />
      {scope && (
        <Others
          only={isSeveral ? null : repo}
          scope={scope}
          filter={filter}
          moment={place.moment}
          onOnly={props.onOnly}
        />
      )}
      <Inbox asked={asked} place={place} nConflicts={nConflicts} />
      {memos.data && <NotAsked missing={memos.data.missing} />}
      <Behind asOf={place.moment.as_of} />
      <Banner place={place} commit={memos.data?.commit ?? null} />
      <Notes notes={memos.data?.notes ?? []} />
      {/* Who writes is told there. */}
      {writing === null && <Outcome acts={acts} />}
      <Timeline
        // Its commits are those of one repository.
        timeline={isEmpty || isConflicts || isSeveral ? undefined : timeline.data}
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
            onOpen={(memo) => write(editing(memo))}
            canWrite={canWrite}
          />
        ) : memos.isPending ? (
          <Loading label="Reading memory" />
        ) : memos.isError ? (
          <Failure error={memos.error} onRetry={() => memos.refetch()} />
        ) : rows.pages.n === 0 && !writing ? (
          <Nothing repo={repo} place={place} nTotal={memos.data.n_total} onNew={begin} />
        ) : (
          <InConflict value={inConflict}>
            <MemoSplit
              repo={home}
              rows={rows}
              moment={place.moment}
              acts={acts}
              part={part}
              onPart={setPart}
              chosen={chosen}
              onChoose={choose}
              onMove={move}
              onWrite={write}
            />
          </InConflict>
        )}
      </div>
      {writing && (
        <Editor
          repo={writing.memo || writing.supersedes ? home : repo}
          into={scope && nameIn(scope, writing.memo || writing.supersedes ? home : repo)}
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
