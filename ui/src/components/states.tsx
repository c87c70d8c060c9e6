// The states every view has besides its content: loading, empty, error.

import "./states.css";
import type { ReactNode } from "react";
import type { EngineFailure } from "../ipc";
import { copyText } from "../ipc";
import { Button } from "./controls";
import { sentence } from "./format";
import { Icon } from "./Icon";
import { withoutCommand } from "./repo-state";

/** `isLate`: only what takes its time is said; a blink of it would be worse than none. */
export function Loading({ label, isLate = false }: { label: string; isLate?: boolean }) {
  return (
    <div className="state" role="status" data-late={isLate || undefined}>
      <span className="spinner" aria-hidden="true" />
      <p className="muted">{label}</p>
    </div>
  );
}

/** One sentence and one action. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="state">
      <p>{children}</p>
      {action}
    </div>
  );
}

/** What failed, the next step as a button, and the details to copy. */
export function Failure(props: { error: EngineFailure; action?: ReactNode; onRetry?: () => void }) {
  const { error } = props;
  // The command of a terminal is left out where a button does the same.
  const hint = props.action ? withoutCommand(error.hint) : error.hint;
  const details = JSON.stringify({ code: error.code, message: error.message, hint: error.hint });
  return (
    <div className="state failure" role="alert">
      <Icon name="fail" />
      <p>
        <strong>{sentence(error.message)}</strong>
        {hint && <span className="muted"> {sentence(hint)}</span>}
      </p>
      <div className="state-actions">
        {props.action}
        {props.onRetry && (
          <Button icon="refresh" onPress={props.onRetry}>
            Try again
          </Button>
        )}
        <Button kind="quiet" icon="copy" onPress={() => copyText(details)}>
          Copy details
        </Button>
      </div>
    </div>
  );
}

/** An error in a line, where a whole view would be too much. */
export function FailureLine({ error }: { error: EngineFailure | null | undefined }) {
  if (!error) return null;
  return (
    <p className="failure-line" role="alert">
      <Icon name="fail" />
      <span>
        {sentence(error.message)}
        {error.hint && ` ${sentence(error.hint)}`}
      </span>
    </p>
  );
}
