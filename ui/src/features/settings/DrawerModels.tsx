// Models in the drawer of the status bar: what is on its way, the one that is chosen, and those that are here.

import { navigate } from "../../app/route";
import { Button } from "../../components/controls";
import { bytes } from "../../components/format";
import { COMING } from "../../components/model-coming";
import { Failure, FailureLine, Loading } from "../../components/states";
import {
  type ModelProgress,
  type ModelSummary,
  useCancelPull,
  useModelProgress,
  useModels,
  usePullModel,
} from "../../ipc";
import { ModelComing } from "./ModelComing";
import { useVectorsOf } from "./useVectorsOf";

export function DrawerModels({ onLeave }: { onLeave: () => void }) {
  const models = useModels();
  const progress = useModelProgress();
  const isShown = ({ name, state, chosen }: ModelSummary) =>
    chosen || state !== "absent" || COMING.has(progress[name]?.stage ?? "");
  const shown = models.data?.filter(isShown) ?? [];
  return (
    <section className="drawer-part" aria-labelledby="drawer-models" data-testid="drawer-models">
      <h2 id="drawer-models" className="minor">
        Models
      </h2>
      {models.isPending && <Loading label="Reading models" />}
      {models.isError && <Failure error={models.error} onRetry={() => models.refetch()} />}
      {models.data && shown.length === 0 && (
        <p className="muted">None is here. Static vectors come with Whyrank.</p>
      )}
      {shown.map((model) => (
        <Model key={model.name} model={model} progress={progress[model.name]} />
      ))}
      <div className="drawer-actions">
        <Button
          icon="settings"
          onPress={() => {
            onLeave();
            navigate({ view: "settings" });
          }}
        >
          All models
        </Button>
      </div>
    </section>
  );
}

function Model({ model, progress }: { model: ModelSummary; progress: ModelProgress | undefined }) {
  const pull = usePullModel();
  const cancel = useCancelPull();
  const { begin } = useVectorsOf(model);
  const isComing = pull.isPending || COMING.has(progress?.stage ?? "");
  const ended = pull.error ?? cancel.error ?? progress?.error;
  return (
    <div data-testid="drawer-model" data-state={model.state}>
      <div className="drawer-model">
        <span className="code ellipsis">{model.name}</span>
        <span className="small muted">{isComing ? "" : stateOf(model)}</span>
        {isComing && (
          <Button icon="stop" onPress={() => cancel.mutate(model.name)}>
            Cancel
          </Button>
        )}
        {!isComing && model.state === "absent" && !model.import_only && (
          <Button
            icon="download"
            data-testid="drawer-pull"
            onPress={() => pull.mutateAsync(model.name).then(begin, () => undefined)}
          >
            Download {bytes(model.size_bytes)}
          </Button>
        )}
      </div>
      {isComing && <ModelComing progress={progress} isImport={false} />}
      <FailureLine error={isComing || ended?.code === "cancelled" ? null : ended} />
    </div>
  );
}

function stateOf({ state, chosen }: ModelSummary): string {
  if (state === "present") return chosen ? "in use" : "downloaded";
  return state === "absent" ? "not downloaded" : state;
}
