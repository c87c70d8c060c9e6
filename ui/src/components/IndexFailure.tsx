// What failed of an index; one that is damaged or of another version is repaired from here.

import { type EngineFailure, useLiveJob, useStartIndex } from "../ipc";
import { Button } from "./controls";
import { Failure } from "./states";

const REPAIRABLE = ["index-damaged", "index-incompatible"];

export function IndexFailure(props: { repo: string; error: EngineFailure; onRetry: () => void }) {
  const { repo, error } = props;
  const start = useStartIndex();
  const isBusy = useLiveJob(repo) !== undefined || start.isPending;
  if (!REPAIRABLE.includes(error.code)) return <Failure error={error} onRetry={props.onRetry} />;
  const repair = (
    <Button
      kind="primary"
      data-testid="index-repair"
      isDisabled={isBusy}
      onPress={() => start.mutate({ repo })}
    >
      {isBusy ? "Repairing the index" : "Repair the index"}
    </Button>
  );
  return <Failure error={start.error ?? error} action={repair} onRetry={props.onRetry} />;
}
