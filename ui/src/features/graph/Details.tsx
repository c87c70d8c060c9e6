// The selected node: what it is, who uses it, what it uses, what a change of it risks.

import { type ReactNode, useState } from "react";
import { Button, IconButton } from "../../components/controls";
import { plural, sig3 } from "../../components/format";
import {
  copyText,
  type GraphEdge,
  type GraphNode,
  type GraphView,
  type SymbolLine,
} from "../../ipc";
import type { NodeActions } from "./Drawing";
import { DotMark, EdgeSample } from "./marks";
import { namedLine } from "./named";
import { type Named, nameKey } from "./place";
import { confidenceWords, fullName, nodeKind, placeOf, reference, riskLevel } from "./words";

const FIRST = 5;

export function Details(
  props: NodeActions & {
    view: GraphView;
    node: GraphNode;
    isCode: boolean;
    onCode: () => void;
    onFocus: (named: Named) => void;
  },
) {
  const { view, node } = props;
  const isEnd = node.id === view.focus;
  if (node.kind === "cluster") return <Cluster node={node} onOpen={props.onOpen} />;
  return (
    <section className="graph-details" aria-label="Selected" data-testid="graph-details">
      <header>
        <h2 className="code wrap">{fullName(node)}</h2>
        <span className="small muted">{nodeKind(node)}</span>
        {node.is_test && <span className="badge">test</span>}
      </header>
      {node.kind === "symbol" && node.symbol?.signature && (
        <p className="code graph-signature wrap">{node.symbol.signature}</p>
      )}
      <div className="graph-place">
        <button
          type="button"
          className="graph-link code ellipsis path-start"
          data-testid="graph-open-code"
          title={`${placeOf(node)} (v)`}
          aria-pressed={props.isCode}
          onClick={props.onCode}
        >
          <bdi>{placeOf(node)}</bdi>
        </button>
        <IconButton icon="copy" label="Copy path:line" onPress={() => copyText(reference(node))} />
        <span className="spacer" />
        {!isEnd && (
          <Button icon="focus" data-testid="graph-refocus" onPress={() => props.onOpen(node)}>
            Focus
          </Button>
        )}
      </div>
      <dl className="graph-facts">
        <Fact name="Risk">
          <b data-risk={riskLevel(node.risk)}>{riskLevel(node.risk)}</b>
          {node.risk_reason && <span className="muted"> · {node.risk_reason}</span>}
        </Fact>
        <Fact name="Tests">
          {node.is_test
            ? "is one itself"
            : node.tested > 0
              ? reachedBy(node.tested)
              : "none reaches it"}
        </Fact>
        <Fact name="PageRank">
          {sig3(node.rank)} <span className="muted">· the highest here has 1</span>
        </Fact>
        {node.changes !== null && <Fact name="Changes">{plural(node.changes, "commit")}</Fact>}
      </dl>
      {isEnd && view.chains.length === 0 && view.near.length > 0 && (
        <SameName near={view.near} onFocus={props.onFocus} />
      )}
      <Ties
        title="Callers"
        n={node.callers}
        view={view}
        edges={view.edges.filter((edge) => edge.to === node.id && edge.kind !== "co-change")}
        end="from"
        onSelect={props.onSelect}
      />
      <Ties
        title="Callees"
        n={node.callees}
        view={view}
        edges={view.edges.filter((edge) => edge.from === node.id && edge.kind !== "co-change")}
        end="to"
        onSelect={props.onSelect}
      />
    </section>
  );
}

/** The name alone does not say which is meant. */
function SameName(props: { near: SymbolLine[]; onFocus: (named: Named) => void }) {
  return (
    <section className="graph-ties">
      <h3>Same name</h3>
      <ul>
        {props.near.map((line) => (
          <li key={nameKey(namedLine(line))}>
            <button
              type="button"
              className="graph-tie"
              data-testid="graph-same-name"
              onClick={() => props.onFocus(namedLine(line))}
            >
              <span className="code ellipsis">{line.qualified}</span>
              <span className="spacer" />
              <span className="small muted ellipsis path-start">
                <bdi>
                  {line.path}:{line.name_line}
                </bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Cluster({ node, onOpen }: { node: GraphNode; onOpen: (node: GraphNode) => void }) {
  return (
    <section className="graph-details" aria-label="Selected" data-testid="graph-details">
      <h2 className="wrap">{node.label}</h2>
      <p className="muted">{plural(node.group, "node")} not shown one by one.</p>
      <div className="graph-place">
        <Button icon="plus" data-testid="graph-expand" onPress={() => onOpen(node)}>
          Show them
        </Button>
      </div>
    </section>
  );
}

function Ties(props: {
  title: string;
  n: number;
  view: GraphView;
  edges: GraphEdge[];
  end: "from" | "to";
  onSelect: (node: GraphNode) => void;
}) {
  const [isWhole, setWhole] = useState(false);
  const nodes = new Map(props.view.nodes.map((node) => [node.id, node]));
  const drawn = new Set(props.edges.map((edge) => edge[props.end])).size;
  const shown = isWhole ? props.edges : props.edges.slice(0, FIRST);
  return (
    <section className="graph-ties">
      <h3>
        {props.title} <span className="num">{props.n}</span>
        {drawn > 0 && drawn < props.n && <span className="small muted"> · {drawn} drawn</span>}
      </h3>
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
  const line = edge.line === null ? "" : ` · line ${edge.line}`;
  const unsure = ["resolved", "history"].includes(edge.confidence)
    ? ""
    : ` · ${confidenceWords(edge.confidence)}`;
  return `${edge.detail}${line}${unsure}`;
}

function reachedBy(n: number): string {
  return n === 1 ? "1 test reaches it" : `${n} tests reach it`;
}
