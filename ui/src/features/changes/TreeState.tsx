// What stands beside the review: an operation under way, conflicts, what is staged.

import { plural, sentence } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { ChangeState } from "../../ipc";

export function TreeState(props: { state: ChangeState | undefined; reference: string }) {
  const { state, reference } = props;
  if (!state) return null;
  const { under_way, conflicted } = state;
  const parts = reference.includes("..") || reference.endsWith("^!") ? [] : partsOf(state);
  if (!under_way && conflicted.length === 0 && parts.length === 0) return null;
  return (
    <div className="changes-state" data-testid="changes-state">
      {under_way && (
        <p role="status">
          <Icon name="warn" />
          <span>{sentence(`${article(under_way)} ${under_way} is under way`)}</span>
        </p>
      )}
      {conflicted.length > 0 && (
        <Paths
          title={`${plural(conflicted.length, "file")} in conflict`}
          paths={conflicted}
          isOpen
        />
      )}
      {parts.length > 0 && (
        <div className="changes-parts">
          {parts.map(({ title, paths }) => (
            <Paths key={title} title={title} paths={paths} />
          ))}
          {state.n_left_out > 0 && (
            <span className="small muted">{plural(state.n_left_out, "more path")} not listed</span>
          )}
        </div>
      )}
    </div>
  );
}

/** Staged, not staged and new, where there is a difference to tell. */
function partsOf({ staged, unstaged, untracked }: ChangeState) {
  const all = [
    { title: `${plural(staged.length, "file")} staged`, paths: staged },
    { title: `${plural(unstaged.length, "file")} not staged`, paths: unstaged },
    { title: `${plural(untracked.length, "file")} not tracked`, paths: untracked },
  ];
  return all.filter(({ paths }) => paths.length > 0);
}

function Paths(props: { title: string; paths: string[]; isOpen?: boolean }) {
  return (
    <details className="changes-paths small" open={props.isOpen}>
      <summary>{props.title}</summary>
      <ul>
        {props.paths.map((path) => (
          <li key={path} className="code">
            {path}
          </li>
        ))}
      </ul>
    </details>
  );
}

const article = (word: string) => (/^[aeiou]/.test(word) ? "an" : "a");
