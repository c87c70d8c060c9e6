// A call with the answer as the agent saw it.

import { navigate } from "../../app/route";
import { Button, IconButton } from "../../components/controls";
import { FailureLine } from "../../components/states";
import { useCallDetail } from "../../ipc";
import { ago, written } from "./words";

export function CallAnswer({ id, onClose }: { id: number; onClose: () => void }) {
  const detail = useCallDetail(id);
  const line = detail.data?.line;
  return (
    <aside
      className="call-answer"
      aria-label="Answer"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <header className="call-answer-head">
        <strong>{line ? line.tool : `Call ${id}`}</strong>
        {line && (
          <span className="muted">
            {line.client}, {ago(line.at_ms, Date.now())}
          </span>
        )}
        <span className="spacer" />
        {line?.query_id && (
          <Button
            icon="explain"
            onPress={() => navigate({ view: "explain", id: line.query_id ?? "" })}
          >
            Explain
          </Button>
        )}
        <IconButton icon="close" label="Close" onPress={onClose} />
      </header>
      {detail.error && <FailureLine error={detail.error} />}
      {detail.data && (
        <>
          <pre className="call-args">{written(detail.data.line.args)}</pre>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard */}
          <pre className="call-text" data-testid="call-text" tabIndex={0}>
            {detail.data.text === ""
              ? "This answer is no longer kept: only the latest 500 are."
              : detail.data.text}
          </pre>
        </>
      )}
    </aside>
  );
}
