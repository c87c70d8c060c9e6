// The same as the drawing, as a tree. The tree has the focus; the selected row is its active
// descendant.

import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { Icon } from "../../components/Icon";
import { PathText } from "../../components/PathText";
import type { GraphEdge, GraphNode, GraphView } from "../../ipc";
import type { NodeActions } from "./Drawing";
import { DotMark, EdgeSample } from "./marks";
import { type FlatRow, flatten, rowsAbove, treeOf } from "./tree";
import { confidenceWords, fullName, lineOf, placeOf, reference, spoken, tieWords } from "./words";

const INDENT_PX = 14;

export function SideList(
  props: NodeActions & { view: GraphView; selected: GraphNode | undefined; isStale: boolean },
) {
  const { view, selected, onSelect, onOpen } = props;
  const tree = useMemo(() => treeOf(view), [view]);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [heading, setHeading] = useState<string>();
  const rows = useMemo(() => flatten(tree, closed), [tree, closed]);
  const name = useId();
  const box = useRef<HTMLDivElement>(null);
  const at = rowAt(rows, heading, selected);

  // What is selected in the drawing is seen in the list.
  useEffect(() => {
    setHeading(undefined);
    if (!selected) return;
    const above = rowsAbove(tree, selected.id);
    setClosed((old) => (above.some((key) => old.has(key)) ? without(old, above) : old));
  }, [selected, tree]);
  useEffect(() => {
    const row = box.current?.querySelector(`[id="${name}-${at}"]`);
    row?.scrollIntoView?.({ block: "nearest" });
  }, [at, name]);

  const choose = (row: FlatRow | undefined) => {
    if (row?.node) onSelect(row.node);
    setHeading(row?.key);
  };
  const toggle = (row: FlatRow) =>
    setClosed((old) => (row.isOpen ? new Set(old).add(row.key) : without(old, [row.key])));
  const open = (row: FlatRow) => (row.node ? onOpen(row.node) : toggle(row));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const row = rows[at];
    const next = rows[stepTo(event.key, at, rows.length)];
    if (event.key === "Enter" && row) open(row);
    else if (event.key === " " && row) row.children.length > 0 ? toggle(row) : open(row);
    else if (event.key === "ArrowRight" && row?.children.length) {
      if (row.isOpen) choose(rows[at + 1]);
      else toggle(row);
    } else if (event.key === "ArrowLeft" && row) {
      if (row.isOpen && row.children.length > 0) toggle(row);
      else choose(rows.find((one) => one.key === row.parent));
    } else if (next) choose(next);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={box}
      className="graph-tree"
      role="tree"
      aria-label="Symbols by direction and distance"
      aria-activedescendant={at >= 0 ? `${name}-${at}` : undefined}
      aria-busy={props.isStale}
      tabIndex={0}
      data-testid="graph-list"
      data-stale={props.isStale || undefined}
      onKeyDown={onKeyDown}
    >
      {rows.map((row, index) => (
        <Row
          key={row.key}
          id={`${name}-${index}`}
          row={row}
          isCurrent={index === at}
          onChoose={() => choose(row)}
          onOpen={() => open(row)}
          onToggle={() => toggle(row)}
        />
      ))}
    </div>
  );
}

function Row(props: {
  id: string;
  row: FlatRow;
  isCurrent: boolean;
  onChoose: () => void;
  onOpen: () => void;
  onToggle: () => void;
}) {
  const { row } = props;
  const { node } = row;
  const isCluster = node?.kind === "cluster";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys
    <div
      id={props.id}
      className="graph-row"
      role="treeitem"
      tabIndex={-1}
      aria-level={row.level}
      aria-setsize={row.n_siblings}
      aria-posinset={row.place}
      aria-selected={props.isCurrent}
      aria-expanded={row.children.length > 0 ? row.isOpen : undefined}
      data-testid={node ? "graph-row" : "graph-heading"}
      data-heading={node === null || undefined}
      data-node-id={node?.id}
      style={{ paddingInlineStart: 6 + (row.level - 1) * INDENT_PX }}
      onClick={isCluster ? props.onOpen : props.onChoose}
      onDoubleClick={isCluster ? undefined : props.onOpen}
    >
      <Twisty row={row} onToggle={props.onToggle} />
      {node ? <NodeCells node={node} row={row} /> : <b>{row.title}</b>}
      {!node && <span className="small muted num">{row.n_nodes}</span>}
    </div>
  );
}

function Twisty({ row, onToggle }: { row: FlatRow; onToggle: () => void }) {
  if (row.children.length === 0) return <span className="graph-twisty" />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tree opens rows by keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <span
      className="graph-twisty"
      data-open={row.isOpen || undefined}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Icon name="chevron" />
    </span>
  );
}

function NodeCells({ node, row }: { node: GraphNode; row: FlatRow }) {
  const isWay = row.parent?.startsWith("way:");
  const [tie] = row.ties;
  return (
    <>
      <span className="visually-hidden">
        {[spoken(node), tieWords(row.ties)].filter(Boolean).join(", ")}
      </span>
      <DotMark node={node} />
      <span className="code ellipsis graph-row-name" aria-hidden="true" title={fullName(node)}>
        {fullName(node)}
      </span>
      {node.is_test && (
        <span className="badge" aria-hidden="true">
          test
        </span>
      )}
      <span aria-hidden="true" className="small muted graph-row-path">
        <PathText path={node.kind === "cluster" ? "" : reference(node)} title={placeOf(node)} />
      </span>
      <span
        aria-hidden="true"
        className="small muted graph-row-ties"
        title={row.ties.map((one) => one.detail).join("\n")}
      >
        {tie && <EdgeSample kind={tie.kind} edge={tie} />}
        {tie && (isWay ? <StepText edge={tie} /> : tie.count)}
      </span>
    </>
  );
}

/** What a step of a way rests on: the line that uses the other, and how sure that is. */
function StepText({ edge }: { edge: GraphEdge }) {
  return (
    <span>
      {lineOf(edge) !== null && <span className="graph-row-line">line {lineOf(edge)}, </span>}
      {confidenceWords(edge.confidence)}
    </span>
  );
}

const PAGE = 10;

function stepTo(key: string, at: number, length: number): number {
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    PageDown: Math.min(length - 1, at + PAGE),
    PageUp: Math.max(0, at - PAGE),
    Home: 0,
    End: length - 1,
  };
  return steps[key] ?? -1;
}

/** The row one stands on: where one went last, or else the first of the selected node. */
function rowAt(rows: FlatRow[], key: string | undefined, selected: GraphNode | undefined): number {
  const exact = rows.findIndex((row) => row.key === key);
  return exact >= 0 ? exact : rows.findIndex((row) => row.node?.id === selected?.id);
}

function without(set: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> {
  return new Set([...set].filter((key) => !keys.includes(key)));
}
