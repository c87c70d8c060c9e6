// The notice of the moment, in the corner, told to screen readers too.

import "./notices.css";
import { Button, IconButton } from "../components/controls";
import { Icon } from "../components/Icon";
import { dismiss, holdNotice, notices, resumeNotice } from "./notices";

export function Notices() {
  const { notice } = notices.use();
  const undo = () => {
    notice?.undo?.();
    dismiss();
  };
  return (
    <div
      className="notices"
      role="status"
      aria-live="polite"
      onPointerEnter={holdNotice}
      onPointerLeave={resumeNotice}
      onFocus={holdNotice}
      onBlur={resumeNotice}
    >
      {notice && (
        <div className="notice" data-failure={notice.isFailure || undefined} data-testid="notice">
          <Icon name={notice.isFailure ? "warn" : "check"} />
          <span>{notice.text}</span>
          {notice.undo && (
            <Button data-testid="notice-undo" onPress={undo}>
              Undo
            </Button>
          )}
          {(notice.isFailure || notice.undo) && (
            <IconButton icon="close" label="Dismiss" onPress={dismiss} />
          )}
        </div>
      )}
    </div>
  );
}
