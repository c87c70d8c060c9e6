// Removing a repository asks first, and says what is lost.

import { useState } from "react";
import { sayFailure, sayWithUndo } from "../../app/notices";
import { amend } from "../../app/route";
import { Button } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { bytes } from "../../components/format";
import { FailureLine } from "../../components/states";
import { type RepoSummary, useAddRepo, useRemoveRepo, useStartIndex } from "../../ipc";

export function RemoveDialog({ repo, onClose }: { repo: RepoSummary; onClose: () => void }) {
  const [deleteIndex, setDeleteIndex] = useState(true);
  const remove = useRemoveRepo();
  const add = useAddRepo();
  const startIndex = useStartIndex();
  /** Adds it again, and makes the index again where that was deleted. */
  const undo = async () => {
    try {
      const again = await add.mutateAsync(repo.root);
      if (deleteIndex && repo.chunks > 0) await startIndex.mutateAsync({ repo: again.id });
    } catch (error) {
      sayFailure(error as { message: string; hint?: string });
    }
  };
  const confirm = async () => {
    const gone = await remove.mutateAsync({ repo: repo.id, deleteIndex }).then(
      () => true,
      () => false,
    );
    if (!gone) return;
    amend({ view: "repositories" });
    sayWithUndo(`Removed ${repo.name}`, () => void undo());
    onClose();
  };
  return (
    <Dialog title={`Remove ${repo.name}`} onClose={onClose}>
      <p>This removes the repository from Whyrank. Its folder and files stay untouched.</p>
      <label className="check">
        <input
          type="checkbox"
          checked={deleteIndex}
          onChange={(event) => setDeleteIndex(event.target.checked)}
        />
        Also delete the index ({bytes(repo.index_bytes)}), unless another worktree uses it
      </label>
      <FailureLine error={remove.error} />
      <div className="dialog-actions">
        <Button onPress={onClose}>Keep repository</Button>
        <Button
          kind="danger"
          icon="trash"
          isPending={remove.isPending}
          data-testid="remove-confirm"
          onPress={confirm}
        >
          Remove repository
        </Button>
      </div>
    </Dialog>
  );
}
