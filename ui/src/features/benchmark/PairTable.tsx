// The main subject against each other one, over the tasks that both answered.

import { count } from "../../components/format";
import type { PairRow } from "../../ipc";
import { type Reach, reachOf } from "./DifferenceBar";
import { DifferenceCells } from "./DifferenceCells";
import { categoryName, score } from "./figures";
import { ScrollBox } from "./ScrollBox";
import { SubjectName } from "./SubjectMark";
import { subjectLabel } from "./subjects";

export function PairTable({ pairs }: { pairs: PairRow[] }) {
  const main = subjectLabel(pairs[0]?.subject ?? "");
  const reach = reachOf(pairs.map((pair) => pair.paired));
  return (
    <section className="bench-panel" aria-label="Paired differences">
      <header className="bench-panel-head">
        <h3>Paired differences</h3>
        <p className="small muted">
          {main} minus the other, over the tasks that both answered; clear when the 95% interval
          leaves out zero and at least six tasks differ.
        </p>
      </header>
      <ScrollBox label="Differences">
        <table className="bench-table" data-testid="bench-pairs">
          <thead>
            <tr>
              <th>Category</th>
              <th>Against</th>
              <th className="num">n</th>
              <th className="num">{main}</th>
              <th className="num">Other</th>
              <th className="num">Difference</th>
              <th className="bench-drawn">
                <span className="visually-hidden">Chart</span>
              </th>
              <th>Verdict</th>
              <th className="num" title="Tasks better / worse">
                Won / lost
              </th>
            </tr>
          </thead>
          <tbody>
            {pairs.map((pair) => (
              <Row key={`${pair.category} ${pair.rival}`} pair={pair} reach={reach} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  );
}

function Row({ pair, reach }: { pair: PairRow; reach: Reach }) {
  const { paired } = pair;
  return (
    <tr data-main={pair.category === null || undefined}>
      <td>{pair.category === null ? "All" : categoryName(pair.category)}</td>
      <td>
        <SubjectName subject={pair.rival} />
      </td>
      <td className="num">{count(paired.n)}</td>
      <td className="num">{score(paired.other)}</td>
      <td className="num">{score(paired.base)}</td>
      <DifferenceCells paired={paired} reach={reach} />
      <td className="num">
        {count(paired.wins)} / {count(paired.losses)}
      </td>
    </tr>
  );
}
