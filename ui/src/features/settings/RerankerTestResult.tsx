// What a test of the reranker said.

import { ms } from "../../components/format";
import { Icon } from "../../components/Icon";
import { FailureLine } from "../../components/states";
import type { useTestReranker } from "../../ipc";

export function RerankerTestResult({ test }: { test: ReturnType<typeof useTestReranker> }) {
  if (test.isError) return <FailureLine error={test.error} />;
  if (!test.data) {
    return <span className="small muted">Sends two made-up snippets, none of your code.</span>;
  }
  return (
    <p className="reranker-result small" role="status" data-ok={test.data.ok}>
      <Icon name={test.data.ok ? "check" : "warn"} />
      <span>
        <b>{test.data.backend}</b>: {test.data.sentence}, {ms(test.data.elapsed_ms)}
        {test.data.answer && (
          <>
            {" "}
            · <code>{test.data.answer}</code>
          </>
        )}
      </span>
    </p>
  );
}
