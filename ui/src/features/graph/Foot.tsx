// How to read the drawing, and what it leaves out.

import { Button } from "../../components/controls";
import { plural, sentence } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { GraphView } from "../../ipc";

export function Foot(props: {
  view: GraphView;
  isStale: boolean;
  /** Notes about ways stand above the drawing. */
  isWay: boolean;
  n_expanded: number;
  onFold: () => void;
}) {
  const { view } = props;
  const n_nodes = view.nodes.filter((node) => node.kind !== "cluster").length;
  return (
    <footer className="graph-foot small">
      <span role="status" data-testid="graph-count">
        {props.isStale
          ? "loading"
          : `${plural(n_nodes, "node")}, ${plural(view.edges.length, "edge")}`}
      </span>
      {props.n_expanded > 0 && (
        <Button kind="quiet" data-testid="graph-fold" onPress={props.onFold}>
          Fold clusters
        </Button>
      )}
      {!props.isWay &&
        view.notes.map((note) => (
          <span key={note} className="graph-note" data-testid="graph-note">
            <Icon name="info" />
            {sentence(note)}
          </span>
        ))}
      <span className="spacer" />
      <Legend />
    </footer>
  );
}

function Legend() {
  return (
    <ul className="graph-legend" aria-label="Legend">
      <li>
        <svg viewBox="0 0 26 14" width="26" height="14" aria-hidden="true" className="graph-dot">
          <circle cx="5" cy="7" r="3" />
          <circle cx="18" cy="7" r="6" />
        </svg>
        PageRank
      </li>
      <li>
        <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
          <path className="graph-ring" data-risk="high" d="M7 2a5 5 0 1 1-5 5" />
        </svg>
        risk
      </li>
      <li>
        <Line style="solid" />
        resolved
      </li>
      <li>
        <Line style="dotted" />
        name match or ambiguous
      </li>
      <li>
        <Line style="dashed" />
        backward
      </li>
      <li>
        <svg
          viewBox="0 0 18 12"
          width="18"
          height="12"
          aria-hidden="true"
          className="graph-node"
          data-test
        >
          <rect className="graph-box" x="1" y="1" width="16" height="10" rx="3" />
        </svg>
        test
      </li>
    </ul>
  );
}

function Line({ style }: { style: string }) {
  return (
    <svg viewBox="0 0 20 8" width="20" height="8" aria-hidden="true">
      <path className="graph-edge-line" data-kind="call" data-style={style} d="M1 4h18" />
    </svg>
  );
}
