// The selected node's file at its lines, where the drawing was.

import { useMemo } from "react";
import { beginMemo, useScope } from "../../app/scope";
import type { LineSpan } from "../../components/CodeView";
import { Button } from "../../components/controls";
import { PathText } from "../../components/PathText";
import { PinnableCode } from "../../components/PinnableCode";
import { Failure, Loading } from "../../components/states";
import { useCodeLinks } from "../../components/useCodeLinks";
import { type GraphNode, type GraphView, usePreview } from "../../ipc";
import { placeOf } from "./words";

export function CodePane(props: {
  repo: string;
  view: GraphView;
  node: GraphNode;
  onClose: () => void;
}) {
  const { node } = props;
  const { scope } = useScope();
  const preview = usePreview(props.repo, node.path);
  const spans = useMemo(() => spansOf(props.view, node), [props.view, node]);
  const file = preview.data?.path === node.path ? preview.data : undefined;
  const { links } = useCodeLinks(props.repo, file?.path, null);
  return (
    <section className="graph-code" data-testid="graph-code" aria-label="Code">
      <header className="graph-code-head">
        <PathText className="code" path={placeOf(node)} />
        <span className="spacer" />
        <Button icon="graph" data-testid="graph-close-code" onPress={props.onClose}>
          Graph
        </Button>
      </header>
      {preview.isError && <Failure error={preview.error} onRetry={() => preview.refetch()} />}
      {!file && !preview.isError && <Loading label="Reading the file" />}
      {file && !preview.isError && (
        <PinnableCode
          file={file}
          spans={spans}
          links={links}
          onPin={(place) => beginMemo(place, scope)}
        />
      )}
    </section>
  );
}

/** The definition, and the lines in it that use others of the drawing. */
function spansOf(view: GraphView, node: GraphNode): LineSpan[] {
  const { symbol } = node;
  const uses = view.edges.flatMap((edge) =>
    edge.from === node.id && edge.line !== null
      ? [{ from: edge.line, to: edge.line, main: false }]
      : [],
  );
  const first = node.kind === "symbol" && symbol;
  const main = first
    ? { from: symbol.start_line, to: symbol.end_line, main: true }
    : { from: 1, to: 1, main: true };
  return [...uses, main];
}
