// What changed by suite, subject and kind; greatest loss on top.

import { count } from "../../components/format";
import type { GroupDifference } from "../../ipc";
import { type Reach, reachOf } from "./DifferenceBar";
import { DifferenceCells } from "./DifferenceCells";
import { categoryName, score, signedCount } from "./figures";
import { ScrollBox } from "./ScrollBox";
import { SubjectName } from "./SubjectMark";
import { outcomeOf } from "./verdict";

export function GroupDifferences({ groups }: { groups: GroupDifference[] }) {
  if (groups.length === 0) return <p className="muted bench-bar">No group changed.</p>;
  const reach = reachOf(groups.map((group) => group.value));
  return (
    <ScrollBox label="Groups" className="bench-groups">
      <table className="bench-table" data-testid="bench-groups">
        <thead>
          <tr>
            <th>Tool</th>
            <th>Suite</th>
            <th>Category</th>
            <th className="num">n</th>
            <th className="num">Base</th>
            <th className="num">Other</th>
            <th className="num">Difference</th>
            <th className="bench-drawn">
              <span className="visually-hidden">Chart</span>
            </th>
            <th>Verdict</th>
            <th className="num" title="Tokens a task, base to other; fewer is better">
              Tokens
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Row
              key={`${group.suite} ${group.subject} ${group.category}`}
              group={group}
              reach={reach}
            />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Row({ group, reach }: { group: GroupDifference; reach: Reach }) {
  const { value, tokens } = group;
  return (
    <tr data-main={group.category === null || undefined}>
      <td>
        <SubjectName subject={group.subject} />
      </td>
      <td>{group.suite}</td>
      <td>{group.category === null ? "All" : categoryName(group.category)}</td>
      <td className="num">{count(value.n)}</td>
      <td className="num">{score(value.base)}</td>
      <td className="num">{score(value.other)}</td>
      <DifferenceCells paired={value} reach={reach} level="No clear change" />
      <td className="num" title={tokensInWords(group)}>
        {count(tokens.base)} → {count(tokens.other)}{" "}
        <span className="muted">({signedCount(tokens.difference.mean)})</span>
      </td>
    </tr>
  );
}

/** More tokens are worse, so a rise that is clear is a clear loss. */
function tokensInWords({ tokens }: GroupDifference): string {
  const words = { ahead: "clearly more", behind: "clearly fewer", level: "no clear difference" };
  const { low, high } = tokens.difference;
  return `${words[outcomeOf(tokens)]}: ${signedCount(low)} to ${signedCount(high)} tokens a task`;
}
