// Expected places with what became of them, and returned places with what they are worth.

import { count } from "../../components/format";
import { Icon, type IconName } from "../../components/Icon";
import { PathText } from "../../components/PathText";
import type { Place, TaskResult, Verdict } from "../../ipc";

type SpanStyle = { word: string; icon: IconName; tone: string };

const VERDICTS: Record<Verdict, SpanStyle> = {
  right: { word: "right", icon: "check", tone: "green" },
  optional: { word: "optional", icon: "minus", tone: "plain" },
  wrong: { word: "wrong", icon: "close", tone: "red" },
};
const MET: SpanStyle = { word: "met", icon: "check", tone: "green" };
const MISSED: SpanStyle = { word: "missed", icon: "close", tone: "red" };
const PLAIN: SpanStyle = { word: "", icon: "minus", tone: "plain" };

export function ExpectedSpans({ task }: { task: TaskResult }) {
  const met = task.met.filter(Boolean).length;
  return (
    <section className="bench-part" aria-label="Expected" data-testid="bench-expected">
      <header className="bench-part-head">
        <h2 className="minor">Expected</h2>
        <span className="small muted num">
          {task.expected.length > 0 && `${count(met)} of ${count(task.expected.length)} met`}
        </span>
      </header>
      {task.expected_note && <p className="wrap">{task.expected_note}</p>}
      <ol className="bench-span-list">
        {task.expected.map((place, index) => (
          <Span
            key={spanKey(place, index)}
            place={place}
            repo={task.repo}
            look={index < task.met.length ? (task.met[index] ? MET : MISSED) : PLAIN}
          />
        ))}
      </ol>
      {task.expected.length === 0 && !task.expected_note && (
        <p className="muted">None: the right answer is empty.</p>
      )}
    </section>
  );
}

export function FoundSpans({ task }: { task: TaskResult }) {
  const right = task.verdicts.filter((verdict) => verdict === "right").length;
  return (
    <section className="bench-part" aria-label="Returned" data-testid="bench-found">
      <header className="bench-part-head">
        <h2 className="minor">Returned</h2>
        <span className="small muted num">
          {task.found.length > 0 && `${count(right)} of ${count(task.found.length)} right`}
        </span>
      </header>
      {task.found_note && <p className="wrap">{task.found_note}</p>}
      <ol className="bench-span-list">
        {task.found.map((place, index) => {
          const verdict = task.verdicts[index];
          return (
            <Span
              key={spanKey(place, index)}
              place={place}
              repo={task.repo}
              rank={index + 1}
              look={verdict ? VERDICTS[verdict] : PLAIN}
            />
          );
        })}
      </ol>
      {task.found.length === 0 && !task.found_note && <p className="muted">None.</p>}
    </section>
  );
}

function Span(props: { place: Place; repo: string; look: SpanStyle; rank?: number }) {
  const { place, look } = props;
  const elsewhere = place.repo && place.repo !== props.repo ? `${place.repo}: ` : "";
  return (
    <li data-tone={look.tone}>
      <span className="bench-span-mark">
        <Icon name={look.icon} />
        {look.word}
      </span>
      {props.rank !== undefined && <span className="num muted">{props.rank}</span>}
      <span className="bench-span-place">
        {place.file && <PathText className="code" path={elsewhere + place.file + linesOf(place)} />}
        {place.symbol && <span className="code muted ellipsis">{place.symbol}</span>}
      </span>
    </li>
  );
}

function linesOf({ line = 0, end_line = 0 }: Place): string {
  if (line === 0) return "";
  return end_line > line ? `:${line}–${end_line}` : `:${line}`;
}

function spanKey(place: Place, index: number): string {
  return `${index} ${place.file}:${place.line} ${place.symbol ?? ""}`;
}
