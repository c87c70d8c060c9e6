// Ranks from stage to stage: who rose, who fell, and where. Each line ends at its hit's name.

import { useState } from "react";
import { Empty } from "../../components/states";
import type { Trace } from "../../ipc";
import { rowKey } from "./arithmetic";
import { BumpLabels } from "./BumpLabels";
import { BumpLines } from "./BumpLines";
import { LABEL_PX, linesOf, MAX_LINES, SIDES, spread, stagesOf } from "./bump";
import { useBox } from "./useBox";

export function BumpChart(props: {
  trace: Trace;
  chosen: string | undefined;
  onChoose: (key: string) => void;
}) {
  const { trace, chosen, onChoose } = props;
  const [hovered, setHovered] = useState<string>();
  const [host, box] = useBox({ width: 700, height: 420 });
  const names = Math.min(320, Math.max(150, box.width * 0.24));
  const width = Math.max(200, box.width - SIDES.left - SIDES.right - names);
  const height = Math.max(160, box.height - SIDES.head - SIDES.foot);
  const nLines = Math.min(MAX_LINES, Math.floor(height / LABEL_PX) + 1);
  const rows = trace.rows.filter((row) => row.shown).slice(0, nLines);
  if (rows.length === 0) return <Empty>No result was shown.</Empty>;
  const stages = stagesOf(trace);
  const lines = linesOf(rows, stages, width, height);
  const ends = lines.map((line) => line.points.findLast((point) => point)?.y ?? height);
  const drawn = {
    stages,
    lines,
    width,
    height,
    pointed: hovered ?? chosen,
    onPoint: setHovered,
    onChoose,
  };
  return (
    <div className="bump">
      <div className="bump-drawing" ref={host}>
        <BumpLines {...drawn} />
        <BumpLabels
          {...drawn}
          names={names}
          places={spread(ends, LABEL_PX, height)}
          chosen={chosen}
        />
      </div>
      {chosen !== undefined && !rows.some((row) => rowKey(row) === chosen) && (
        <p className="visually-hidden">The selected result is not among those drawn.</p>
      )}
    </div>
  );
}
