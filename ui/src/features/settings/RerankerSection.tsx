// The reranker: who ranks, what it may read, and a test that says what failed.

import { useEffect, useState } from "react";
import { Button, Segmented } from "../../components/controls";
import { FailureLine, Loading } from "../../components/states";
import {
  type RerankSettings,
  useDefaultSettings,
  useSetSettings,
  useSettings,
  useTestReranker,
} from "../../ipc";
import { Endpoint, Numbers } from "./RerankerFields";
import { RerankerTestResult } from "./RerankerTestResult";
import { Section } from "./Section";

const MODES = [
  { value: "off", label: "Off" },
  { value: "http", label: "Endpoint" },
] as const;

const WHAT: Record<RerankSettings["mode"], string> = {
  off: "Results keep their fused order.",
  http: "The fused order shows at once; the reranked one follows.",
};

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
            Reset to defaults
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
            <RerankerTestResult test={test} />
          </div>
        )}
      </div>
    </Section>
  );
}
