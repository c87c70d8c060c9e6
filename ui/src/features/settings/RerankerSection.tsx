// The reranker: who ranks, what it may read, and a test that says what failed.

import { useEffect, useState } from "react";
import { Choice } from "../../components/Choice";
import { Button, Segmented, Switch } from "../../components/controls";
import { ms } from "../../components/format";
import { Icon } from "../../components/Icon";
import { NumberField } from "../../components/NumberField";
import { FailureLine, Loading } from "../../components/states";
import {
  choosePath,
  type RerankSettings,
  useDefaultSettings,
  useModels,
  useSetSettings,
  useSettings,
  useTestReranker,
} from "../../ipc";
import { Section } from "./Section";

const MODES = [
  { value: "off", label: "Off" },
  { value: "local", label: "Model on this machine" },
  { value: "http", label: "Endpoint" },
] as const;

const WHAT: Record<RerankSettings["mode"], string> = {
  off: "Results keep their fused order.",
  local:
    "A language model reads the top results on this machine, which takes seconds to minutes. The fused order shows at once; the reranked one follows. Nothing leaves the machine.",
  http: "The fused order shows at once; the reranked one follows.",
};

const NUMBERS: [
  key: "top_n" | "snippet_tokens" | "time_limit_s" | "agents_wait_s",
  label: string,
  least: number,
  most: number,
][] = [
  ["top_n", "Results to rerank", 2, 100],
  ["snippet_tokens", "Tokens per result, max", 16, 4096],
  ["time_limit_s", "Time limit (s)", 1, 3600],
  ["agents_wait_s", "Agents wait up to (s)", 0, 600],
];

export function RerankerSection() {
  const saved = useSettings();
  const defaults = useDefaultSettings();
  const save = useSetSettings();
  const test = useTestReranker();
  const [draft, setDraft] = useState<RerankSettings>();
  useEffect(() => setDraft(saved.data?.rerank), [saved.data]);
  if (!saved.data || !draft) {
    return (
      <Section title="Reranker">
        {saved.isError ? <FailureLine error={saved.error} /> : <Loading label="Reading settings" />}
      </Section>
    );
  }
  const { data } = saved;
  const changed = JSON.stringify(draft) !== JSON.stringify(data.rerank);
  const set = (change: Partial<RerankSettings>) => {
    test.reset();
    setDraft({ ...draft, ...change });
  };
  return (
    <Section
      title="Reranker"
      aside={
        <div className="settings-actions">
          <Button kind="quiet" onPress={() => set(defaults.data?.rerank ?? draft)}>
            Reset
          </Button>
          <Button isDisabled={!changed} onPress={() => set(data.rerank)}>
            Discard changes
          </Button>
          <Button
            kind="primary"
            isDisabled={!changed || save.isPending}
            data-testid="reranker-save"
            onPress={() => save.mutate({ ...data, rerank: draft })}
          >
            Save reranker
          </Button>
        </div>
      }
    >
      <div className="reranker" data-testid="reranker">
        <div className="gate-when">
          <span>Rerank top results with</span>
          <Segmented
            label="Reranker"
            value={draft.mode}
            options={MODES}
            onChange={(mode) => set({ mode })}
          />
        </div>
        <p className="small muted">{WHAT[draft.mode]}</p>
        {draft.mode === "local" && <Local draft={draft} onChange={set} />}
        {draft.mode === "http" && <Endpoint draft={draft} onChange={set} />}
        {draft.mode !== "off" && <Numbers draft={draft} onChange={set} />}
        <FailureLine error={save.error} />
        {draft.mode !== "off" && (
          <div className="reranker-test">
            <Button
              icon="play"
              isDisabled={test.isPending}
              data-testid="reranker-test"
              onPress={() => test.mutate(draft)}
            >
              {test.isPending ? "Testing" : "Test"}
            </Button>
            <TestResult test={test} />
          </div>
        )}
      </div>
    </Section>
  );
}

interface Part {
  draft: RerankSettings;
  onChange: (change: Partial<RerankSettings>) => void;
}

function Local({ draft, onChange }: Part) {
  const models = useModels();
  const known = models.data?.filter((model) => model.roles.includes("reranker")) ?? [];
  const own = !known.some((model) => model.name === draft.model);
  const chosen = known.find((model) => model.name === draft.model);
  const pick = async () => {
    const path = await choosePath("model-file");
    if (path) onChange({ model: path });
  };
  return (
    <div className="reranker-fields">
      <div className="field">
        <span>Model</span>
        <Choice
          label="Reranker model"
          data-testid="reranker-model"
          value={own ? "" : draft.model}
          options={[
            ...known.map(({ name, state }) => ({
              value: name,
              label: state === "present" ? name : `${name} (not downloaded)`,
            })),
            { value: "", label: own ? draft.model : "Your own GGUF file" },
          ]}
          onChange={(model) => (model === "" ? void pick() : onChange({ model }))}
        />
        <Button icon="folder" onPress={() => void pick()}>
          Choose file
        </Button>
      </div>
      {chosen && chosen.state !== "present" && (
        <p className="small muted">
          {chosen.name} is not downloaded yet; get it under Models. At 135M parameters it shows that
          reranking works, but ranks poorly.
        </p>
      )}
    </div>
  );
}

function Endpoint({ draft, onChange }: Part) {
  const text = (
    key: "endpoint" | "endpoint_model" | "key_env",
    label: string,
    placeholder: string,
  ) => (
    <div className="field">
      <label htmlFor={`reranker-${key}`}>{label}</label>
      <input
        id={`reranker-${key}`}
        className="input code"
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        value={draft[key]}
        onChange={(event) => onChange({ [key]: event.target.value })}
      />
    </div>
  );
  return (
    <div className="reranker-fields">
      <p className="reranker-warning small" role="note">
        <Icon name="warn" />
        <span>
          Your query and snippets of code from up to {draft.top_n} results are sent to{" "}
          {draft.endpoint.trim() || "this endpoint"} for every search.
        </span>
      </p>
      {text("endpoint", "Base URL", "http://localhost:11434/v1")}
      {text("endpoint_model", "Model", "qwen2.5-coder:7b")}
      {text("key_env", "API key variable", "OPENAI_API_KEY, or empty")}
      <p className="small muted field-note">
        The key stays in your environment; only the variable's name is saved.
      </p>
      <Switch
        isSelected={draft.allow_plain_http}
        onChange={(allow_plain_http) => onChange({ allow_plain_http })}
      >
        Allow unencrypted HTTP to other machines
      </Switch>
    </div>
  );
}

function Numbers({ draft, onChange }: Part) {
  return (
    <fieldset className="gate-bounds">
      <legend className="visually-hidden">Limits of the reranker</legend>
      {NUMBERS.map(([key, label, least, most]) => (
        <NumberField
          key={key}
          label={label}
          value={draft[key]}
          min={least}
          max={most}
          onChange={(value) => onChange({ [key]: Math.round(value) })}
        />
      ))}
    </fieldset>
  );
}

function TestResult({ test }: { test: ReturnType<typeof useTestReranker> }) {
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
