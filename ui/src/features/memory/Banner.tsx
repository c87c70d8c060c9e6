// Of which moment the memos are, and what was done last.

import { Button, IconButton } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { FailureLine } from "../../components/states";
import type { Acts } from "./useMemory";
import type { Place } from "./usePlace";
import { isNow, shortSha, whenOf } from "./words";

/** Of which moment this is, when it is not here and now. */
export function Banner({ place, commit }: { place: Place; commit: string | null }) {
  const { moment } = place;
  if (isNow(moment)) return null;
  const asOf = moment.as_of ? `As of ${shortName(moment.as_of)}` : "As of HEAD";
  const at =
    moment.as_of && commit && !commit.startsWith(moment.as_of) ? ` (${shortSha(commit)})` : "";
  const known = moment.known_at ? `, as known at ${whenOf(Number(moment.known_at))}` : "";
  return (
    <p className="memory-banner" role="status" data-testid="memory-banner">
      <Icon name="clock" />
      <span>
        {asOf}
        {at}
        {known}. The past is read-only.
      </span>
      <Button
        data-testid="memory-now"
        onPress={() => place.setMoment({ as_of: null, known_at: null })}
      >
        Back to now
      </Button>
    </p>
  );
}

const shortName = (revision: string) =>
  /^[0-9a-f]{40}$/.test(revision) ? shortSha(revision) : revision;

/** What was done last, and its undo. */
export function Outcome({ acts }: { acts: Acts }) {
  if (acts.sending.isError) {
    return (
      <div className="memory-done">
        <FailureLine error={acts.sending.error} />
        <IconButton icon="close" label="Dismiss" onPress={() => acts.sending.reset()} />
      </div>
    );
  }
  if (!acts.done) return null;
  return (
    <div
      className="memory-done memory-toast"
      role="status"
      data-testid="memory-done"
      onPointerEnter={() => acts.hold(true)}
      onPointerLeave={() => acts.hold(false)}
      onFocus={() => acts.hold(true)}
      onBlur={() => acts.hold(false)}
    >
      <Icon name="check" />
      <span>{acts.done.words}</span>
      {acts.done.undo && (
        <Button data-testid="memory-undo" onPress={acts.undo}>
          Undo
        </Button>
      )}
      <span className="spacer" />
      <IconButton icon="close" label="Dismiss" onPress={acts.clear} />
    </div>
  );
}
