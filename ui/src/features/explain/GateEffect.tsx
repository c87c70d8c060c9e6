// What late interaction did once the gate let it run, and what else the gate looked at.

import { Fact } from "../../components/Fact";
import { count, ms, sig3 } from "../../components/format";
import type { GateRecord, RefineRecord } from "../../ipc";

export function Refined({ record }: { record: RefineRecord }) {
  return (
    <dl className="run-facts">
      <Fact name="Rescored">
        {count(record.n_done)} of {count(record.n_asked)} candidates
        {record.n_without_tokens > 0 && (
          <span className="muted">, {count(record.n_without_tokens)} without token vectors</span>
        )}
      </Fact>
      <Fact name="Compared">
        {count(record.query_tokens.length)} query tokens with {count(record.n_tokens)} code tokens
      </Fact>
      <Fact name="Time">
        {ms(record.query_ms)} to encode, {ms(record.search_ms)} to compare
      </Fact>
      <Fact name="MaxSim">
        mean {sig3(record.mean)}, σ {sig3(record.deviation)}
      </Fact>
      <Fact name="Adds">
        {sig3(record.per_deviation)} per σ above the minimum, and {sig3(record.file_per_deviation)}{" "}
        per σ of the file's best chunk
      </Fact>
      {record.cut && (
        <Fact name="Cut">
          <span className="gate-cut">{record.cut}</span>
        </Fact>
      )}
    </dl>
  );
}

export function OtherInputs({ record }: { record: GateRecord }) {
  const { features } = record;
  return (
    <dl className="run-facts">
      <Fact name="Candidates">{count(features.n_candidates)}</Fact>
      <Fact name="Exact name">
        {features.id_hit ? "one definition, first in two channels" : "None"}
      </Fact>
      <Fact name="Query">
        {count(features.n_words)} {features.n_words === 1 ? "word" : "words"},{" "}
        {features.shape.replaceAll("-", " ")}
      </Fact>
      <Fact name="Time left">
        {ms(features.time_left_ms)}
        <span className="muted">
          {features.expected_ms === null
            ? ", first run"
            : `, expected to take ${ms(features.expected_ms)}`}
        </span>
      </Fact>
    </dl>
  );
}
