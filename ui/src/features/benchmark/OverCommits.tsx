// The score of a repository over its commits: a line and a table for each suite that several runs asked.

import { useState } from "react";
import { amend } from "../../app/route";
import { Choice, plainOptions } from "../../components/Choice";
import { Button } from "../../components/controls";
import { plural } from "../../components/format";
import { Empty, FailureLine } from "../../components/states";
import { type RunInfo, useBenchSummaries } from "../../ipc";
import { CommitTable } from "./CommitTable";
import { measuredOften, runsOf, seriesOf } from "./over-commits";
import { Skeleton } from "./Skeleton";

const close = () => amend({ view: "benchmark" });

export function OverCommits({ runs }: { runs: readonly RunInfo[] }) {
  const repos = measuredOften(runs);
  const [picked, setPicked] = useState("");
  const repo = repos.includes(picked) ? picked : (repos[0] ?? "");
  return (
    <div className="bench-judged" data-testid="bench-commits">
      <header className="view-head">
        <h1>Over commits</h1>
        {repos.length > 0 && (
          <Choice
            showLabel
            slim
            label="Repository"
            data-testid="bench-commits-repo"
            value={repo}
            options={plainOptions(repos)}
            onChange={setPicked}
          />
        )}
        <Button icon="left" onPress={close}>
          Back to runs
        </Button>
      </header>
      {repo === "" ? (
        <Empty>
          No repository was measured twice yet. Run the same suite again after a change, and its
          score stands here commit by commit.
        </Empty>
      ) : (
        <OfRepository key={repo} repo={repo} runs={runsOf(runs, repo)} />
      )}
    </div>
  );
}

function OfRepository({ repo, runs }: { repo: string; runs: readonly RunInfo[] }) {
  const answers = useBenchSummaries(runs.map(({ id }) => id));
  const series = seriesOf(answers.data, repo);
  const nUnread = runs.length - answers.data.length;
  if (answers.isPending) return <Skeleton label="Reading runs" rows={6} />;
  return (
    <>
      <FailureLine error={answers.error} />
      {nUnread > 0 && <p className="small muted">{plural(nUnread, "run")} could not be read.</p>}
      {series.length === 0 && <Empty>No suite was asked of {repo} by more than one run.</Empty>}
      {series.map((one) => (
        <CommitTable key={`${one.suite} ${one.subject}`} series={one} />
      ))}
    </>
  );
}
