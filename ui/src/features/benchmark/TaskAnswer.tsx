// A subject's answer to a task: scores, spans side by side, calls, and what the agent read.

import { navigate } from "../../app/route";
import { Button } from "../../components/controls";
import { count, ms, plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { Empty, Failure } from "../../components/states";
import { copyText, type TaskKey, type TaskResult, useBenchTask } from "../../ipc";
import { ALL_METRICS, metricName, score } from "./figures";
import { Skeleton } from "./Skeleton";
import { ExpectedSpans, FoundSpans } from "./Spans";
import { subjectLabel } from "./subjects";

export function TaskAnswer(key: TaskKey) {
  const task = useBenchTask(key);
  if (task.isPending) return <Skeleton label="Reading the answer" rows={8} />;
  if (task.isError) return <Failure error={task.error} onRetry={() => task.refetch()} />;
  const { data } = task;
  return (
    <div className="bench-answer" data-stale={task.isPlaceholderData || undefined}>
      <Facts task={data} />
      {data.error && (
        <p className="failure-line" role="alert" data-testid="bench-task-error">
          <Icon name="fail" />
          <span className="wrap">{data.error}</span>
        </p>
      )}
      {data.unsupported ? (
        <Empty>
          {subjectLabel(data.subject)} does not do tasks of this category; they are left out of its
          means.
        </Empty>
      ) : (
        <>
          <div className="bench-spans">
            <ExpectedSpans task={data} />
            <FoundSpans task={data} />
          </div>
          <Calls task={data} />
          <AgentView task={data} />
        </>
      )}
    </div>
  );
}

function Facts({ task }: { task: TaskResult }) {
  const others = ALL_METRICS.filter((metric) => metric !== task.headline);
  const metrics = [task.headline, ...others].filter((metric) => task.scores[metric] !== undefined);
  return (
    <div className="bench-task-facts">
      {metrics.map((metric) => (
        <span key={metric} data-headline={metric === task.headline || undefined}>
          <span className="muted">{metricName(metric)}</span> <b>{score(task.scores[metric])}</b>
        </span>
      ))}
      <span>
        <span className="muted">Wall</span> {ms(task.wall_ms)}
      </span>
      {task.cpu_ms !== null && (
        <span>
          <span className="muted">CPU</span> {ms(task.cpu_ms)}
        </span>
      )}
      <span className="spacer" />
      {task.query_id !== null && (
        <Button
          icon="explain"
          data-testid="bench-explain"
          onPress={() => navigate({ view: "explain", id: task.query_id ?? "" })}
        >
          Open in Explain
        </Button>
      )}
    </div>
  );
}

function Calls({ task }: { task: TaskResult }) {
  if (task.calls.length === 0) return null;
  return (
    <section className="bench-part" aria-label="Calls">
      <h2 className="minor">{plural(task.calls.length, "call")}</h2>
      <ol className="bench-calls">
        {task.calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same call may be made twice, in order
          <li key={index}>
            <b className="code">{call.tool}</b> <code className="wrap">{call.arguments}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}

function AgentView({ task }: { task: TaskResult }) {
  return (
    <section className="bench-part" aria-label="What the agent reads">
      <header className="bench-part-head">
        <h2 className="minor">What the agent reads</h2>
        <span className="small muted num">{count(task.tokens)} tokens</span>
        <span className="spacer" />
        {task.text !== "" && (
          <Button kind="quiet" icon="copy" onPress={() => copyText(task.text)}>
            Copy
          </Button>
        )}
      </header>
      {task.text === "" ? (
        <p className="muted">No text.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard
        <pre className="code bench-text" data-testid="bench-text" tabIndex={0}>
          {task.text}
        </pre>
      )}
    </section>
  );
}
