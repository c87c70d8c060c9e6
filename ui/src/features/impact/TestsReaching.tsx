// The tests that reach a definition, nearest first.

import { Button } from "../../components/controls";
import { copyAndSay } from "../../components/copy";
import { plural } from "../../components/format";
import { FailureLine } from "../../components/states";
import { type Definition, type TestMapResponse, type TestPlace, useTestsOf } from "../../ipc";
import { type Open, Row, Section } from "./ImpactRows";

export function TestsReaching({ of, onOpen }: { of: Definition; onOpen: Open }) {
  const answer = useTestsOf(of);
  if (answer.isError) return <FailureLine error={answer.error} />;
  if (!answer.data) return <p className="small muted">Looking for tests that reach it</p>;
  const { tests, nTests, nPossible, nOpen } = testsIn(answer.data);
  const copy = () => copyAndSay(textOf(tests), plural(tests.length, "test"));
  return (
    <Section title="Tests that reach it" count={nTests}>
      {answer.data.without && <p className="small muted">{answer.data.without}</p>}
      {tests.length === 0 && (
        <p className="small" data-testid="impact-no-tests">
          {noTests(answer.data, nOpen)}
        </p>
      )}
      {tests.length > 0 && (
        <>
          <ul className="impact-rows">
            {tests.map((test) => (
              <Row
                key={`${test.path}:${test.line}`}
                name={test.name ?? test.path.split("/").at(-1) ?? test.path}
                path={test.path}
                line={test.line}
                confidence={test.sure ? "resolved" : "possible"}
                about={test.depth > 1 ? `in ${test.depth} steps` : ""}
                onOpen={onOpen}
              />
            ))}
          </ul>
          <Button kind="quiet" icon="copy" data-testid="impact-copy-tests" onPress={copy}>
            Copy {plural(tests.length, "test")}
          </Button>
        </>
      )}
      {nTests > tests.length && (
        <p className="small muted">{plural(nTests - tests.length, "more test")}</p>
      )}
      {nPossible > 0 && (
        <p className="small muted">{plural(nPossible, "other test")} may reach it.</p>
      )}
    </Section>
  );
}

/** Of a type the tests of its members too, each once. */
function testsIn({ symbols }: TestMapResponse) {
  const seen = new Set<string>();
  const tests = symbols
    .flatMap((symbol) => symbol.tests)
    .filter(({ path, line }) => !seen.has(`${path}:${line}`) && seen.add(`${path}:${line}`))
    .sort((a, b) => Number(b.sure) - Number(a.sure) || a.depth - b.depth);
  const most = (of: (symbol: TestMapResponse["symbols"][number]) => number) =>
    symbols.reduce((sum, symbol) => Math.max(sum, of(symbol)), 0);
  return {
    tests,
    nTests: Math.max(
      tests.length,
      most((symbol) => symbol.n_tests),
    ),
    nPossible: most((symbol) => symbol.n_possible),
    nOpen: most((symbol) => symbol.n_open),
  };
}

function noTests(answer: TestMapResponse, nOpen: number): string {
  if (answer.n_test_files === 0) return "The repository has no test files.";
  const none = `No test is known that reaches it in ${plural(answer.depth, "step")}.`;
  if (nOpen === 0) return none;
  return `${none} ${plural(nOpen, "place")} in tests may mean it, or another of its name.`;
}

/** One a line, as tests are named to those who run them. */
function textOf(tests: TestPlace[]): string {
  const lines = tests.map(({ path, line, name }) => `${path}:${line}${name ? ` ${name}` : ""}`);
  return lines.join("\n");
}
