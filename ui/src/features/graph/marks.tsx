// The small marks of the drawing, wherever they stand: the dot of a node, the line of an edge.

import type { GraphEdge, GraphEdgeKind, GraphNode } from "../../ipc";
import { arcPath } from "./geometry";
import { lineStyle, riskLevel } from "./words";

const LEAST_RADIUS = 3.5;
const MOST_RADIUS = 9;
/** An arc below this is a speck. */
const LEAST_RISK = 0.1;

/** Radius of a node's dot: its area grows with the PageRank. */
export function dotRadius(rank: number): number {
  return LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * Math.sqrt(Math.min(1, Math.max(0, rank)));
}

/** The dot, sized by PageRank; the arc around it covers as much of the circle as there is risk. */
export function Dot({ node, x, y }: { node: GraphNode; x: number; y: number }) {
  const radius = dotRadius(node.rank);
  return (
    <g className="graph-dot" data-test={node.is_test || undefined} data-kind={node.kind}>
      {node.kind === "file" || node.is_test ? (
        <rect
          x={x - radius * 0.85}
          y={y - radius * 0.85}
          width={radius * 1.7}
          height={radius * 1.7}
          rx={1.5}
        />
      ) : (
        <circle cx={x} cy={y} r={radius} />
      )}
      {node.risk >= LEAST_RISK && !node.is_test && (
        <path
          className="graph-ring"
          data-risk={riskLevel(node.risk)}
          d={arcPath({ x, y }, radius + 3, node.risk)}
        />
      )}
    </g>
  );
}

/** The dot by itself, in a line of text. */
export function DotMark({ node }: { node: GraphNode }) {
  return (
    <svg className="graph-dot-mark" viewBox="0 0 26 26" width="20" height="20" aria-hidden="true">
      {node.kind === "cluster" ? (
        <path className="graph-more" d="M8 13h10M13 8v10" />
      ) : (
        <Dot node={node} x={13} y={13} />
      )}
    </svg>
  );
}

/** A piece of line in the kind's colour. */
export function EdgeSample(props: {
  kind: GraphEdgeKind;
  edge?: Pick<GraphEdge, "confidence" | "is_back">;
}) {
  return (
    <svg className="graph-sample" viewBox="0 0 18 8" width="18" height="8" aria-hidden="true">
      <path
        className="graph-edge-line"
        data-kind={props.kind}
        data-style={props.edge ? lineStyle(props.edge) : "solid"}
        d="M1 4h16"
      />
    </svg>
  );
}
