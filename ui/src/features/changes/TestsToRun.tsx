// The tests that reach what changed, and the command that runs them.

import { Button } from "../../components/controls";
import { copyAndSay } from "../../components/copy";
import { plural, sentence } from "../../components/format";
import { FailureLine, Loading } from "../../components/states";
import { useTestsOfChange } from "../../ipc";
import { PlaceButton } from "./CallerList";
import { commandOf, placesOf, testsOf } from "./run-tests";

/** Tests that anybody looks through; the command has them all. */
const MOST = 200;

export function TestsToRun(props: {
  repo: string;
  reference: string;
  onOpen: (path: string, line: number) => void;
}) {
  const answer = useTestsOfChange(props.repo, props.reference, true);
  if (answer.isPending) return <Loading label="Looking for tests" isLate />;
  if (answer.isError) return <FailureLine error={answer.error} />;
  const tests = testsOf(answer.data);
  const command = commandOf(tests);
  const untested = answer.data.symbols.filter((one) => one.n_tests === 0);
  const copy = () =>
    command
      ? copyAndSay(command, `the command of ${plural(tests.length, "test")}`)
      : copyAndSay(placesOf(tests), plural(tests.length, "test"));
  return (
    <div className="changes-tests" data-testid="changes-tests">
      {answer.data.without && <p className="changes-note small">{sentence(answer.data.without)}</p>}
      {tests.length === 0 ? (
        <p>No test is known that reaches what changed, in {plural(answer.data.depth, "step")}.</p>
      ) : (
        <Button icon="copy" data-testid="changes-copy-tests" onPress={copy}>
          {command ? "Copy the command that runs them" : `Copy ${plural(tests.length, "test")}`}
        </Button>
      )}
      {command && <pre className="changes-command code">{command}</pre>}
      <ul aria-label="Tests to run">
        {tests.slice(0, MOST).map((test) => (
          <li key={`${test.path}:${test.line}`}>
            <PlaceButton
              {...test}
              about={[test.sure ? "" : "a guess", test.depth > 1 ? `in ${test.depth} steps` : ""]
                .filter(Boolean)
                .join(", ")}
              onOpen={props.onOpen}
            />
          </li>
        ))}
      </ul>
      {tests.length > MOST && (
        <p className="small muted">{plural(tests.length - MOST, "more test")} in the command</p>
      )}
      {tests.length > 0 && untested.length > 0 && (
        <p className="small muted">
          {plural(untested.length, "changed definition")} {untested.length === 1 ? "is" : "are"}{" "}
          reached by no test.
        </p>
      )}
    </div>
  );
}
