// What the reranker does to the answer, above the hits: at work, moved with undo, or why it did not.

import { Button } from "../../components/controls";
import { Icon } from "../../components/Icon";
import type { Reranking } from "./useReranking";

export function RerankNotice({ reranking }: { reranking: Reranking | undefined }) {
  if (!reranking || reranking.state === "idle") return null;
  return (
    <div
      className="rerank-notice small"
      role="status"
      data-testid="rerank-notice"
      data-state={reranking.state}
    >
      <Words reranking={reranking} />
    </div>
  );
}

function Words({ reranking }: { reranking: Reranking }) {
  const { progress, settings, answer } = reranking;
  const note = answer?.rerank;
  switch (reranking.state) {
    case "working": {
      const part = progress && progress.total > 1 && progress.done < progress.total;
      return (
        <>
          <span className="spinner" aria-hidden="true" />
          <span className="rerank-words">
            {settings.mode === "http"
              ? `${settings.endpoint_model} reads snippets of the top results`
              : "A model on this machine reads the best hits"}
            {part && (
              <span className="muted">
                {" "}
                · part {progress.done + 1} of {progress.total}
              </span>
            )}
          </span>
          <Button kind="quiet" icon="stop" onPress={reranking.stop}>
            Stop
          </Button>
        </>
      );
    }
    case "moved":
      return (
        <>
          <Icon name="swap" />
          <span className="rerank-words" title={note?.backend}>
            <b>Reranked</b>
            <span className="muted"> · {note?.sentence}</span>
          </span>
          <Button kind="quiet" data-testid="rerank-undo" onPress={reranking.undo}>
            Undo
          </Button>
        </>
      );
    case "undone":
      return (
        <>
          <Icon name="info" />
          <span className="rerank-words">
            Fused order <span className="muted">· {note?.n_moved} hits go elsewhere reranked</span>
          </span>
          <Button kind="quiet" data-testid="rerank-redo" onPress={reranking.redo}>
            Show reranked
          </Button>
        </>
      );
    default:
      return (
        <>
          <Icon name={note?.complete ? "check" : "warn"} />
          <span className="rerank-words" title={note?.sentence ?? reranking.error}>
            Reranker: <span className="muted">{note?.sentence ?? reranking.error}</span>
          </span>
          {!note?.complete && (
            <Button kind="quiet" icon="refresh" onPress={reranking.again}>
              Try again
            </Button>
          )}
        </>
      );
  }
}
