// Task sets to choose from, and a path to one of your own.

import { useState } from "react";
import { Button, IconButton } from "../../components/controls";
import { plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { Failure } from "../../components/states";
import { chooseFile, type SuiteChoice, useBenchSuites } from "../../ipc";
import { type Draft, toggled } from "./draft";
import { Skeleton } from "./Skeleton";

export function SuitePicker(props: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const { draft, onChange } = props;
  const suites = useBenchSuites();
  return (
    <fieldset className="bench-pick">
      <legend>Task sets</legend>
      {suites.isPending && <Skeleton label="Reading task sets" rows={3} />}
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
        {draft.paths.map((path) => (
          <li key={path} className="bench-path">
            <Icon name="folder" />
            <span className="code path-start ellipsis" title={path}>
              <bdi>{path}</bdi>
            </span>
            <IconButton
              icon="close"
              label={`Leave out ${path}`}
              onPress={() => onChange({ paths: toggled(draft.paths, path) })}
            />
          </li>
        ))}
      </ul>
      <AddPath
        onAdd={(path) => !draft.paths.includes(path) && onChange({ paths: [...draft.paths, path] })}
      />
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
              {plural(suite.n_tasks, "task")} ·{" "}
              {plural(suite.n_repositories, "repository", "repositories")} ·{" "}
              {languagesInWords(suite.languages)}
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

function AddPath({ onAdd }: { onAdd: (path: string) => void }) {
  const [path, setPath] = useState("");
  const add = (given: string) => {
    if (given.trim() === "") return;
    onAdd(given.trim());
    setPath("");
  };
  const browse = async () => {
    const chosen = await chooseFile("Choose a task file");
    if (chosen) add(chosen);
  };
  return (
    <div className="bench-add-path">
      <input
        className="input code"
        aria-label="Path of a task file or folder"
        data-testid="bench-path"
        placeholder="/path/to/tasks.jsonl or a folder"
        spellCheck={false}
        value={path}
        onChange={(event) => setPath(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && add(path)}
      />
      <Button icon="folder" onPress={browse}>
        Browse
      </Button>
      <Button isDisabled={path.trim() === ""} onPress={() => add(path)}>
        Add
      </Button>
    </div>
  );
}
