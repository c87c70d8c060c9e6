// How far the download, import or check of a model is.

import { bytes } from "../../components/format";
import { COMING } from "../../components/model-coming";
import type { ModelProgress } from "../../ipc";

const STAGES: Record<string, string> = {
  waiting: "Waiting for another process",
  fetch: "Downloading",
  copy: "Importing",
  verify: "Verifying",
};

export function ModelComing({
  progress,
  isImport,
}: {
  progress: ModelProgress | undefined;
  isImport: boolean;
}) {
  // What is left from the time before is not this one's.
  const current = progress && COMING.has(progress.stage) ? progress : undefined;
  const total = current?.total_bytes ?? 0;
  const done = current?.done_bytes ?? 0;
  const stage = STAGES[current?.stage ?? (isImport ? "copy" : "fetch")] ?? "Downloading";
  const share = total > 0 ? (done / total) * 100 : undefined;
  return (
    <div className="pull">
      <div
        className="bar"
        role="progressbar"
        aria-label={stage}
        aria-valuenow={share === undefined ? undefined : Math.round(share)}
        data-unknown={share === undefined || undefined}
      >
        <i style={{ width: share === undefined ? "30%" : `${share}%` }} />
      </div>
      <span className="small muted wrap">
        {stage} {bytes(done)}
        {total > 0 && ` of ${bytes(total)}`}
        {current?.source && ` from ${current.source}`}
      </span>
    </div>
  );
}
