// The chosen row: why it is risky and its lines; beside that, the tests to run and the memos that drift.

import type { KeyboardEvent, RefObject } from "react";
import { openCode } from "../../app/opened";
import { Button, Segmented } from "../../components/controls";
import { OpenInEditor } from "../../components/OpenInEditor";
import { PathText } from "../../components/PathText";
import type { ReviewResponse } from "../../ipc";
import { BrokenFacts } from "./BrokenFacts";
import { DefinitionFacts } from "./DefinitionFacts";
import { Diff } from "./Diff";
import { DriftedMemos } from "./DriftedMemos";
import { type ChangeRow, diffPathOf, placeOf } from "./rows";
import { Notes } from "./Summary";
import { TestsToRun } from "./TestsToRun";
import { pathsOf } from "./words";

export type Part = "diff" | "tests" | "memos";

const PARTS: { value: Part; label: string }[] = [
  { value: "diff", label: "Change" },
  { value: "tests", label: "Tests to run" },
  { value: "memos", label: "Memos" },
];

export function Pane(props: {
  paneRef: RefObject<HTMLDivElement | null>;
  repo: string;
  reference: string;
  review: ReviewResponse;
  row: ChangeRow;
  part: Part;
  onPart: (part: Part) => void;
  /** Escape: back to the list. */
  onLeave: () => void;
}) {
  const { repo, reference, review, row, part } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    props.onLeave();
    event.preventDefault();
    event.stopPropagation();
  };
  const open = (path: string, line: number) => openCode({ repo, path, line });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leads back from all that is in it
    <div className="changes-pane" data-testid="changes-pane" onKeyDown={onKeyDown}>
      <div className="changes-parts-bar">
        <Segmented label="Shown" value={part} options={PARTS} onChange={props.onPart} />
      </div>
      <section
        // Another row begins at its head.
        key={row.id}
        ref={props.paneRef}
        className="changes-part"
        aria-label={labelOf(part)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
        tabIndex={0}
      >
        <Notes review={review} />
        {part === "tests" ? (
          <TestsToRun repo={repo} reference={reference} onOpen={open} />
        ) : part === "memos" ? (
          <DriftedMemos repo={repo} review={review} />
        ) : (
          <>
            <PlaceHead row={row} repo={repo} onOpen={open} />
            {row.kind === "symbol" && <DefinitionFacts of={row.symbol} onOpen={open} />}
            {row.kind === "broken" && <BrokenFacts of={row.broken} onOpen={open} />}
            {pathsOf(review).has(diffPathOf(row)) && (
              <Diff repo={repo} reference={reference} row={row} unread={unreadOf(review, row)} />
            )}
          </>
        )}
      </section>
    </div>
  );
}

const fileName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

const labelOf = (part: Part) => PARTS.find((one) => one.value === part)?.label ?? "";

const unreadOf = (review: ReviewResponse, row: ChangeRow) =>
  review.unread.find(({ path }) => path === diffPathOf(row))?.reason;

function PlaceHead(props: {
  row: ChangeRow;
  repo: string;
  onOpen: (path: string, line: number) => void;
}) {
  const { row, repo, onOpen } = props;
  const place = placeOf(row);
  const path = diffPathOf(row);
  return (
    <header className="changes-place">
      <div className="changes-main">
        {row.kind === "symbol" && <h2 className="code">{row.symbol.symbol.qualified}</h2>}
        {row.kind === "broken" && <h2>Broken imports of {fileName(row.path)}</h2>}
        <PathText
          className="small muted"
          path={place && place.line > 1 ? `${path}:${place.line}` : path}
        />
      </div>
      {place && (
        <>
          <Button kind="quiet" icon="code" onPress={() => onOpen(place.path, place.line)}>
            Open in Code
          </Button>
          <OpenInEditor path={place.path} line={place.line} repo={repo} />
        </>
      )}
    </header>
  );
}
