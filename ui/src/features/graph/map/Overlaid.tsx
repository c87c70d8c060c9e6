// The map with what its address draws over it: asked for, said while it comes, and what failed.

import type { ReactNode } from "react";
import { clearMap, type Over } from "../../../app/on-map";
import { nameIn, useScope } from "../../../app/scope";
import { session } from "../../../app/session";
import { Button } from "../../../components/controls";
import { Empty, Failure, Loading } from "../../../components/states";
import { useKeys } from "../../../components/useKeys";
import {
  type EngineFailure,
  type RepositoryMap as MapAnswer,
  useCallSession,
  useRepositoryMap,
  useReview,
  useTestsOfChange,
} from "../../../ipc";
import { OverlayPanel } from "./OverlayPanel";
import {
  litFiles,
  type MapOverlay,
  overlayOfFile,
  overlayOfReview,
  overlayOfSession,
} from "./overlay";
import { RepositoryMap } from "./RepositoryMap";

/** Following more definitions to their tests takes its time. */
const MOST_FOLLOWED = 500;

interface Props {
  map: MapAnswer;
  onPick: (path: string) => void;
}

export function Overlaid({ over, ...props }: Props & { over: Over }) {
  useKeys({ Escape: clearMap });
  if (over.over === "session") return <OverSession {...props} id={over.session} />;
  if (over.over === "changes") return <OverChanges {...props} base={over.base} />;
  return <OverFile {...props} file={over.file} />;
}

function OverFile({ file, ...props }: Props & { file: string }) {
  const map = useWithFiles(props.map, [file]);
  return <Drawn {...props} overlay={overlayOfFile(file, map)} nothing="" />;
}

function OverSession({ id, ...props }: Props & { id: string }) {
  const answer = useCallSession(id);
  const { repo } = session.use();
  if (answer.data)
    return (
      <Drawn
        {...props}
        overlay={overlayOfSession(answer.data, repo)}
        nothing="No answer of this session that is kept shows a file."
      />
    );
  if (answer.error) return <Failed error={answer.error} onRetry={() => void answer.refetch()} />;
  return <Loading label="Reading the session" />;
}

function OverChanges({ base, ...props }: Props & { base: string }) {
  const { repo } = session.use();
  const review = useReview(repo, base);
  const n = review.data?.symbols.length ?? 0;
  const isFollowed = n > 0 && n <= MOST_FOLLOWED;
  const tests = useTestsOfChange(repo, base, isFollowed);
  if (review.error && !review.data)
    return <Failed error={review.error} onRetry={() => void review.refetch()} />;
  if (!review.data) return <Loading label="Reviewing what changed" />;
  const overlay = overlayOfReview(review.data, tests.data ?? null, base);
  const openTests = isFollowed
    ? tests.error
      ? `Tests are not known: ${tests.error.message}.`
      : tests.isPending && "Looking for tests."
    : n > 0 && "Tests of so many definitions are not followed here.";
  return (
    <Drawn
      {...props}
      overlay={{ ...overlay, notes: [...(openTests ? [openTests] : []), ...overlay.notes] }}
      nothing="Nothing differs here."
    />
  );
}

/** The map with files that are too small or too little used to be on it; without them until they come. */
function useWithFiles(map: MapAnswer, paths: string[]): MapAnswer {
  const { repo } = session.use();
  const onMap = new Set(map.files.map((file) => file.path));
  const missing = paths.filter((path) => !onMap.has(path)).sort();
  return useRepositoryMap(missing.length > 0 ? repo : "", missing).data ?? map;
}

/** `nothing` is said where no file is lit. */
function Drawn(props: Props & { overlay: MapOverlay; nothing: string }) {
  const { overlay, onPick } = props;
  const { repo } = session.use();
  const { scope } = useScope();
  const name = scope && nameIn(scope, repo);
  const start = name ? `${name}/` : "";
  const lit = litFiles(overlay, start);
  const map = useWithFiles(props.map, [...lit.keys()]);
  if (overlay.layers.every((layer) => layer.files.length === 0))
    return <Nothing>{[props.nothing, ...overlay.notes].join(" ")}</Nothing>;
  return (
    <>
      <RepositoryMap map={map} own={props.map} onPick={onPick} lit={lit} />
      <OverlayPanel overlay={overlay} map={map} start={start} onPick={onPick} />
    </>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return (
    <Empty
      action={
        <Button kind="primary" data-testid="map-clear" onPress={clearMap}>
          Show the whole map
        </Button>
      }
    >
      {children}
    </Empty>
  );
}

function Failed(props: { error: EngineFailure; onRetry: () => void }) {
  const action = <Button onPress={clearMap}>Show the whole map</Button>;
  return <Failure error={props.error} action={action} onRetry={props.onRetry} />;
}
