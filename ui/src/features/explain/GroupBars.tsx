// What each signal adds to a score, a bar a signal on one scale; the bars have most of the width.

import { sig3, signed } from "../../components/format";
import { sumOf, type Term } from "./arithmetic";
import { ContributionBar, groupColour, scaleOf } from "./ContributionBar";
import { groupLabel } from "./why";

export function GroupBars({ terms, score }: { terms: Term[]; score: number }) {
  const groups = [...new Set(terms.map((term) => term.group))].map((group) => ({
    group,
    terms: terms.filter((term) => term.group === group),
  }));
  const scale = scaleOf(groups.map((one) => one.terms));
  return (
    <table className="group-bars" data-testid="group-bars">
      <caption className="visually-hidden">What each signal adds to the score</caption>
      <tbody>
        {groups.map(({ group, terms }) => (
          <tr key={group}>
            <th scope="row" className="small">
              <i className="swatch" style={{ background: groupColour(group) }} />
              {groupLabel(group)}
            </th>
            <td className="group-bar">
              <ContributionBar terms={terms} scale={scale} score={sumOf(terms)} height={14} />
            </td>
            <td className="num code small" data-negative={sumOf(terms) < 0 || undefined}>
              {signed(sumOf(terms))}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" className="small">
            Score
          </th>
          <td />
          <td className="num code small strong">{sig3(score)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
