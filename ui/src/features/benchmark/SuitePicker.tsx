// Task sets to choose from, and a path to one of your own.

import { plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { Failure } from "../../components/states";
import { choosePath, type SuiteChoice, useBenchSuites } from "../../ipc";
import { type Draft, toggled } from "./draft";
import { PathList } from "./PathList";
import { Skeleton } from "./Skeleton";

export function SuitePicker(props: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const { draft, onChange } = props;
  const suites = useBenchSuites();
  return (
    <fieldset className="bench-pick">
      <legend>Suites</legend>
      {suites.isPending && <Skeleton label="Reading suites" rows={3} />}
      {suites.isError && <Failure error={suites.error} onRetry={() => suites.refetch()} />}
      <ul>
        {suites.data?.map((suite) => (
          <Suite
            key={suite.path}
            suite={suite}
            isChosen={draft.suites.includes(suite.name)}
            onToggle={() => onChange({ suites: toggled(draft.suites, suite.name) })}
          />
        ))}
      </ul>
      <PathList
        label="Path of a task file or folder"
        placeholder="/path/to/tasks.jsonl or a folder"
        testid="bench-path"
        paths={draft.paths}
        onChange={(paths) => onChange({ paths })}
        kind="file"
        browse={() => choosePath("task-file")}
      />
      <Checkouts folders={draft.folders} onChange={(folders) => onChange({ folders })} />
    </fieldset>
  );
}

function Suite(props: { suite: SuiteChoice; isChosen: boolean; onToggle: () => void }) {
  const { suite } = props;
  return (
    <li>
      <label className="check" data-disabled={suite.error !== null || undefined}>
        <input
          type="checkbox"
          data-testid="bench-suite"
          data-suite={suite.name}
          checked={props.isChosen}
          disabled={suite.error !== null}
          onChange={props.onToggle}
        />
        <span className="bench-option">
          <span>
            <b>{suite.name}</b>{" "}
            <span className="small muted">
              {[
                plural(suite.n_tasks, "task"),
                plural(suite.n_repositories, "repository", "repositories"),
                languagesInWords(suite.languages),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </span>
          <span className="small muted">{suite.description}</span>
          {suite.error && (
            <span className="small bench-error">
              <Icon name="fail" /> {suite.error}
            </span>
          )}
        </span>
      </label>
    </li>
  );
}

function languagesInWords(languages: string[]): string {
  if (languages.length <= 4) return languages.join(", ");
  return `${languages.slice(0, 3).join(", ")} and ${languages.length - 3} more languages`;
}

/** Says before the run that it may fetch, and takes folders that spare it that. */
function Checkouts(props: { folders: string[]; onChange: (folders: string[]) => void }) {
  return (
    <details className="bench-narrowing">
      <summary className="small">
        Repositories are fetched on first use, with git or a package manager, and kept.{" "}
        <span className="bench-hint">Have them already?</span>
      </summary>
      <PathList
        label="Folder with checkouts"
        placeholder="/path/to/a/folder with checkouts"
        testid="bench-folder"
        paths={props.folders}
        onChange={props.onChange}
        kind="folder"
        browse={() => choosePath("checkouts")}
      />
    </details>
  );
}
