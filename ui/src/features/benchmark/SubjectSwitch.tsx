// Whose answer is shown: a radio button for each subject, with its score.

import { count } from "../../components/format";
import { ScoreCell } from "./ScoreCell";
import { SubjectName } from "./SubjectMark";
import type { TaskRow } from "./tasks";

export function SubjectSwitch(props: {
  subjects: string[];
  row: TaskRow | undefined;
  chosen: string;
  onChoose: (subject: string) => void;
}) {
  const { row } = props;
  return (
    <fieldset className="bench-switch">
      <legend className="visually-hidden">Answer of</legend>
      {props.subjects.map((subject) => {
        const line = row?.lines[subject];
        return (
          <label key={subject} data-chosen={subject === props.chosen || undefined}>
            <input
              type="radio"
              name="bench-subject-switch"
              data-testid="bench-switch"
              data-subject={subject}
              checked={subject === props.chosen}
              onChange={() => props.onChoose(subject)}
            />
            <SubjectName subject={subject} />
            {row && <ScoreCell line={line} row={row} />}
            {line && !line.unsupported && (
              <span className="small muted num">{count(line.tokens)} tokens</span>
            )}
          </label>
        );
      })}
    </fieldset>
  );
}
