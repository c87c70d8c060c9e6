// Places that use what changed and did not change themselves; each leads to its line in Code.

import { count } from "../../components/format";
import { PathText } from "../../components/PathText";
import type { UnchangedCaller } from "../../ipc";

export type Open = (path: string, line: number) => void;

export function CallerList(props: {
  title: string;
  callers: readonly UnchangedCaller[];
  n: number;
  onOpen: Open;
}) {
  const { title, callers, n, onOpen } = props;
  if (callers.length === 0) return null;
  return (
    <section className="changes-callers" aria-label={title}>
      <h3 className="small">
        {title} <span className="muted">{count(n)}</span>
      </h3>
      <ul>
        {callers.map((caller) => (
          <li key={`${caller.path}:${caller.line}`}>
            <PlaceButton {...caller} about={caller.test ? "test" : ""} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      {n > callers.length && <p className="small muted">{count(n - callers.length)} more</p>}
    </section>
  );
}

export function PlaceButton(props: {
  path: string;
  line: number;
  name: string | null;
  about: string;
  onOpen: Open;
}) {
  const { path, line, name, about, onOpen } = props;
  return (
    <button
      type="button"
      className="changes-caller"
      data-testid="changes-caller"
      onClick={() => onOpen(path, line)}
    >
      <span className="code ellipsis">{name ?? "top level"}</span>
      <PathText className="small muted" path={`${path}:${line}`} />
      {about && <span className="small muted">{about}</span>}
    </button>
  );
}
