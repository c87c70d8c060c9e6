// Memory of several repositories: each has its own, so one is chosen; what is sought is counted in all.

import { chooseScope, scopeName } from "../../app/scope";
import { type MemoFilter, type MemoMoment, type ScopeChoice, useMemoCounts } from "../../ipc";

export function Others(props: {
  repo: string;
  scope: ScopeChoice;
  filter: MemoFilter;
  moment: MemoMoment;
}) {
  const { scope } = props;
  const ids = scope.repos.map(({ id }) => id);
  // A commit is that of one repository; the others are looked at as they are now.
  const counts = useMemoCounts(ids, props.filter, { ...props.moment, as_of: null });
  return (
    <fieldset className="memory-line memory-others" data-testid="memory-others">
      <legend className="visually-hidden">Repositories of {scopeName(scope)}</legend>
      <span className="small muted">Each repository has its own memory:</span>
      {scope.repos.map(({ id, name }, at) => (
        <button
          key={id}
          type="button"
          className="memory-other"
          data-testid="memory-other"
          aria-pressed={id === props.repo}
          onClick={() => chooseScope(id, scope.name)}
        >
          {name} <span className="muted">{counts[at] ?? "…"}</span>
        </button>
      ))}
    </fieldset>
  );
}
