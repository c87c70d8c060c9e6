// The repositories whose memos are one list, each with how many of them are its own: one narrows to it.

import { scopeName } from "../../app/scope";
import { type MemoFilter, type MemoMoment, type ScopeChoice, useMemoCounts } from "../../ipc";

export function Others(props: {
  /** The one that is listed alone; `null` for all. */
  only: string | null;
  scope: ScopeChoice;
  filter: MemoFilter;
  moment: MemoMoment;
  onOnly: (repo: string | null) => void;
}) {
  const { scope } = props;
  const ids = scope.repos.map(({ id }) => id);
  const counts = useMemoCounts(ids, props.filter, props.moment);
  const choices = [
    { id: null, name: "All", count: undefined },
    ...scope.repos.map(({ id, name }, at) => ({ id, name, count: counts[at] ?? "…" })),
  ];
  return (
    <fieldset className="memory-line memory-scope" data-testid="memory-parts">
      <legend className="visually-hidden">Repositories of {scopeName(scope)}</legend>
      {choices.map(({ id, name, count }) => (
        <button
          key={id}
          type="button"
          className="memory-part"
          data-testid="memory-part"
          aria-pressed={id === props.only}
          onClick={() => props.onOnly(id)}
        >
          {name} {count !== undefined && <span className="muted">{count}</span>}
        </button>
      ))}
    </fieldset>
  );
}
