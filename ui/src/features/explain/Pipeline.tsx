// The way of a query: what each stage took in, gave out and cost; what did not run, and why.

import type { ReactNode } from "react";
import { ChannelDot, channelLabel } from "../../components/channels";
import { count, ms, percent } from "../../components/format";
import type { Trace } from "../../ipc";

const SHAPES: Record<Trace["shape"], string> = {
  identifier: "identifier",
  path: "path",
  "error-string": "error message",
  issue: "issue",
  "natural-language": "natural language",
};

export function Pipeline(props: { trace: Trace; onGate: () => void; onRerank: () => void }) {
  const { trace, onGate } = props;
  const given = trace.channels.reduce((sum, run) => sum + run.n_hits, 0);
  const touched = trace.rows.filter((row) => row.evidence.length > 0).length;
  const shown = trace.rows.filter((row) => row.shown).length;
  return (
    <ol className="pipeline" aria-label="Stages">
      <Node title="Query" time={timeOf(trace, "query")}>
        <p>
          <b className="stage-shape">{SHAPES[trace.shape]}</b>
        </p>
        <p className="small muted clamp" title={trace.shape_reason}>
          {trace.shape_reason}
        </p>
      </Node>
      <Node title="Channels" time={timeOf(trace, "channels")} wide>
        <p className="stage-brief">
          <b>{count(given)}</b> hits
        </p>
        <ul className="channel-runs">
          {trace.channels.filter(isOfInterest).map((run) => (
            <li
              key={run.channel}
              title={`${channelLabel(run.channel)}: ${run.skipped ?? ms(run.elapsed_ms)}`}
            >
              <ChannelDot channel={run.channel} dim={run.skipped !== null} />
              {run.skipped === null ? (
                <span className="num">{count(run.n_hits)}</span>
              ) : (
                <span className="muted">skipped</span>
              )}
            </li>
          ))}
        </ul>
      </Node>
      <Node title="Fuse" time={timeOf(trace, "fuse")}>
        <Flow from={given} to={candidatesOf(trace)} unit="candidates" />
        <p className="small muted">weight / ({trace.rrf_k} + rank)</p>
      </Node>
      <Node title="Evidence" time={timeOf(trace, "evidence")} skipped={touched === 0}>
        <p>
          <b>{count(touched)}</b> adjusted
        </p>
        <p className="small muted">{touched === 0 ? "none applies" : "boosts and demotions"}</p>
      </Node>
      {trace.gate && <Late trace={trace} gate={trace.gate} onGate={onGate} />}
      {trace.cross && <Cross trace={trace} cross={trace.cross} />}
      <Node title="Present" time={timeOf(trace, "present")}>
        <Flow from={candidatesOf(trace)} to={shown} unit="shown" />
        <p className="small muted">best of each file</p>
        {trace.confidence && <Confidence confidence={trace.confidence} />}
      </Node>
      <Third trace={trace} onRerank={props.onRerank} />
    </ol>
  );
}

/** How sure the first file is, or why nobody knows. */
function Confidence(props: { confidence: NonNullable<Trace["confidence"]> }) {
  const { confidence } = props;
  return confidence.measured !== undefined ? (
    <p className="small muted" title="How often the first file was right in answers like this one">
      confidence {percent(confidence.measured)}
    </p>
  ) : (
    <p className="small muted clamp" title={confidence.withheld}>
      no confidence: {confidence.withheld}
    </p>
  );
}

/** Late interaction is no channel of its own unless it is asked for. */
function isOfInterest(run: Trace["channels"][number]): boolean {
  return run.channel !== "late-interaction" || run.n_hits > 0 || run.skipped !== "switched off";
}

/** The gate and what it let run; the card has the figures. */
function Late(props: { trace: Trace; gate: NonNullable<Trace["gate"]>; onGate: () => void }) {
  const { trace, gate } = props;
  const [word, why] = split(gate.verdict.sentence);
  return (
    <Node
      title="Late interaction"
      time={trace.refine ? timeOf(trace, "refine") : null}
      skipped={trace.refine === null}
    >
      {trace.refine ? (
        <Flow from={trace.refine.n_asked} to={trace.refine.n_done} unit="rescored" />
      ) : (
        <p>{word}</p>
      )}
      <button
        type="button"
        className="small muted stage-link"
        title={gate.verdict.sentence}
        onClick={props.onGate}
      >
        <span className="clamp">{trace.refine?.cut ?? why}</span>
      </button>
    </Node>
  );
}

/** The cross-encoder, where there are weights for one. */
function Cross({ trace, cross }: { trace: Trace; cross: NonNullable<Trace["cross"]> }) {
  const [word, why] = split(cross.cut ?? cross.model);
  return (
    <Node title="Cross-encoder" time={timeOf(trace, "cross-encode")} skipped={cross.n_done === 0}>
      {cross.n_done > 0 ? (
        <p>
          <b>{count(cross.n_done)}</b> of {count(cross.n_asked)} rescored
        </p>
      ) : (
        <p>{word}</p>
      )}
      <p className="small muted clamp" title={cross.cut ?? cross.model}>
        {why || cross.model}
      </p>
    </Node>
  );
}

/** The reranker: what it moved, or why it was not asked. */
function Third({ trace, onRerank }: { trace: Trace; onRerank: () => void }) {
  const timing = trace.timings.find((one) => one.stage === "rerank");
  if (!timing) return null;
  const { rerank } = trace;
  if (!rerank) {
    const [word, why] = split(timing.skipped ?? "");
    return (
      <Node title="Rerank" time={null} skipped>
        <p>{word}</p>
        <p className="small muted clamp" title={timing.skipped ?? undefined}>
          {why}
        </p>
      </Node>
    );
  }
  return (
    <Node title="Rerank" time={rerank.elapsed_ms} skipped={timing.skipped !== null}>
      <p>
        <b>{count(rerank.n_moved)}</b> of {count(rerank.n_asked)} moved
      </p>
      <button
        type="button"
        className="small muted stage-link"
        title={rerank.cut ?? rerank.backend}
        onClick={onRerank}
      >
        <span className="clamp">{rerank.cut ?? rerank.backend}</span>
      </button>
    </Node>
  );
}

/** `skipped: no token vectors` as its verb and its reason. */
function split(sentence: string): [string, string] {
  const at = sentence.search(/[:,]/);
  return at < 0 ? [sentence, ""] : [sentence.slice(0, at), sentence.slice(at + 1).trim()];
}

/** All candidates, where they were counted; the trace keeps the first 100. */
function candidatesOf(trace: Trace): number {
  const fused = trace.timings.find((timing) => timing.stage === "fuse");
  return fused?.n_out ?? trace.rows.length;
}

function Node(props: {
  title: string;
  time: number | null;
  skipped?: boolean;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <li
      className="stage"
      data-skipped={props.skipped || undefined}
      data-wide={props.wide || undefined}
      data-long={props.title.length > 12 || undefined}
    >
      <div className="stage-head">
        <h2 className="minor">{props.title}</h2>
        {props.time !== null && <span className="small muted num">{ms(props.time)}</span>}
      </div>
      {props.children}
    </li>
  );
}

function Flow({ from, to, unit }: { from: number; to: number; unit: string }) {
  return (
    <p>
      <span className="stage-detail">
        {count(from)} <span className="muted">→</span>{" "}
      </span>
      <b>{count(to)}</b> {unit}
    </p>
  );
}

function timeOf(trace: Trace, stage: string): number | null {
  return trace.timings.find((timing) => timing.stage === stage)?.elapsed_ms ?? null;
}
