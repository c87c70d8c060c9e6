// Who is to answer. What cannot take part says why.

import { useEffect } from "react";
import { Icon } from "../../components/Icon";
import { Failure } from "../../components/states";
import { type SubjectChoice, useBenchSubjects } from "../../ipc";
import { toggled } from "./draft";
import { Skeleton } from "./Skeleton";
import { subjectLabel } from "./subjects";

export function SubjectPicker(props: { chosen: string[]; onChange: (subjects: string[]) => void }) {
  const { chosen, onChange } = props;
  const subjects = useBenchSubjects();
  useFirstChoice(subjects.data, onChange);
  // The first subject is the one that others are compared with: the list's order, not the clicks'.
  const toggle = (name: string) => {
    const next = toggled(chosen, name);
    onChange((subjects.data ?? []).map((one) => one.name).filter((one) => next.includes(one)));
  };
  return (
    <fieldset className="bench-pick">
      <legend>Tools compared</legend>
      {subjects.isPending && <Skeleton label="Reading tools" rows={3} />}
      {subjects.isError && <Failure error={subjects.error} onRetry={() => subjects.refetch()} />}
      <ul className="bench-subject-choices">
        {subjects.data?.map((subject) => (
          <Subject
            key={subject.name}
            subject={subject}
            isChosen={chosen.includes(subject.name)}
            onToggle={() => toggle(subject.name)}
          />
        ))}
      </ul>
    </fieldset>
  );
}

/** A floor that draws lots, grep as published (it knows three languages), a second reading of one
 * kind of task, several repositories as one: for those who want them. */
const NOT_BY_DEFAULT = ["random", "smart-grep", "whyrank-mentions", "whyrank-pooled"];

/** Takes what is available until the person chooses. */
function useFirstChoice(
  subjects: SubjectChoice[] | undefined,
  onChange: (subjects: string[]) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when they are known
  useEffect(() => {
    const first = subjects?.filter((one) => one.available && !NOT_BY_DEFAULT.includes(one.name));
    if (first) onChange(first.map((one) => one.name));
  }, [subjects]);
}

function Subject(props: { subject: SubjectChoice; isChosen: boolean; onToggle: () => void }) {
  const { subject } = props;
  return (
    <li>
      <label className="check" data-disabled={!subject.available || undefined}>
        <input
          type="checkbox"
          data-testid="bench-subject"
          data-subject={subject.name}
          checked={props.isChosen}
          disabled={!subject.available}
          onChange={props.onToggle}
        />
        <span className="bench-option">
          <b>{subjectLabel(subject.name)}</b>
          <span className="small muted">{subject.notes}</span>
          {!subject.available && (
            <span className="small bench-warn">
              <Icon name="info" /> {subject.why_not ?? "Not available here."}
            </span>
          )}
        </span>
      </label>
    </li>
  );
}
