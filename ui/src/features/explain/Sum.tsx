// The arithmetic of a row: each signal with its rank and its evidence, and what they add up to.

import { sig3, signed } from "../../components/format";
import { Icon } from "../../components/Icon";
import { addsUp, sumOf, type Term } from "./arithmetic";
import { groupColour } from "./ContributionBar";
import type { Group } from "./groups";
import { groupLabel } from "./why";

export function Sum({ terms, score }: { terms: Term[]; score: number }) {
  const exact = addsUp(terms, score);
  const groups = [...new Set(terms.map((term) => term.group))];
  return (
    <table className="sum">
      {groups.map((group) => (
        <GroupRows key={group} group={group} terms={terms.filter((term) => term.group === group)} />
      ))}
      <tfoot>
        <tr data-exact={exact}>
          <th scope="row">
            <Icon name={exact ? "check" : "warn"} />
            {exact ? "Terms sum to the score" : `Terms sum to ${sig3(sumOf(terms))}, not to`}
          </th>
          <td className="num code strong" data-testid="row-panel-score">
            {sig3(score)}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function GroupRows({ group, terms }: { group: Group; terms: Term[] }) {
  const sum = sumOf(terms);
  return (
    <tbody>
      <tr className="sum-group">
        <th scope="rowgroup">
          <i className="swatch" style={{ background: groupColour(group) }} />
          {groupLabel(group)}
        </th>
        <td className="num code" data-negative={sum < 0 || undefined}>
          {signed(sum)}
        </td>
      </tr>
      {terms.map((term) => (
        <tr key={`${term.isRank}:${term.name}`} className="sum-term small">
          <td>
            {!term.isRank && term.label !== groupLabel(group) && <div>{term.label}</div>}
            {term.formula && <div className="muted code wrap">{term.formula}</div>}
          </td>
          <td className="num code muted">{terms.length > 1 && signed(term.value)}</td>
        </tr>
      ))}
    </tbody>
  );
}
