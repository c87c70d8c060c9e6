// The review in a line, what to know of it, and the way to hand it on.

import { Button } from "../../components/controls";
import { sentence } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { ReviewResponse } from "../../ipc";
import { summaryOf } from "./words";

export function Summary({ review, onCopy }: { review: ReviewResponse; onCopy: () => void }) {
  return (
    <>
      <p className="changes-summary muted" role="status" data-testid="changes-summary">
        {summaryOf(review).join(" · ")}
      </p>
      <Button icon="copy" data-testid="changes-copy" onPress={onCopy}>
        Copy for an agent
      </Button>
    </>
  );
}

/** What to know of the comparison, and of what its users and tests are. */
export function Notes({ review }: { review: ReviewResponse }) {
  const notes = [...review.notes, ...(review.without ? [review.without] : [])];
  return notes.map((note) => (
    <p key={note} className="changes-note small" role="status" data-testid="changes-note">
      <Icon name="info" /> {sentence(note)}
    </p>
  ));
}
