// The dock where there is no room for it: the names of its lenses at the edge of the code, each of which opens.

import "./dock.css";
import type { KeyboardEvent } from "react";
import { showLens, useDock } from "./dock-state";
import { LENSES, lensOf } from "./lenses";

export function FoldedDock() {
  const last = lensOf(useDock().lens).id;
  return (
    <nav className="dock-folded" aria-label="Lenses" data-testid="dock-folded">
      {LENSES.map(({ id, label, key }) => (
        <button
          key={id}
          type="button"
          title={`${label} (${key})`}
          data-testid={`folded-${id}`}
          data-last={id === last || undefined}
          // One stop on the way by Tab; arrows lead through the others.
          tabIndex={id === last ? 0 : -1}
          onKeyDown={walk}
          onClick={() => showLens(id)}
        >
          <span>{label}</span>
        </button>
      ))}
    </nav>
  );
}

function walk(event: KeyboardEvent): void {
  const { nextElementSibling: next, previousElementSibling: before } = event.currentTarget;
  const to = { ArrowDown: next, ArrowUp: before }[event.key];
  if (!(to instanceof HTMLElement)) return;
  event.preventDefault();
  to.focus();
}
