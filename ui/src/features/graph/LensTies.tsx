// Who uses the focus, or what it uses, calls first: each leads to the line where it does.

import { count } from "../../components/format";
import type { GraphEdge, GraphNode, GraphView } from "../../ipc";
import { EdgeSample } from "./marks";
import { KINDS } from "./place";
import { fullName, placeOf } from "./words";

export function LensTies(props: {
  title: string;
  n: number;
  view: GraphView;
  /** The end of an edge that is not the focus. */
  end: "from" | "to";
  onOpen: (node: GraphNode, line?: number | null) => void;
}) {
  const ties = tiesOf(props.view, props.end);
  if (ties.length === 0) return null;
  return (
    <section>
      <h2 className="minor">
        {props.title} <span className="num">{count(props.n)}</span>
      </h2>
      <ul>
        {ties.map(({ node, edge }) => (
          <li key={node.id}>
            <button
              type="button"
              className="graph-lens-tie"
              data-testid="graph-lens-tie"
              title={`${placeOf(node)}\n${edge.detail}`}
              // A use is read where it stands, what is used where it is defined.
              onClick={() => props.onOpen(node, props.end === "from" ? edge.line : null)}
            >
              <span className="code ellipsis">{fullName(node)}</span>
              <EdgeSample kind={edge.kind} edge={edge} />
              <span className="small muted ellipsis">{edge.detail}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Each node once, by what says most of it. */
function tiesOf(view: GraphView, end: "from" | "to"): { node: GraphNode; edge: GraphEdge }[] {
  const other = end === "from" ? "to" : "from";
  const edges = view.edges
    .filter((edge) => edge[other] === view.focus && edge[end] !== view.focus)
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.count - a.count);
  const firsts = new Map<string, GraphEdge>();
  for (const edge of edges) if (!firsts.has(edge[end])) firsts.set(edge[end], edge);
  const ties = [...firsts].flatMap(([id, edge]) => {
    const node = view.nodes.find((one) => one.id === id);
    return node ? [{ node, edge }] : [];
  });
  // What stands for many is no answer of its own.
  return [...ties.filter(isOne), ...ties.filter((tie) => !isOne(tie))];
}

const isOne = ({ node }: { node: GraphNode }) => node.kind !== "cluster";
