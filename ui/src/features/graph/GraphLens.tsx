// Who uses what is chosen and what it uses, one step around, beside the code: drawn whole, and listed.

import "./drawing.css";
import "./graph-lens.css";
import { type CSSProperties, useEffect, useMemo, useRef, useState } from "react";
import { fillGraph } from "../../app/fill";
import { openCode } from "../../app/opened";
import type { LensProps, Selection } from "../../app/selection";
import { Button } from "../../components/controls";
import { count } from "../../components/format";
import { Empty, Failure, Loading } from "../../components/states";
import {
  type GraphNode,
  type GraphViewRequest,
  type GraphView as Neighbourhood,
  useGraphView,
} from "../../ipc";
import { Drawing } from "./Drawing";
import { LensTies } from "./LensTies";
import { asRequest, FIRST_KINDS, readPlace, shortName } from "./place";
import { AROUND, fittedTo } from "./tall";
import { useSize } from "./useSize";

/** More would be too small to read where it is drawn whole. */
const MOST_NODES = 16;

function requestOf({ repo, asOf, path, line, symbol }: Selection): GraphViewRequest {
  const focus = symbol ? { symbol, path, line } : { symbol: "", path };
  return {
    ...asRequest(repo, { ...readPlace({}), focus, kinds: FIRST_KINDS }),
    max_nodes: MOST_NODES,
    as_of: asOf,
  };
}

export function GraphLens({ selection }: LensProps) {
  const request = useMemo(() => requestOf(selection), [selection]);
  const view = useGraphView(request);
  const { path, symbol, repo } = selection;
  const fill = () => fillGraph(selection);
  if (view.isPending) return <Loading label="Laying out the graph" isLate />;
  if (view.isError) return <Failure error={view.error} onRetry={() => view.refetch()} />;
  if (view.data.focus === null) {
    return (
      <Empty action={<Button onPress={fill}>Open the graph</Button>}>
        The graph does not know <q>{shortName({ symbol: symbol ?? "", path })}</q>.
      </Empty>
    );
  }
  return <Around repo={repo} view={view.data} isStale={view.isPlaceholderData} onFill={fill} />;
}

interface Shown {
  repo: string;
  view: Neighbourhood;
  isStale: boolean;
  onFill: () => void;
}

function Around(props: Shown) {
  const { view } = props;
  const focus = view.nodes.find(({ id }) => id === view.focus);
  if (!focus) return null;
  if (view.nodes.length > 1) return <Neighbours {...props} focus={focus} />;
  return (
    <Empty action={<Button onPress={props.onFill}>Open the graph</Button>}>
      Nothing in this repository uses <span className="code">{focus.label}</span> or is used by it,
      types aside.
    </Empty>
  );
}

function Neighbours(props: Shown & { focus: GraphNode }) {
  const { repo, view, isStale, focus } = props;
  const pane = useRef<HTMLDivElement>(null);
  const size = useSize(pane);
  const drawn = useMemo(() => fittedTo(view, size), [view, size]);
  const [chosen, choose] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another focus, another choice
  useEffect(() => choose(null), [view.focus]);
  const selected = drawn.nodes.find(({ id }) => id === chosen) ?? focus;
  const open = (node: GraphNode, at?: number | null) => {
    if (node.kind === "cluster") props.onFill();
    else openCode({ repo, path: node.path, line: at ?? node.symbol?.name_line ?? 1 });
  };
  return (
    <div
      ref={pane}
      className="graph-lens"
      data-testid="graph-lens"
      style={{ "--stage": `${drawn.height + AROUND}px` } as CSSProperties}
    >
      <Drawing
        view={drawn}
        selected={selected}
        isStale={isStale}
        isWhole
        label={`Graph around ${focus.label}`}
        onSelect={(node) => choose(node.id)}
        onOpen={(node) => open(node)}
      />
      <div className="graph-lens-ties">
        <LensTies title="Used by" n={focus.callers} view={view} end="from" onOpen={open} />
        <LensTies title="Uses" n={focus.callees} view={view} end="to" onOpen={open} />
        {view.n_hidden > 0 && (
          <p className="small muted">
            {count(view.n_hidden)} more lie in groups. <kbd className="kbd">f</kbd> opens them all.
          </p>
        )}
      </div>
    </div>
  );
}
