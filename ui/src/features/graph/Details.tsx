// The selected node: what it is, who uses it, what it uses, what a change of it risks.

import { useEffect, useRef } from "react";
import { useScope } from "../../app/scope";
import { Button, IconButton } from "../../components/controls";
import { copyAndSay } from "../../components/copy";
import { Fact } from "../../components/Fact";
import { percent, plural } from "../../components/format";
import { OpenInEditor } from "../../components/OpenInEditor";
import { PathText } from "../../components/PathText";
import { toldApart } from "../../components/told-apart";
import type { GraphNode, GraphView, SymbolLine } from "../../ipc";
import type { NodeActions } from "./Drawing";
import { namedLine } from "./named";
import { type Named, nameKey } from "./place";
import { Ties } from "./Ties";
import { fullName, nodeKind, placeOf, reference, riskLevel } from "./words";

const MOST_TESTS = 3;

type DetailsProps = NodeActions & {
  view: GraphView;
  node: GraphNode;
  isCode: boolean;
  onCode: () => void;
  onFocus: (named: Named) => void;
};

export function Details(props: DetailsProps) {
  const { view, node } = props;
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another node is read from its top
  useEffect(() => {
    if (box.current) box.current.scrollTop = 0;
  }, [node.id]);
  /** What was pressed may be gone afterwards; the focus stays here. */
  const stay =
    <T,>(act: (on: T) => void) =>
    (on: T) => {
      act(on);
      box.current?.focus({ preventScroll: true });
    };
  const actions = { onSelect: stay(props.onSelect), onOpen: stay(props.onOpen) };
  return (
    <section
      ref={box}
      className="graph-details"
      aria-label="Selected"
      tabIndex={-1}
      data-testid="graph-details"
    >
      {node.kind === "cluster" ? (
        <Cluster node={node} onOpen={actions.onOpen} />
      ) : (
        <Definition {...props} {...actions} view={view} onFocus={stay(props.onFocus)} />
      )}
    </section>
  );
}

function Definition(props: DetailsProps) {
  const { view, node } = props;
  const { scope } = useScope();
  const isEnd = node.id === view.focus;
  const place = node.symbol;
  return (
    <>
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
          className="graph-link code"
          data-testid="graph-open-code"
          title={`${placeOf(node)} (v)`}
          aria-pressed={props.isCode}
          onClick={props.onCode}
        >
          <PathText path={placeOf(node)} title="" />
        </button>
        <IconButton
          icon="copy"
          label="Copy path:line"
          onPress={() => copyAndSay(reference(node))}
        />
        {place && <OpenInEditor repo={scope?.id} path={place.path} line={place.start_line} />}
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
          <Tests {...props} />
        </Fact>
        <Fact name="Importance">
          {percent(node.rank)} <span className="muted">of the highest (PageRank)</span>
        </Fact>
        {node.changes !== null && <Fact name="Changes">{plural(node.changes, "commit")}</Fact>}
      </dl>
      {isEnd && view.chains.length === 0 && view.near.length > 0 && (
        <SameName near={view.near} onFocus={props.onFocus} />
      )}
      <Ties
        key={`callers ${node.id}`}
        title="Used by"
        n={node.callers}
        view={view}
        edges={view.edges.filter((edge) => edge.to === node.id && edge.kind !== "co-change")}
        end="from"
        onSelect={props.onSelect}
      />
      <Ties
        key={`callees ${node.id}`}
        title="Uses"
        n={node.callees}
        view={view}
        edges={view.edges.filter((edge) => edge.from === node.id && edge.kind !== "co-change")}
        end="to"
        onSelect={props.onSelect}
      />
    </>
  );
}

/** How many tests reach it, and the nearest by name. */
function Tests({ node, onFocus }: DetailsProps) {
  if (node.is_test) return "is a test itself";
  if (node.tested === 0) return "no test reaches it";
  const tests = node.tests.slice(0, MOST_TESTS);
  const names = toldApart(
    tests.map(({ qualified, path, start_line }) => ({ name: qualified, path, line: start_line })),
  );
  return (
    <>
      {reachedBy(node.tested)}
      {tests.map((test, at) => (
        <button
          key={nameKey(namedLine(test))}
          type="button"
          className="graph-link code wrap"
          data-testid="graph-test"
          title={`${test.path}:${test.start_line}`}
          onClick={() => onFocus(namedLine(test))}
        >
          {names[at]}
        </button>
      ))}
    </>
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
              <PathText className="small muted" path={`${line.path}:${line.name_line}`} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Cluster({ node, onOpen }: { node: GraphNode; onOpen: (node: GraphNode) => void }) {
  return (
    <>
      <h2 className="wrap">{node.label}</h2>
      <p className="muted">{plural(node.group, "node")} not shown one by one.</p>
      <div className="graph-place">
        <Button icon="plus" data-testid="graph-expand" onPress={() => onOpen(node)}>
          Show them
        </Button>
      </div>
    </>
  );
}

function reachedBy(n: number): string {
  return n === 1 ? "1 test reaches it" : `${n} tests reach it`;
}
