// A node of the drawing: its dot and its name; tests dashed, clusters as a pile.

import { memo } from "react";
import type { GraphNode } from "../../ipc";
import { INSET, labelStart } from "./labels";
import { Dot } from "./marks";

export const NodeBox = memo(function NodeBox(props: {
  node: GraphNode;
  isEnd: boolean;
  isSelected: boolean;
  /** Its name is written from afar, too. */
  isMajor: boolean;
  isDim: boolean;
}) {
  const { node } = props;
  const { width, height } = node;
  const middle = height / 2;
  const isCluster = node.kind === "cluster";
  return (
    <g
      className="graph-node"
      transform={`translate(${node.x} ${node.y})`}
      data-testid="graph-node"
      data-node={node.id}
      data-kind={node.kind}
      data-end={props.isEnd || undefined}
      data-selected={props.isSelected || undefined}
      data-major={props.isMajor || undefined}
      data-test={node.is_test || undefined}
      data-dim={props.isDim || undefined}
    >
      {isCluster && <rect className="graph-box pile" x={4} y={4} {...{ width, height }} rx={6} />}
      <rect className="graph-box" width={width} height={height} rx={6} />
      {!isCluster && <Dot node={node} x={INSET} y={middle} />}
      <text
        className="graph-label"
        x={labelStart(node)}
        y={middle}
        textAnchor={isCluster ? "middle" : "start"}
        dominantBaseline="central"
      >
        {node.label}
      </text>
    </g>
  );
});
