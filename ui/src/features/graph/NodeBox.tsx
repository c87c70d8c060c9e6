// A node of the drawing: its dot and its name; tests dashed, clusters as a pile.

import { memo } from "react";
import type { GraphNode } from "../../ipc";
import { farBox, INSET, labelStart } from "./labels";
import { Dot } from "./marks";

export const NodeBox = memo(function NodeBox(props: {
  node: GraphNode;
  isEnd: boolean;
  isSelected: boolean;
  /** The scale of a drawing that is seen from afar. */
  far: number | undefined;
  /** Its name is written from afar, too. */
  isMajor: boolean;
  isDim: boolean;
}) {
  const { node } = props;
  const middle = node.height / 2;
  const isCluster = node.kind === "cluster";
  const box = boxOf(node, props.isMajor ? props.far : undefined);
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
      {isCluster && <rect className="graph-box pile" {...box} x={box.x + 4} y={box.y + 4} />}
      <rect className="graph-box" {...box} />
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

/** As the layout has it; where the name is written larger than the rest, wide enough for it. */
function boxOf(node: GraphNode, far: number | undefined) {
  if (far === undefined) return { x: 0, y: 0, width: node.width, height: node.height, rx: 6 };
  const { left, right, top, bottom } = farBox(node, far);
  return { x: left, y: top, width: right - left, height: bottom - top, rx: 6 };
}
