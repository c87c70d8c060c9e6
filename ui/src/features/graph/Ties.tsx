// Who uses a node, or what it uses, as far as the drawing knows.

import { useState } from "react";
import { Button } from "../../components/controls";
import { count } from "../../components/format";
import type { GraphEdge, GraphNode, GraphView } from "../../ipc";
import { DotMark, EdgeSample } from "./marks";
import { confidenceWords, fullName, lineOf, placeOf } from "./words";

const FIRST = 5;

export function Ties(props: {
  title: string;
  n: number;
  view: GraphView;
  edges: GraphEdge[];
  end: "from" | "to";
  onSelect: (node: GraphNode) => void;
}) {
  const [isWhole, setWhole] = useState(false);
  const nodes = new Map(props.view.nodes.map((node) => [node.id, node]));
  const ends = new Set(props.edges.map((edge) => edge[props.end]));
  const drawn = [...ends].reduce((sum, id) => sum + Math.max(1, nodes.get(id)?.group ?? 0), 0);
  const shown = isWhole ? props.edges : props.edges.slice(0, FIRST);
  return (
    <section className="graph-ties">
      <h3>
        {props.title} <span className="num">{count(props.n)}</span>
        {drawn > 0 && drawn < props.n && (
          <span className="small muted"> · {count(drawn)} in this graph</span>
        )}
      </h3>
      {drawn === 0 && props.n > 0 && (
        <p className="small muted">None of them is in this graph. Focus it to see them.</p>
      )}
      <ul>
        {shown.map((edge) => {
          const node = nodes.get(edge[props.end]);
          if (!node) return null;
          return (
            <li key={`${node.id}\t${edge.kind}`}>
              <button
                type="button"
                className="graph-tie"
                title={placeOf(node)}
                onClick={() => props.onSelect(node)}
              >
                <DotMark node={node} />
                <span className="code ellipsis">{fullName(node)}</span>
                <span className="spacer" />
                <EdgeSample kind={edge.kind} edge={edge} />
                <span className="small muted ellipsis">{tieText(edge)}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {props.edges.length > FIRST && (
        <Button kind="quiet" onPress={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${props.edges.length}`}
        </Button>
      )}
    </section>
  );
}

function tieText(edge: GraphEdge): string {
  const place = lineOf(edge);
  const line = place === null ? "" : ` · line ${place}`;
  const unsure = ["resolved", "history"].includes(edge.confidence)
    ? ""
    : ` · ${confidenceWords(edge.confidence)}`;
  return `${edge.detail}${line}${unsure}`;
}
