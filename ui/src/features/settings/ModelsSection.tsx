// Models of the lock file: what is here, what can be fetched, under which licence.

import { betterLines } from "../../components/better-lines";
import { Button, IconButton } from "../../components/controls";
import { bytes } from "../../components/format";
import { Icon, type IconName } from "../../components/Icon";
import { COMING } from "../../components/model-coming";
import { PathText } from "../../components/PathText";
import { Failure, FailureLine, Loading } from "../../components/states";
import {
  choosePath,
  copyText,
  type ModelProgress,
  type ModelSummary,
  useCancelPull,
  useImportModel,
  useModelProgress,
  useModels,
  usePullModel,
  useVerifyModel,
} from "../../ipc";
import { ModelComing } from "./ModelComing";
import { ModelUse } from "./ModelUse";
import { Section } from "./Section";
import { TokenVectorsChoice } from "./TokenVectorsChoice";
import { useVectorsOf } from "./useVectorsOf";

const STATES: Record<string, { word: string; icon: IconName; tone: string }> = {
  present: { word: "Downloaded", icon: "check", tone: "green" },
  absent: { word: "Not downloaded", icon: "download", tone: "plain" },
  damaged: { word: "Damaged", icon: "fail", tone: "red" },
};

export function ModelsSection() {
  const models = useModels();
  const progress = useModelProgress();
  return (
    <Section title="Models">
      {models.isPending && <Loading label="Reading models" />}
      {models.isError && <Failure error={models.error} onRetry={() => models.refetch()} />}
      <ul>
        {models.data?.map((model) => (
          <Model key={model.name} model={model} progress={progress[model.name]} />
        ))}
      </ul>
      <TokenVectorsChoice />
    </Section>
  );
}

function Model({ model, progress }: { model: ModelSummary; progress: ModelProgress | undefined }) {
  const pull = usePullModel();
  const cancel = useCancelPull();
  const verify = useVerifyModel();
  const taken = useImportModel();
  const { repos, begin } = useVectorsOf(model);
  const takeFrom = async () => {
    const folder = await choosePath("model-folder");
    if (folder) taken.mutateAsync({ name: model.name, folder }).then(begin, () => undefined);
  };
  const state = STATES[model.state] ?? { word: model.state, icon: "info", tone: "plain" };
  const coming = pull.isPending || taken.isPending;
  const busy = coming || (progress !== undefined && COMING.has(progress.stage));
  const ended = taken.error ?? pull.error ?? verify.error ?? cancel.error ?? progress?.error;
  // Who cancels knows it, and is told what became of it.
  const wasCancelled = ended?.code === "cancelled";
  return (
    <li className="model" data-testid="model" data-name={model.name} data-state={model.state}>
      <div className="model-head">
        <h3 className="code">{model.name}</h3>
        <span className="pill" data-tone={state.tone}>
          <Icon name={state.icon as IconName} />
          {state.word}
        </span>
        {model.chosen && model.state === "present" && (
          <span className="pill" data-tone="accent">
            In use
          </span>
        )}
        <span className="spacer" />
        {busy && (
          <Button icon="stop" data-testid="model-cancel" onPress={() => cancel.mutate(model.name)}>
            Cancel
          </Button>
        )}
        {!busy && model.state !== "present" && (
          <Button icon="folder" data-testid="model-import" onPress={takeFrom}>
            Choose folder
          </Button>
        )}
        {!busy && model.state !== "present" && !model.import_only && (
          <Button
            kind="primary"
            icon="download"
            data-testid="model-pull"
            onPress={() => pull.mutateAsync(model.name).then(begin, () => undefined)}
          >
            Download {bytes(model.size_bytes)}
          </Button>
        )}
        {!busy && model.state !== "absent" && (
          <Button
            icon="check"
            isDisabled={verify.isPending}
            onPress={() => verify.mutate(model.name)}
          >
            {verify.isPending ? "Verifying" : "Verify"}
          </Button>
        )}
      </div>
      <p>{model.description}</p>
      {isOffer(model) && <p data-testid="model-offer">{betterLines(repos)}</p>}
      {busy && <ModelComing progress={progress} isImport={taken.isPending} />}
      {taken.isSuccess && !busy && <p className="muted">Imported. Every file passed its check.</p>}
      {verify.isSuccess && verify.data.state === "present" && !busy && (
        <p className="muted">Every file matches its hash.</p>
      )}
      {!busy && <Missing model={model} />}
      <ModelUse model={model} />
      {wasCancelled && !busy && (
        <p className="muted" role="status">
          Cancelled; {ended.hint}.
        </p>
      )}
      <FailureLine error={wasCancelled ? null : ended} />
      <p className="model-facts muted">
        <span>{model.roles.join(", ")}</span>
        <span>{model.dimensions} dimensions</span>
        {!model.import_only && <span>{bytes(model.size_bytes)}</span>}
        <span>license {model.licence}</span>
      </p>
      {model.path && (
        <p className="model-path">
          <PathText className="code muted" path={model.path} />
          <IconButton icon="copy" label="Copy path" onPress={() => copyText(model.path ?? "")} />
        </p>
      )}
    </li>
  );
}

/** The one that makes the vectors, while it is not here. */
const isOffer = ({ chosen, state, roles }: ModelSummary) =>
  chosen && state === "absent" && roles.includes("bi-encoder");

/** What is wrong with its files, or where they come from when they cannot be downloaded. */
function Missing({ model }: { model: ModelSummary }) {
  if (model.problems.length > 0) {
    return (
      <ul className="model-problems" data-testid="model-problems">
        {model.problems.map((problem) => (
          <li key={problem} className="wrap">
            {problem}
          </li>
        ))}
      </ul>
    );
  }
  if (model.state !== "absent" || !model.import_only) return null;
  return (
    <p className="muted wrap">
      Download <span className="code">{model.upstream}</span> from Hugging Face, then choose the
      folder.
    </p>
  );
}
