// What can be done with the log of calls: keep it or not, write it to a file, clear it.

import { useState } from "react";
import { Button, Switch } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { plural } from "../../components/format";
import { FailureLine } from "../../components/states";
import { Written } from "../../components/Written";
import {
  type CallLog,
  chooseSavePath,
  useCalls,
  useClearCalls,
  useKeepCalls,
  useSaveCalls,
} from "../../ipc";

export function LogActions({ log }: { log: CallLog }) {
  const keep = useKeepCalls();
  const saving = useSaveCalls();
  const [clearing, setClearing] = useState(false);
  const [written, setWritten] = useState("");
  const save = async () => {
    const path = await chooseSavePath("whyrank-calls.jsonl");
    if (path) saving.mutate(path, { onSuccess: () => setWritten(path) });
  };
  return (
    <>
      <Switch
        isSelected={log.is_on}
        isDisabled={keep.isPending}
        onChange={(on) => keep.mutate(on)}
        data-testid="calls-keep"
      >
        Record calls
      </Switch>
      <Button
        kind="quiet"
        icon="download"
        isDisabled={saving.isPending}
        data-testid="calls-export"
        onPress={() => void save()}
      >
        Export
      </Button>
      <Button kind="quiet" icon="trash" data-testid="calls-clear" onPress={() => setClearing(true)}>
        Clear
      </Button>
      <FailureLine error={keep.error ?? saving.error} />
      {written !== "" && (
        <Written path={written} testid="calls-written" onClose={() => setWritten("")} />
      )}
      {clearing && <ClearDialog onClose={() => setClearing(false)} />}
    </>
  );
}

function ClearDialog({ onClose }: { onClose: () => void }) {
  const clear = useClearCalls();
  // All of it goes, whatever the list is narrowed to.
  const all = useCalls("", true);
  const kept = all.data ? plural(all.data.total.calls, "call") : "All calls";
  return (
    <Dialog title="Clear the log" onClose={onClose}>
      <p>
        {kept} with their answers are deleted from disk, of every client and session, and so is
        which agents have connected. An export stays.
      </p>
      <FailureLine error={clear.error} />
      <div className="dialog-actions">
        <Button onPress={onClose}>Keep the log</Button>
        <Button
          kind="danger"
          icon="trash"
          data-testid="calls-clear-confirm"
          isPending={clear.isPending}
          onPress={() => clear.mutate(null, { onSuccess: onClose })}
        >
          Clear the log
        </Button>
      </div>
    </Dialog>
  );
}
