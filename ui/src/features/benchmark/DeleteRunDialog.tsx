// Deleting a run asks first, and says what is lost.

import { amend } from "../../app/route";
import { Button } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { count } from "../../components/format";
import { FailureLine } from "../../components/states";
import { type RunInfo, useBenchDelete } from "../../ipc";
import { runTitle } from "./subjects";

export function DeleteRunDialog(props: { run: RunInfo; onClose: (gone: boolean) => void }) {
  const { run, onClose } = props;
  const remove = useBenchDelete();
  const confirm = async () => {
    const gone = await remove.mutateAsync(run.id).then(
      () => true,
      () => false,
    );
    if (!gone) return;
    amend({ view: "benchmark" });
    onClose(true);
  };
  return (
    <Dialog title={`Delete ${runTitle(run)}`} onClose={() => onClose(false)}>
      <p>
        The run and its {count(run.n_done)} answers are deleted from disk. Exported reports stay.
      </p>
      <FailureLine error={remove.error} />
      <div className="dialog-actions">
        <Button onPress={() => onClose(false)}>Keep run</Button>
        <Button
          kind="danger"
          icon="trash"
          data-testid="bench-delete-confirm"
          isPending={remove.isPending}
          onPress={confirm}
        >
          Delete run
        </Button>
      </div>
    </Dialog>
  );
}
