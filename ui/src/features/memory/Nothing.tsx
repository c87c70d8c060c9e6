// What is in place of memos while there are none to show.

import { Button } from "../../components/controls";
import { Empty } from "../../components/states";
import { OtherMemories } from "./Home";
import type { Place } from "./usePlace";

export function Nothing(props: { repo: string; place: Place; nTotal: number; onNew: () => void }) {
  const { place } = props;
  if (props.nTotal === 0) {
    return (
      <>
        <Empty
          action={
            <Button kind="primary" icon="plus" onPress={props.onNew}>
              New memo
            </Button>
          }
        >
          No memos about this repository yet. A memo says what the code does not: a decision and its
          reason, a preference, a correction.
        </Empty>
        <OtherMemories repo={props.repo} />
      </>
    );
  }
  const isFiltered = place.text !== "" || place.kind !== "" || place.state !== "valid";
  const show = () => {
    place.setText("");
    place.setKind("");
    place.setState(isFiltered ? "valid" : "all");
  };
  return (
    <Empty
      action={<Button onPress={show}>{isFiltered ? "Clear filters" : "Show all memos"}</Button>}
    >
      {isFiltered ? "No memo matches these filters." : "No current memo here."}
    </Empty>
  );
}
