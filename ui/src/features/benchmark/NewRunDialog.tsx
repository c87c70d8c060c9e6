// A new run: which questions, put to whom, how many of them.

import { useState } from "react";
import { amend } from "../../app/route";
import { session } from "../../app/session";
import { Button, Segmented } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { count } from "../../components/format";
import { FailureLine } from "../../components/states";
import { useBenchStart, useBenchSuites, useRepos } from "../../ipc";
import { type Draft, FIRST_DRAFT, mostAnswers, problemOf, requestOf } from "./draft";
import { Narrowing } from "./Narrowing";
import { OwnRepoPicker } from "./OwnRepoPicker";
import { SubjectPicker } from "./SubjectPicker";
import { SuitePicker } from "./SuitePicker";

/** The repository that is shown elsewhere, where questions can be made from it. */
function useIndexed(): string {
  const { repo } = session.use();
  const { data = [] } = useRepos();
  return data.find((one) => one.id === repo && one.chunks > 0)?.id ?? "";
}

export function NewRunDialog(props: {
  /** Chosen already. */
  suites: string[];
  onClose: () => void;
}) {
  const { onClose } = props;
  const [chosen, setDraft] = useState<Draft>({ ...FIRST_DRAFT, suites: props.suites });
  const indexed = useIndexed();
  const draft = { ...chosen, ownRepo: chosen.ownRepo || indexed };
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  const start = useBenchStart();
  const problem = problemOf(draft);
  const begin = async () => {
    const id = await start.mutateAsync(requestOf(draft)).catch(() => null);
    if (id) amend({ view: "benchmark", id });
  };
  return (
    <Dialog
      title="New benchmark run"
      wide
      onClose={onClose}
      footer={
        <>
          <FailureLine error={start.error} />
          <Extent draft={draft} problem={problem} />
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            icon="play"
            data-testid="bench-start"
            isDisabled={problem !== null}
            isPending={start.isPending}
            onPress={begin}
          >
            {start.isPending ? "Starting" : "Start run"}
          </Button>
        </>
      }
    >
      <div className="bench-source">
        <span>Questions from</span>
        <Segmented
          label="Questions from"
          value={draft.source}
          options={[
            { value: "suites", label: "Suites" },
            { value: "own", label: "A repository's own code" },
          ]}
          onChange={(source) => change({ source })}
        />
      </div>
      {draft.source === "suites" ? (
        <>
          <SuitePicker draft={draft} onChange={change} />
          <Narrowing draft={draft} onChange={change} />
        </>
      ) : (
        <OwnRepoPicker chosen={draft.ownRepo} onChoose={(ownRepo) => change({ ownRepo })} />
      )}
      <SubjectPicker chosen={draft.subjects} onChange={(subjects) => change({ subjects })} />
      <Numbers draft={draft} onChange={change} />
      <label className="check">
        <input
          type="checkbox"
          data-testid="bench-no-vectors"
          checked={draft.noVectors}
          onChange={(event) => change({ noVectors: event.target.checked })}
        />
        Skip the model's vectors: faster to index, static vectors only
      </label>
    </Dialog>
  );
}

function Numbers({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  return (
    <div className="bench-numbers">
      <label className="field">
        <span className="small muted">Title (optional)</span>
        <input
          className="input"
          data-testid="bench-title"
          placeholder="What is new in this run?"
          value={draft.title}
          onChange={(event) => onChange({ title: event.target.value })}
        />
      </label>
      {draft.source === "suites" ? (
        <Count
          name="Tasks per category"
          title="Of each suite and category; 0 for all"
          testId="bench-limit"
          value={draft.limit}
          onChange={(limit) => onChange({ limit })}
        />
      ) : (
        <Count
          name="Questions"
          title="In all: as many of each kind as there are"
          testId="bench-questions"
          value={draft.questions}
          onChange={(questions) => onChange({ questions })}
        />
      )}
      <Count
        name="Seed"
        title="The same seed draws the same tasks"
        testId="bench-seed"
        value={draft.seed}
        onChange={(seed) => onChange({ seed })}
      />
    </div>
  );
}

function Count(props: {
  name: string;
  title: string;
  testId: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <label className="field" title={props.title}>
      <span className="small muted">{props.name}</span>
      <input
        className="input"
        inputMode="numeric"
        data-testid={props.testId}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </label>
  );
}

function Extent({ draft, problem }: { draft: Draft; problem: string | null }) {
  const suites = useBenchSuites().data ?? [];
  const most = mostAnswers(draft, suites);
  const words = problem ?? (most === null ? "" : `At most ${count(most)} answers`);
  return (
    <p className="small muted bench-extent" role="status">
      {words}
    </p>
  );
}
