// What the pointer is on: the signature and the figures.

import { plural, sig3 } from "../../components/format";
import type { GraphNode } from "../../ipc";
import type { Size, Viewport } from "./viewport";
import { placeOf, riskLevel } from "./words";

const WIDTH = 320;
const GAP = 8;

export function HoverCard(props: { node: GraphNode; viewport: Viewport; size: Size }) {
  const { node, viewport, size } = props;
  const left = node.x * viewport.scale + viewport.x;
  const top = node.y * viewport.scale + viewport.y;
  const bottom = top + node.height * viewport.scale;
  const isLow = bottom > size.height * 0.6;
  const style = {
    left: Math.max(GAP, Math.min(left, size.width - WIDTH - GAP)),
    maxWidth: WIDTH,
    ...(isLow ? { bottom: size.height - top + GAP } : { top: bottom + GAP }),
  };
  return (
    <div className="graph-hover tooltip" style={style} aria-hidden="true">
      {node.kind === "cluster" ? (
        <p>{plural(node.group, "node")} not shown one by one. Click to show them.</p>
      ) : (
        <>
          <p className="code wrap">{node.symbol?.signature || node.label}</p>
          <p className="muted wrap">{placeOf(node)}</p>
          <p>
            {plural(node.callers, "caller")} · {plural(node.callees, "callee")} · PageRank{" "}
            {sig3(node.rank)}
          </p>
          <p>
            {riskLevel(node.risk)} risk: {node.risk_reason}
          </p>
        </>
      )}
    </div>
  );
}
