// The notice of the moment, in the corner, told to screen readers too.

import "./notices.css";
import { IconButton } from "../components/controls";
import { Icon } from "../components/Icon";
import { dismiss, notices } from "./notices";

export function Notices() {
  const { notice } = notices.use();
  return (
    <div className="notices" role="status" aria-live="polite">
      {notice && (
        <p className="notice" data-failure={notice.isFailure || undefined} data-testid="notice">
          <Icon name={notice.isFailure ? "warn" : "check"} />
          <span>{notice.text}</span>
          {notice.isFailure && <IconButton icon="close" label="Dismiss" onPress={dismiss} />}
        </p>
      )}
    </div>
  );
}
