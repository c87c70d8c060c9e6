// The neighbourhood as a drawing. The list beside it holds the same, for those who do not see it.

import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { IconButton } from "../../components/controls";
import { percent } from "../../components/format";
import type { GraphNode, GraphView } from "../../ipc";
import { EdgeLine, EdgeMarkers } from "./EdgeLine";
import { type ArrowDirection, type FarDot, neighbours, nextNode, shifts } from "./geometry";
import { HoverCard } from "./HoverCard";
import { INSET, LEGIBLE, readable } from "./labels";
import { dotRadius } from "./marks";
import { NodeBox } from "./NodeBox";
import { useSize } from "./useSize";
import { type Moves, useViewport } from "./useViewport";
import { spoken } from "./words";

const PAN_PX = 60;
/** What is written from afar is chosen anew by steps of the scale, not with each turn of the wheel. */
const SCALE_STEP = 0.05;

export interface NodeActions {
  onSelect: (node: GraphNode) => void;
  /** Opens it: a symbol becomes the focus, a cluster shows its nodes. */
  onOpen: (node: GraphNode) => void;
}

export function Drawing(
  props: NodeActions & {
    view: GraphView;
    selected: GraphNode | undefined;
    isStale: boolean;
    /** All of it stays in sight: what is selected is not moved to. */
    isWhole?: boolean;
    label: string;
  },
) {
  const { view, selected, isWhole = false } = props;
  const pane = useRef<HTMLDivElement>(null);
  const size = useSize(pane);
  const moves = useViewport(pane, size, view);
  const [hovered, setHovered] = useState<GraphNode>();
  const [isFocused, setFocused] = useState(false);
  const { x, y, scale } = moves.viewport;

  const show = useRef(moves.show);
  show.current = moves.show;
  useEffect(() => {
    if (selected && !isWhole) show.current(selected);
  }, [selected, isWhole]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another drawing has other nodes
  useEffect(() => setHovered(undefined), [view]);

  const nodeAt = (event: MouseEvent) => {
    const element = event.target instanceof Element ? event.target.closest("[data-node]") : null;
    const id = element?.getAttribute("data-node");
    return view.nodes.find((node) => node.id === id);
  };
  const onClick = (event: MouseEvent) => {
    const node = nodeAt(event);
    if (!node || moves.wasDragged()) return;
    if (node.kind === "cluster") props.onOpen(node);
    else props.onSelect(node);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const node = nodeAt(event);
    if (node && node.kind !== "cluster") props.onOpen(node);
  };
  return (
    <div className="graph-stage" data-stale={props.isStale || undefined}>
      <div
        ref={pane}
        className="graph-pane"
        data-testid="graph-drawing"
        // Arrow keys walk over the drawing, so a reader's own keys must not get in between.
        role="application"
        aria-label={`${props.label}. The list holds the same.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk over it
        tabIndex={0}
        onKeyDown={(event) => onDrawingKey(event, props, moves)}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        onPointerMove={(event) => setHovered(event.buttons ? undefined : nodeAt(event))}
        onPointerLeave={() => setHovered(undefined)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        <svg className="graph-svg" width={size.width} height={size.height} aria-hidden="true">
          <EdgeMarkers />
          <g
            transform={`translate(${x} ${y}) scale(${scale})`}
            data-far={scale < LEGIBLE || undefined}
            style={{ "--scale": scale } as CSSProperties}
          >
            <Content
              view={view}
              selected={selected?.id}
              strong={selected?.id === view.focus ? undefined : selected?.id}
              hovered={hovered?.id}
              far={farScale(scale)}
            />
          </g>
        </svg>
        {hovered && <HoverCard node={hovered} viewport={moves.viewport} size={size} />}
      </div>
      <div className="graph-zoom">
        <IconButton icon="minus" label="Zoom out (−)" onPress={moves.zoomOut} />
        <span className="small num" data-testid="graph-scale">
          {percent(scale)}
        </span>
        <IconButton icon="plus" label="Zoom in (+)" onPress={moves.zoomIn} />
        <IconButton
          icon="fit"
          label="Fit to view (0)"
          data-testid="graph-fit"
          onPress={moves.fitAll}
        />
      </div>
      <p className="visually-hidden" role="status">
        {isFocused && selected ? spoken(selected) : ""}
      </p>
    </div>
  );
}

/** Nodes and edges; not drawn again while the drawing is moved. */
function Content(props: {
  view: GraphView;
  selected: string | undefined;
  /** Whose edges stand out; those of the focus are most of the drawing. */
  strong: string | undefined;
  hovered: string | undefined;
  far: number | undefined;
}) {
  const { view, selected, strong, hovered, far } = props;
  return useMemo(() => {
    const near = hovered === undefined ? null : neighbours(view.edges, hovered);
    const aside = shifts(view.edges);
    const ends = [view.focus, view.to, selected];
    const major = far === undefined ? undefined : readable(view.nodes, far, ends);
    const dots = far === undefined ? NO_DOTS : dotsOf(view);
    const ofHovered = (id: string) => id === hovered;
    return (
      <>
        {view.edges.map((edge) => (
          <EdgeLine
            key={`${edge.from}\t${edge.to}\t${edge.kind}`}
            edge={edge}
            dots={dots}
            shift={aside.get(edge) ?? 0}
            isStrong={[edge.from, edge.to].some((id) => id === strong || ofHovered(id))}
            isDim={near !== null && !ofHovered(edge.from) && !ofHovered(edge.to)}
          />
        ))}
        {view.nodes.map((node) => (
          <NodeBox
            key={node.id}
            node={node}
            isEnd={node.id === view.focus || node.id === view.to}
            isSelected={node.id === selected}
            far={far}
            isMajor={major?.has(node.id) ?? false}
            isDim={near !== null && !near.has(node.id)}
          />
        ))}
      </>
    );
  }, [view, selected, strong, hovered, far]);
}

const NO_DOTS: ReadonlyMap<string, FarDot> = new Map();

/** Dots stand for all nodes but the ends and the clusters. */
function dotsOf({ nodes, focus, to }: GraphView): ReadonlyMap<string, FarDot> {
  const few = nodes.filter(({ id, kind }) => id !== focus && id !== to && kind !== "cluster");
  return new Map(
    few.map((node) => [
      node.id,
      { x: node.x + INSET, y: node.y + node.height / 2, radius: dotRadius(node.rank) },
    ]),
  );
}

/** The scale from below which a name is chosen; none where every name is written. */
function farScale(scale: number): number | undefined {
  if (scale >= LEGIBLE) return undefined;
  return Math.max(SCALE_STEP, Math.floor(scale / SCALE_STEP) * SCALE_STEP);
}

const ARROWS: Record<string, ArrowDirection> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

const PANS: Record<ArrowDirection, { x: number; y: number }> = {
  left: { x: PAN_PX, y: 0 },
  right: { x: -PAN_PX, y: 0 },
  up: { x: 0, y: PAN_PX },
  down: { x: 0, y: -PAN_PX },
};

function onDrawingKey(
  event: KeyboardEvent,
  { view, selected, onSelect, onOpen }: NodeActions & { view: GraphView; selected?: GraphNode },
  moves: Moves,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const way = ARROWS[event.key];
  if (way && event.shiftKey) moves.pan(PANS[way]);
  else if (way) {
    const from = selected ?? view.nodes[0];
    const next = from && nextNode(view.nodes, from, way);
    if (next) onSelect(next);
  } else if (event.key === "Enter" && selected) onOpen(selected);
  else if (event.key === "+" || event.key === "=") moves.zoomIn();
  else if (event.key === "-") moves.zoomOut();
  else if (event.key === "0") moves.fitAll();
  else return;
  event.preventDefault();
}
