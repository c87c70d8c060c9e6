// An edge: colour says what it is, the line how sure it is, an arrow which way.

import { memo } from "react";
import type { GraphEdge } from "../../ipc";
import { dotToDot, edgePath, type FarDot } from "./geometry";
import { KINDS } from "./place";
import { confidenceWords, KIND_WORDS, lineStyle } from "./words";

export const EdgeLine = memo(function EdgeLine(props: {
  edge: GraphEdge;
  /** What stands for nodes from afar, by their ids. */
  dots: ReadonlyMap<string, FarDot>;
  shift: number;
  isStrong: boolean;
  isDim: boolean;
}) {
  const { edge } = props;
  const path = edgePath(dotToDot(edge, props.dots));
  return (
    <g
      className="graph-edge"
      data-testid="graph-edge"
      transform={props.shift === 0 ? undefined : `translate(0 ${props.shift})`}
      data-kind={edge.kind}
      data-strong={props.isStrong || undefined}
      data-dim={props.isDim || undefined}
    >
      <path
        className="graph-edge-line"
        data-kind={edge.kind}
        data-style={lineStyle(edge)}
        d={path}
        markerEnd={`url(#graph-arrow-${edge.kind})`}
      />
      <path className="graph-edge-reach" d={path}>
        <title>{edgeWords(edge)}</title>
      </path>
    </g>
  );
});

function edgeWords(edge: GraphEdge): string {
  const sure = edge.confidence === "history" ? "" : ` (${confidenceWords(edge.confidence)})`;
  return `${edge.detail || KIND_WORDS[edge.kind].label}${sure}`;
}

/** A head for each colour: WebKit does not hand a line's colour to its arrow. */
export function EdgeMarkers() {
  return (
    <defs>
      {KINDS.map((kind) => (
        <marker
          key={kind}
          id={`graph-arrow-${kind}`}
          className="graph-arrow"
          data-kind={kind}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
          orient="auto-start-reverse"
        >
          <path d="M0 0.5 7.5 4 0 7.5z" />
        </marker>
      ))}
    </defs>
  );
}
