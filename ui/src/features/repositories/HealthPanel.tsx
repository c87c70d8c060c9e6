// The health of an index: problems, what it was built with, what was left out and why.

import { type ReactNode, useState } from "react";
import { Button, IconButton } from "../../components/controls";
import { Fact } from "../../components/Fact";
import { bytes, count, percent } from "../../components/format";
import { Icon } from "../../components/Icon";
import { PathText } from "../../components/PathText";
import { Failure, FailureLine, Loading } from "../../components/states";
import {
  copyText,
  type RepoHealth,
  type RepoSummary,
  type SkippedEntry,
  useLiveJob,
  useRepoHealth,
  useStartIndex,
} from "../../ipc";
import { PreciseSection } from "./PreciseSection";
import { ReportsSection } from "./ReportsSection";

const SHOWN = 200;

export function HealthPanel(props: {
  repo: RepoSummary;
  onClose: () => void;
  onRemove: () => void;
}) {
  const { repo } = props;
  const health = useRepoHealth(repo.id);
  const rebuild = useStartIndex();
  const busy = useLiveJob(repo.id) !== undefined;
  return (
    <aside className="health" aria-label={`Health of ${repo.name}`}>
      <header className="health-head">
        <h2 className="ellipsis">Health of {repo.name}</h2>
        {/* What was pressed is drawn anew beside the panel: the focus goes into it. A button that
          says its name opens no tooltip for that. */}
        <Button autoFocus kind="quiet" icon="close" onPress={props.onClose}>
          Close
        </Button>
      </header>
      {health.isPending && <Loading label="Checking the index" />}
      {health.isError && <Failure error={health.error} onRetry={() => health.refetch()} />}
      {health.data && <Details health={health.data} />}
      <FailureLine error={rebuild.error} />
      <footer className="health-actions">
        <Button
          icon="refresh"
          isDisabled={busy || rebuild.isPending}
          onPress={() => rebuild.mutate({ repo: repo.id, rebuild: true })}
        >
          Rebuild index
        </Button>
        <Button kind="danger" icon="trash" data-testid="repo-remove" onPress={props.onRemove}>
          Remove
        </Button>
      </footer>
    </aside>
  );
}

function Details({ health }: { health: RepoHealth }) {
  return (
    <div className="health-body">
      <Problems
        problems={
          health.summary.state === "missing"
            ? ["The folder is missing; the index shows its last known state.", ...health.problems]
            : health.problems
        }
      />
      {health.summary.chunks > 0 && <PreciseSection repo={health.summary} scip={health.scip} />}
      {health.reports.reports.length > 0 && <ReportsSection found={health.reports} />}
      <Section title="Built with">
        <dl className="facts">
          {health.manifest.map((part) => (
            <Fact key={part.name} name={part.name} className="code wrap">
              {part.value}
            </Fact>
          ))}
          <Fact name="compatibility" className="code wrap">
            {health.compatibility}
          </Fact>
          <Fact name="size on disk" className="code wrap">
            {bytes(health.summary.index_bytes)}
          </Fact>
          {health.vectors.map((usage) => (
            <Fact key={usage.kind} name={usage.kind} className="code wrap">
              {`${bytes(usage.bytes)}, ${count(usage.bytes_per_chunk)} bytes per chunk`}
            </Fact>
          ))}
          {health.summary.chunks > 0 && (
            <Fact name="static vectors" className="code wrap">
              {percent(health.summary.coverage.static_vectors ?? 0)} of chunks
            </Fact>
          )}
        </dl>
        <p className="health-path">
          <PathText className="code muted" path={health.index_path} />
          <IconButton icon="copy" label="Copy path" onPress={() => copyText(health.index_path)} />
        </p>
      </Section>
      {health.views.length > 0 && (
        <Section title="Used by">
          <ul>
            {health.views.map((view) => (
              <li key={view} className="code wrap">
                {view}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Entries title="Skipped files" entries={health.skipped} />
      <Entries title="Partly parsed" entries={health.parse_errors} />
    </div>
  );
}

function Problems({ problems }: { problems: string[] }) {
  if (problems.length === 0) {
    return (
      <p className="verdict" data-tone="green">
        <Icon name="check" />
        No problems found.
      </p>
    );
  }
  return (
    <ul>
      {problems.map((problem) => (
        <li key={problem} className="verdict" data-tone="amber">
          <Icon name="warn" />
          {problem}
        </li>
      ))}
    </ul>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="health-section">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Files with a reason each; narrowed by typing. */
function Entries({ title, entries }: { title: string; entries: SkippedEntry[] }) {
  const [needle, setNeedle] = useState("");
  if (entries.length === 0) return null;
  const wanted = needle.toLowerCase();
  const matching = entries.filter((entry) =>
    `${entry.path} ${entry.reason}`.toLowerCase().includes(wanted),
  );
  return (
    <section className="health-section">
      <div className="entries-head">
        <h3>
          {title} <span className="muted">{count(entries.length)}</span>
        </h3>
        {entries.length > 8 && (
          <input
            className="input slim"
            type="search"
            aria-label={`Filter ${title.toLowerCase()}`}
            placeholder="Filter"
            value={needle}
            onChange={(event) => setNeedle(event.target.value)}
          />
        )}
      </div>
      <ul className="entries">
        {matching.slice(0, SHOWN).map((entry) => (
          <li key={entry.path}>
            <PathText className="code" path={entry.path} />
            <span className="small muted">{entry.reason}</span>
          </li>
        ))}
      </ul>
      {matching.length > SHOWN && (
        <p className="small muted">{count(matching.length - SHOWN)} more; filter to see them.</p>
      )}
    </section>
  );
}
