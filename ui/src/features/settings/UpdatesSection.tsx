// Which version runs, whether there is a newer one, and who installs it.

import { preferences } from "../../app/preferences";
import { Button, Switch } from "../../components/controls";
import { bytes } from "../../components/format";
import { FailureLine } from "../../components/states";
import {
  type UpdateOffer,
  useAppInfo,
  useCancelUpdate,
  useInstallUpdate,
  useUpdateOffer,
  useUpdateProgress,
  useUpdateState,
} from "../../ipc";
import { Section } from "./Section";

export function UpdatesSection() {
  const info = useAppInfo();
  const state = useUpdateState();
  const by = state.data?.by;
  return (
    <Section title="Updates">
      <p data-testid="update-version">
        Whyrank {info.data?.version}
        {by === "builder" && ", built from source. To update it, pull and build again."}
      </p>
      {state.data?.failed && (
        <p role="status" data-testid="update-failed">
          {state.data.failed} did not start; this version is back. Nothing else was changed.
        </p>
      )}
      <FailureLine error={state.error ?? info.error} />
      {(by === "itself" || by === "package-manager") && (
        <Offer installs={by === "itself"} failed={state.data?.failed ?? null} />
      )}
    </Section>
  );
}

function Offer({ installs, failed }: { installs: boolean; failed: string | null }) {
  const { updates } = preferences.use();
  const offer = useUpdateOffer(updates);
  return (
    <>
      <div className="desktop-switches">
        <Switch
          isSelected={updates}
          onChange={(on) => preferences.set({ updates: on })}
          data-testid="update-daily"
        >
          Check for updates when the window opens, and daily
        </Switch>
        <Button
          icon="refresh"
          isDisabled={offer.isFetching}
          onPress={() => void offer.refetch()}
          data-testid="update-check"
        >
          {offer.isFetching ? "Checking" : "Check for updates"}
        </Button>
      </div>
      <p className="small muted">
        A check asks the project's release page for the newest version and sends nothing about you.
      </p>
      {offer.data === null && !offer.isFetching && (
        <p role="status" data-testid="update-none">
          You have the latest version.
        </p>
      )}
      {offer.data && <NewVersion offer={offer.data} installs={installs} failed={failed} />}
      <FailureLine error={offer.error} />
    </>
  );
}

function NewVersion(props: { offer: UpdateOffer; installs: boolean; failed: string | null }) {
  const { version, notes } = props.offer;
  const install = useInstallUpdate();
  const cancel = useCancelUpdate();
  const progress = useUpdateProgress();
  const wasCancelled = install.error?.code === "cancelled";
  return (
    <div data-testid="update-offer">
      <p>
        <strong>{version}</strong> is there.
        {!props.installs && " Install it the way you installed this one."}
        {props.failed === version && " It did not start when it was last installed."}
      </p>
      {notes && <p>{notes}</p>}
      {props.installs && !install.isPending && (
        <Button
          kind="primary"
          icon="download"
          onPress={() => install.mutate()}
          data-testid="update-install"
        >
          Install and restart
        </Button>
      )}
      {install.isPending && (
        <p className="desktop-switches" role="status" data-testid="update-progress">
          {progress ? downloaded(progress.done_bytes, progress.total_bytes) : "Starting"}
          <Button icon="stop" onPress={() => cancel.mutate()}>
            Cancel
          </Button>
        </p>
      )}
      {wasCancelled && <p role="status">Cancelled; nothing was changed.</p>}
      <FailureLine error={wasCancelled ? null : install.error} />
    </div>
  );
}

function downloaded(done: number, total: number | null): string {
  return total ? `${bytes(done)} of ${bytes(total)}` : bytes(done);
}
