// A small panel under a line of code: the lines of what a name means, or the places that use it.

import "./peek.css";
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { showInGraph } from "../app/route";
import type { SymbolLine } from "../ipc";
import { type CodeLink, type OpenPlace, type Peeked, placeOf } from "./code-links";
import { Button, IconButton } from "./controls";
import { plural } from "./format";
import { PathText } from "./PathText";
import { PeekLines } from "./PeekLines";
import { PeekUses } from "./PeekUses";

export function Peek(props: {
  peeked: Peeked;
  repo: string;
  asOf: string | null;
  onOpen: OpenPlace;
  onUses: () => void;
  onClose: () => void;
  /** Its height is another. */
  onResize: () => void;
}) {
  const { repo, asOf } = props;
  const { link, what } = props.peeked;
  const [target] = link.targets;
  const panel = useRef<HTMLElement>(null);
  useResize(panel, props.onResize);
  if (!target) return null;
  const open = () => props.onOpen(placeOf(target));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") props.onClose();
    else if (event.key === "ArrowDown") moveFocus(panel.current, 1);
    else if (event.key === "ArrowUp") moveFocus(panel.current, -1);
    else if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    else return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section
      className="peek"
      ref={panel}
      tabIndex={-1}
      aria-label={labelOf(props.peeked, target)}
      data-testid="peek"
      data-what={what}
      onKeyDown={onKeyDown}
    >
      <Head link={link} what={what} target={target} onClose={props.onClose}>
        {what === "definition" && (
          <Button kind="quiet" data-testid="peek-uses" onPress={props.onUses}>
            Uses
          </Button>
        )}
        {what === "uses" && (
          <Button kind="quiet" icon="graph" onPress={() => showInGraph(nodeOf(target))}>
            Graph
          </Button>
        )}
        {what !== "choice" && !link.own && (
          <Button kind="quiet" icon="right" data-testid="peek-go" onPress={open}>
            Go to it
          </Button>
        )}
      </Head>
      {what === "definition" && <PeekLines {...{ repo, asOf, target }} />}
      {what === "uses" && <PeekUses {...{ repo, asOf, target }} onOpen={props.onOpen} />}
      {what === "choice" && <Choices targets={link.targets} onOpen={props.onOpen} />}
    </section>
  );
}

function Head(props: {
  link: CodeLink;
  what: Peeked["what"];
  target: SymbolLine;
  onClose: () => void;
  children: ReactNode;
}) {
  const { link, what, target } = props;
  return (
    <header className="peek-head small">
      {what === "choice" ? (
        <span>{plural(link.targets.length, "definition")} that it may mean</span>
      ) : (
        <>
          <span className="muted">{what === "uses" ? "Uses of" : target.kind}</span>
          <span className="code ellipsis">{target.qualified}</span>
          {!link.own && <PathText className="muted" path={`${target.path}:${target.name_line}`} />}
        </>
      )}
      {!link.certain && <span className="peek-guess">a guess</span>}
      <span className="spacer" />
      {props.children}
      <IconButton icon="close" label="Close (Esc)" onPress={props.onClose} />
    </header>
  );
}

/** Several definitions bear the name, and nothing tells which is meant. */
function Choices({ targets, onOpen }: { targets: SymbolLine[]; onOpen: OpenPlace }) {
  return (
    <ul className="peek-rows">
      {targets.map((target) => (
        <li key={`${target.path}:${target.name_line}`}>
          <button
            type="button"
            className="peek-row"
            data-peek-row
            onClick={() => onOpen(placeOf(target))}
          >
            <span className="code ellipsis">{target.signature || target.qualified}</span>
            <PathText className="muted" path={`${target.path}:${target.name_line}`} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function nodeOf({ qualified, path, name_line }: SymbolLine) {
  return { symbol: qualified, path, start_line: name_line };
}

function labelOf({ what, link }: Peeked, { name }: SymbolLine): string {
  if (what === "uses") return `Uses of ${name}`;
  if (what === "choice") return `${link.targets.length} definitions of ${name}`;
  return `Definition of ${name}`;
}

function moveFocus(panel: HTMLElement | null, by: 1 | -1): void {
  const rows = [...(panel?.querySelectorAll<HTMLElement>("[data-peek-row]") ?? [])];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
  next?.focus();
}

/** The code below moves with the panel. */
function useResize(of: React.RefObject<HTMLElement | null>, onResize: () => void): void {
  const told = useRef(onResize);
  told.current = onResize;
  useLayoutEffect(() => {
    told.current();
    if (!of.current || !("ResizeObserver" in window)) return;
    const observer = new ResizeObserver(() => told.current());
    observer.observe(of.current);
    return () => observer.disconnect();
  }, [of]);
}
