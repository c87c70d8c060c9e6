// Asks before a memo goes for good.

import { Button } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { FailureLine } from "../../components/states";
import { type Memo, useMemoPurge } from "../../ipc";

export function PurgeDialog(props: { repo: string; memo: Memo; onClose: () => void }) {
  const purging = useMemoPurge(props.repo);
  const { memo } = props;
  return (
    <Dialog title="Delete this memo permanently?" onClose={props.onClose}>
      <p>
        Its {memo.n_versions} {memo.n_versions === 1 ? "version" : "versions"} are deleted and
        overwritten. There is no undo. To keep its history, end it instead.
      </p>
      <FailureLine error={purging.error} />
      <div className="dialog-actions">
        <Button onPress={props.onClose}>Keep</Button>
        <Button
          kind="danger"
          icon="trash"
          data-testid="memory-purge"
          isPending={purging.isPending}
          onPress={() => purging.mutate(memo.id, { onSuccess: props.onClose })}
        >
          Delete permanently
        </Button>
      </div>
    </Dialog>
  );
}
