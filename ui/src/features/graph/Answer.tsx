// What was found: the drawing or the code, beside it the list and what is selected.

import { useEffect, useRef, useState } from "react";
import { useRoute } from "../../app/route";
import { sentence } from "../../components/format";
import { Split } from "../../components/Splitter";
import { useKeys } from "../../components/useKeys";
import type { GraphNode, GraphView } from "../../ipc";
import { CodePane } from "./CodePane";
import { Drawing } from "./Drawing";
import { Foot } from "./Foot";
import { namedNode } from "./named";
import { SidePane } from "./SidePane";
import type { Steps } from "./usePlace";

export function Answer(props: { repo: string; steps: Steps; view: GraphView; isStale: boolean }) {
  const { repo, steps, view, isStale } = props;
  const { place, change, focus } = steps;
  const { params } = useRoute();
  const [isCode, setCode] = useState(params.code === "1");
  // Who asked for the code of another symbol gets it, whatever was shown before.
  useEffect(() => {
    if (params.code === "1") setCode(true);
  }, [params]);
  const [outside, setOutside] = useState<GraphNode>();
  const closeCode = () => setCode(false);
  useKeys({ v: () => setCode(!isCode), ...(isCode && { Escape: closeCode }) });
  useFocusOfStage(isCode);
  const inView = view.nodes.find((node) => node.id === (place.node ?? view.focus));
  // A row of the impact table may lie outside the drawing.
  const selected = outside?.id === place.node ? outside : (inView ?? view.nodes[0]);
  const select = (node: GraphNode) => {
    setOutside(view.nodes.some((one) => one.id === node.id) ? undefined : node);
    if (node.id !== place.node) change({ node: node.id });
  };
  const open = (node: GraphNode) => {
    const named = namedNode(node);
    if (named) focus(named);
    else change({ expanded: [...place.expanded, node.id], node: null });
  };
  const actions = { onSelect: select, onOpen: open };
  return (
    <>
      <Ways view={view} isAsked={place.to !== null} />
      <Split
        id="graph"
        share={0.64}
        first={
          isCode && selected && selected.kind !== "cluster" ? (
            <CodePane repo={repo} view={view} node={selected} onClose={closeCode} />
          ) : (
            <Drawing
              {...actions}
              view={view}
              selected={selected}
              isStale={isStale}
              label={drawingLabel(view, place.to !== null)}
            />
          )
        }
        second={
          <SidePane
            {...actions}
            repo={repo}
            place={place}
            view={view}
            selected={selected}
            isStale={isStale}
            isCode={isCode}
            onCode={() => setCode(!isCode)}
            onFocus={focus}
          />
        }
      />
      <Foot
        view={view}
        isStale={isStale}
        isWay={place.to !== null}
        n_expanded={place.expanded.length}
        onFold={() => change({ expanded: [], node: null })}
      />
    </>
  );
}

/** Whether there is a way at all; where there is none, what is shown in its place. */
function Ways({ view, isAsked }: { view: GraphView; isAsked: boolean }) {
  if (!isAsked || view.notes.length === 0) return null;
  return (
    <p className="graph-ways" role="status" data-testid="graph-ways">
      {view.notes.map(sentence).join(" ")}
    </p>
  );
}

function drawingLabel(view: GraphView, isWay: boolean): string {
  const focus = view.nodes.find((node) => node.id === view.focus)?.label ?? "the focus";
  const end = view.nodes.find((node) => node.id === view.to)?.label;
  if (isWay && end) return `Graph of the paths from ${focus} to ${end}`;
  return `Graph of ${focus} and ${view.nodes.length - 1} around it`;
}

/** Drawing and code take each other's place, and with it the focus. */
function useFocusOfStage(isCode: boolean): void {
  const before = useRef(isCode);
  useEffect(() => {
    if (before.current === isCode) return;
    before.current = isCode;
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(".graph-pane, .graph-code .button")?.focus();
  }, [isCode]);
}
