// What waits for a decision, before everything else: memos that contradict each other, and those whose code
// has changed.

import { plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { type MemoFilter, useMemoCounts } from "../../ipc";
import type { Place } from "./usePlace";
import { isNow } from "./words";

const DRIFTED: MemoFilter = { state: "drifted", kinds: [], text: "" };

export function Inbox(props: { asked: string; place: Place; nConflicts: number }) {
  const { place, nConflicts } = props;
  const [nDrifted = 0] = useMemoCounts([props.asked], DRIFTED, place.moment);
  // The past needs no decision.
  if (!isNow(place.moment) || nConflicts + nDrifted === 0) return null;
  const toggle = (state: string) => {
    place.setText("");
    place.setKind("");
    place.setState(place.state === state ? "valid" : state);
  };
  return (
    <fieldset className="memory-line memory-inbox" data-testid="memory-inbox">
      <legend className="visually-hidden">Needs attention</legend>
      <Icon name="warn" />
      <span>Needs attention</span>
      {nConflicts > 0 && (
        <button
          type="button"
          className="memory-part"
          data-testid="memory-inbox-conflicts"
          aria-pressed={place.state === "conflicts"}
          onClick={() => toggle("conflicts")}
        >
          {plural(nConflicts, "conflict")}
        </button>
      )}
      {nDrifted > 0 && (
        <button
          type="button"
          className="memory-part"
          data-testid="memory-inbox-drifted"
          aria-pressed={place.state === "drifted"}
          onClick={() => toggle("drifted")}
        >
          {plural(nDrifted, "memo")} drifted
        </button>
      )}
    </fieldset>
  );
}
