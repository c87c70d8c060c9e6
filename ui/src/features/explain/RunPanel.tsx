// The run as such: weights and why they changed, times against budgets, what the index held.

import type { ReactNode } from "react";
import { ChannelDot, channelLabel } from "../../components/channels";
import { Fact } from "../../components/Fact";
import { count, ms, percent, plural, sig3, weight } from "../../components/format";
import { Icon } from "../../components/Icon";
import { withoutCommand } from "../../components/repo-state";
import { type StageStats, type Trace, useStageStats } from "../../ipc";

export function RunPanel({ trace }: { trace: Trace }) {
  return (
    <div className="run-panel">
      <Part title="Weights">
        <Weights trace={trace} />
      </Part>
      <Part title="Time against budget">
        <Waterfall trace={trace} />
      </Part>
      <Part title="Index">
        <Index trace={trace} />
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Weights({ trace }: { trace: Trace }) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>Channel</th>
          <th className="num">Set</th>
          <th className="num">Used</th>
          <th>Why</th>
        </tr>
      </thead>
      <tbody>
        {trace.weights.map((entry) => (
          <tr key={entry.channel}>
            <td>
              <ChannelDot channel={entry.channel} /> {channelLabel(entry.channel)}
            </td>
            <td className="num">{offOr(entry.prior)}</td>
            <td className="num strong">{offOr(entry.effective)}</td>
            <td className="muted">
              {entry.reason || (isUnused(entry) ? "off as a channel" : "as set")}
            </td>
          </tr>
        ))}
        {trace.refine && (
          <LateStage per={trace.refine.per_deviation} file={trace.refine.file_per_deviation} />
        )}
      </tbody>
    </table>
  );
}

const offOr = (value: number) => (value === 0 ? "off" : weight(value));

/** Late interaction is a stage; as a channel of its own it is off unless it is asked for. */
function isUnused({ channel, effective }: Trace["weights"][number]): boolean {
  return channel === "late-interaction" && effective === 0;
}

/** What late interaction adds as a stage: by deviations, not by rank. */
function LateStage({ per, file }: { per: number; file: number }) {
  const of = [
    ...(per === 0 ? [] : [`${sig3(per)} of the chunk`]),
    ...(file === 0 ? [] : [`${sig3(file)} of the file's best chunk`]),
  ];
  return (
    <tr data-testid="late-stage">
      <td>
        <ChannelDot channel="late-interaction" /> {channelLabel("late-interaction")}
      </td>
      <td />
      <td className="num strong">{sig3(per + file)}</td>
      <td className="muted">as a stage, per σ{of.length > 0 && `: ${of.join(", ")}`}</td>
    </tr>
  );
}

/** Stages that the rest of the page calls something else. */
const STAGE_NAMES: Record<string, string> = { refine: "late interaction" };

/** Stages one after another on one time axis; a tick marks each stage's budget. */
function Waterfall({ trace }: { trace: Trace }) {
  const stats = useStageStats();
  let at = 0;
  // Seconds of the reranker, which ran apart, would leave the search no width.
  const timings = trace.timings.filter((timing) => timing.stage !== "rerank");
  const spans = timings.map((timing) => {
    const span = { ...timing, start: at };
    at += timing.elapsed_ms;
    return span;
  });
  const end = Math.max(1e-6, at, ...spans.map((span) => span.start + withinView(span, at)));
  const share = (value: number) => `${(value / end) * 100}%`;
  return (
    <ul className="waterfall">
      <li className="waterfall-head small muted">
        <span>Stage</span>
        <span />
        <span className="num">Took</span>
        <span className="num">Budget</span>
        <span className="num">
          {stats.data && stats.data.n_answers > 0
            ? `p50 · p95 of the last ${count(stats.data.n_answers)}`
            : ""}
        </span>
      </li>
      {spans.map((span) => {
        const over = span.budget_ms !== null && span.elapsed_ms > span.budget_ms;
        const shownBudget = span.budget_ms !== null && span.start + span.budget_ms <= end;
        return (
          <li
            key={span.stage}
            data-over={over || undefined}
            data-skipped={span.skipped !== null || undefined}
            title={span.skipped ?? undefined}
          >
            <span>{STAGE_NAMES[span.stage] ?? span.stage}</span>
            <span className="waterfall-track">
              <i style={{ left: share(span.start), width: share(span.elapsed_ms) }} />
              {shownBudget && span.budget_ms !== null && (
                <b style={{ left: share(span.start + span.budget_ms) }} />
              )}
            </span>
            <span className="num">{ms(span.elapsed_ms)}</span>
            <span className="num muted">
              {span.budget_ms === null ? "" : `of ${ms(span.budget_ms)}`}
              {over && <Icon name="warn" />}
            </span>
            <span className="num muted">{usual(stats.data, span.stage)}</span>
          </li>
        );
      })}
      <li className="waterfall-sum">
        <span>all</span>
        <span />
        <span className="num strong">{ms(at)}</span>
      </li>
    </ul>
  );
}

/** What a stage usually takes: half, and nearly all, of the last answers. */
function usual(stats: StageStats | undefined, stage: string): string {
  const timer = stats?.timers.find((one) => one.name === `${stage}_ms`);
  return timer ? `${ms(timer.p50_ms)} · ${ms(timer.p95_ms)}` : "";
}

/** A budget widens the axis only when it is not far beyond what was used. */
function withinView(span: { budget_ms: number | null; elapsed_ms: number }, total: number): number {
  const budget = span.budget_ms ?? 0;
  return budget <= total * 4 ? Math.max(budget, span.elapsed_ms) : span.elapsed_ms;
}

function Index({ trace }: { trace: Trace }) {
  const { coverage } = trace;
  return (
    <>
      <dl className="run-facts">
        <Fact name="Searched">{trace.view}</Fact>
        <Fact name="Text index">{percent(coverage.lexical)} of files</Fact>
        <Fact name="Vectors">
          {percent(coverage.vector)} of chunks
          {coverage.vector_model && ` by ${coverage.vector_model}`}
          {coverage.vector_note && (
            <span className="muted"> · {withoutCommand(coverage.vector_note)}</span>
          )}
        </Fact>
        <Fact name="Static vectors">{percent(coverage.static_vectors ?? 0)} of chunks</Fact>
        <Fact name="Token vectors">
          {percent(coverage.tokens ?? 0)} of chunks
          {coverage.tokens_note && (
            <span className="muted"> · {withoutCommand(coverage.tokens_note)}</span>
          )}
        </Fact>
        <Fact name="Skipped">{plural(coverage.n_skipped, "file")}</Fact>
        <Fact name="Built as">
          <code className="wrap">{trace.manifest}</code>
        </Fact>
      </dl>
      {trace.notes.map((note) => (
        <p key={note} className="run-note">
          <Icon name="info" />
          {withoutCommand(note)}
        </p>
      ))}
    </>
  );
}
