// Why a definition is risky: its reasons, its head before and after, who did not follow, its tests.

import { count, plural, sentence } from "../../components/format";
import type { ReviewedSymbol } from "../../ipc";
import { CallerList, type Open } from "./CallerList";
import { Risk } from "./Risk";
import { RISK_WORDS } from "./words";

export function DefinitionFacts({ of, onOpen }: { of: ReviewedSymbol; onOpen: Open }) {
  const { reasons, was, symbol, callers, n_callers, n_tests } = of;
  return (
    <div className="changes-facts">
      <div className="changes-why">
        <Risk risk={of.risk} />
        <span className="small muted">
          {plural(of.n_lines, "changed line")} · {testWords(n_tests)}
        </span>
      </div>
      {reasons.length > 0 && (
        <ul className="changes-reasons" aria-label="Why">
          {reasons.map(({ kind, text, points }) => (
            <li key={`${kind} ${text}`} data-kind={kind}>
              <span className="pill">{RISK_WORDS[kind]}</span>
              <span>{sentence(text)}</span>
              <span className="num muted">+{count(points)}</span>
            </li>
          ))}
        </ul>
      )}
      {was && (
        <dl className="changes-signature" data-testid="changes-signature">
          <dt className="small muted">Before</dt>
          <dd className="code">{was}</dd>
          <dt className="small muted">Now</dt>
          <dd className="code">{symbol.signature}</dd>
        </dl>
      )}
      <CallerList
        title="Uses left behind"
        callers={callers}
        n={Math.max(n_callers, callers.length)}
        onOpen={onOpen}
      />
    </div>
  );
}

function testWords(n: number): string {
  return n === 0
    ? "no test is known that reaches it"
    : `${plural(n, "test")} ${n === 1 ? "reaches" : "reach"} it`;
}
