// Hits that were judged, by question: what the suite "judged" asks and expects.

import { amend, navigate } from "../../app/route";
import { Button, IconButton } from "../../components/controls";
import { plural } from "../../components/format";
import { JudgedMark } from "../../components/JudgedMark";
import { useJudging } from "../../components/judged";
import { PathText } from "../../components/PathText";
import { Empty, Failure } from "../../components/states";
import { type JudgedHit, useJudgedHits, useRepos } from "../../ipc";
import { byQuestion, type JudgedQuestion, taskCount } from "./judged-questions";
import { Skeleton } from "./Skeleton";

const close = () => amend({ view: "benchmark" });

export function JudgedPanel({ onRun }: { onRun: () => void }) {
  const judged = useJudgedHits();
  if (judged.isPending) return <Skeleton label="Reading judged hits" />;
  if (judged.isError) return <Failure error={judged.error} onRetry={() => judged.refetch()} />;
  const questions = byQuestion(judged.data);
  const nTasks = taskCount(questions);
  const toCode = () => navigate({ view: "search" });
  return (
    <div className="bench-judged" data-testid="bench-judged">
      <header className="view-head">
        <h1>Judged hits</h1>
        <Button icon="left" onPress={close}>
          Back to runs
        </Button>
        <Button
          kind="primary"
          icon="play"
          data-testid="bench-judged-run"
          isDisabled={nTasks === 0}
          onPress={onRun}
        >
          Run this suite
        </Button>
      </header>
      {questions.length === 0 ? (
        <Empty
          action={
            <Button kind="primary" icon="search" onPress={toCode}>
              Go to code
            </Button>
          }
        >
          Nothing is judged yet. Open Why on a result and say Right (y) or Wrong (n): a question
          with a right result becomes a task of the suite “judged”.
        </Empty>
      ) : (
        <>
          <p className="small muted" role="status">
            {plural(judged.data.length, "judged hit")}, {plural(nTasks, "task")}
            {nTasks < questions.length &&
              `; ${plural(questions.length - nTasks, "question")} without a right hit`}
          </p>
          <ul className="bench-questions" aria-label="Questions">
            {questions.map((one) => (
              <Question key={one.key} question={one} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Question({ question }: { question: JudgedQuestion }) {
  const { data: repos = [] } = useRepos();
  const { query, asOf } = question;
  const name = repos.find(({ id }) => id === question.repo)?.name ?? question.repo;
  return (
    <li data-testid="bench-question">
      <h2 className="minor">
        {query}{" "}
        <span className="small muted">
          {[name, asOf?.slice(0, 10)].filter(Boolean).join(" @ ")}
        </span>
      </h2>
      <ul>
        {question.hits.map((hit) => (
          <Judged key={`${hit.place.path}:${hit.place.symbol}:${hit.place.start_line}`} hit={hit} />
        ))}
      </ul>
    </li>
  );
}

function Judged({ hit }: { hit: JudgedHit }) {
  const { repo, query, place } = hit;
  const { send, isPending } = useJudging();
  const remove = () => void send({ repo, query, as_of: hit.as_of ?? null, place, verdict: null });
  return (
    <li className="bench-judged-hit" data-testid="bench-judged-hit">
      <JudgedMark verdict={hit.verdict} />
      {place.symbol && <span className="code">{place.symbol}</span>}
      <PathText className="code muted" path={`${place.path}:${place.start_line}`} />
      <IconButton
        icon="trash"
        label={`Delete the judgement of ${place.symbol ?? place.path}`}
        data-testid="bench-judged-delete"
        isDisabled={isPending}
        onPress={remove}
      />
    </li>
  );
}
