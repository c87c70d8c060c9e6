// Rows of the lens: each leads to the line of the use.

import { type KeyboardEvent, type ReactNode, useState } from "react";
import { doubtOf, isCertain } from "../../components/certain";
import { count } from "../../components/format";
import { PathText } from "../../components/PathText";
import type { ImpactHit, RefHit, UseConfidence } from "../../ipc";

/** Rows of a section before one asks for the others. */
const FIRST_ROWS = 30;

export type Open = (path: string, line: number) => void;

export function Section(props: { title: string; count: number; children: ReactNode }) {
  return (
    <section className="impact-section" aria-label={props.title} onKeyDown={moveByArrow}>
      <h2 className="small">
        {props.title} <span className="muted">{count(props.count)}</span>
      </h2>
      {props.children}
    </section>
  );
}

export function CallerRows({ hits, onOpen }: { hits: ImpactHit[]; onOpen: Open }) {
  return (
    <Rows
      rows={hits}
      row={(hit) => (
        <Row
          key={`${hit.caller.path}:${hit.caller.name_line}:${hit.caller.qualified}`}
          name={hit.caller.qualified}
          path={hit.caller.path}
          line={hit.line}
          confidence={hit.confidence}
          about={wayOf(hit)}
          onOpen={onOpen}
        />
      )}
    />
  );
}

export function PlaceRows({ places, onOpen }: { places: RefHit[]; onOpen: Open }) {
  return (
    <Rows
      rows={places}
      row={(place) => (
        <Row
          key={`${place.path}:${place.line}:${place.kind}`}
          name={place.text || place.enclosing || place.kind}
          path={place.path}
          line={place.line}
          confidence={place.confidence}
          about={place.because || ""}
          onOpen={onOpen}
        />
      )}
    />
  );
}

function Rows<T>({ rows, row }: { rows: T[]; row: (of: T) => ReactNode }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  if (rows.length === 0) return null;
  return (
    <>
      <ul className="impact-rows">{shown.map(row)}</ul>
      {shown.length < rows.length && (
        <button type="button" className="link small" onClick={() => setWhole(true)}>
          Show {count(rows.length - shown.length)} more
        </button>
      )}
    </>
  );
}

export function Row(props: {
  name: string;
  path: string;
  line: number;
  confidence: UseConfidence;
  about: string;
  onOpen: Open;
}) {
  const { name, path, line, about } = props;
  const doubt = isCertain(props.confidence) ? "" : doubtOf(props.confidence);
  return (
    <li>
      <button
        type="button"
        className="impact-row"
        data-testid="impact-row"
        data-impact-row
        data-guess={doubt ? true : undefined}
        title={doubt ? `A guess: ${doubt}` : undefined}
        onClick={() => props.onOpen(path, line)}
      >
        <span className="code ellipsis impact-name">{name}</span>
        {doubt && <span className="small muted">a guess</span>}
        <PathText className="small muted" path={`${path}:${line}`} />
        {about && <span className="small muted ellipsis">{about}</span>}
      </button>
    </li>
  );
}

/** By what it comes to the definition, where that is more than a use of it. */
function wayOf(hit: ImpactHit): string {
  if (hit.ran) return hit.ran;
  if (hit.relation === "through") return "through what it overrides";
  if (hit.relation !== "uses") return hit.relation;
  return hit.depth > 1 ? `through ${hit.uses}` : "";
}

function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const lens = event.currentTarget.closest(".impact");
  if (by === 0 || !lens) return;
  const rows = [...lens.querySelectorAll<HTMLElement>("[data-impact-row]")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
