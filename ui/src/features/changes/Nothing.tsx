// That nothing changed, and against what; and folders of which git knows nothing.

import { navigate } from "../../app/route";
import { Button } from "../../components/controls";
import { plural } from "../../components/format";
import { Empty, Failure } from "../../components/states";
import type { ChangeState, EngineFailure, ReviewResponse } from "../../ipc";

export function NothingChanged(props: {
  review: ReviewResponse;
  reference: string;
  state: ChangeState | undefined;
  onReference: (reference: string) => void;
}) {
  const { review, reference, state, onReference } = props;
  const main = state?.main;
  const isAhead = reference === "" && main && main.n_ahead > 0;
  return (
    <div data-testid="changes-nothing" className="changes-nothing">
      <Empty
        action={
          isAhead ? (
            <Button kind="primary" onPress={() => onReference(main.name)}>
              Review {plural(main.n_ahead, "commit")} since {main.name}
            </Button>
          ) : reference === "" ? (
            <Button onPress={() => onReference("HEAD^!")}>Review the last commit</Button>
          ) : (
            <Button onPress={() => onReference("")}>Review what is not committed</Button>
          )
        }
      >
        Nothing changed since {review.base}
        {isAhead &&
          `, and ${state.branch ?? "this state"} is ${plural(main.n_ahead, "commit")} ahead of ${main.name}`}
        .
      </Empty>
      {review.notes.map((note) => (
        <p key={note} className="small muted">
          {note}
        </p>
      ))}
    </div>
  );
}

/** Before the first commit there is nothing to compare with. */
export function NoCommit() {
  return (
    <div data-testid="changes-no-commit">
      <Empty action={<Button onPress={() => navigate({ view: "search" })}>Go to code</Button>}>
        This repository has no commit yet: changes are shown from the first one on.
      </Empty>
    </div>
  );
}

/** What changed is told by git: without it the code can be searched all the same. */
export function NoGit({ error }: { error: EngineFailure }) {
  return (
    <Failure
      error={error}
      action={<Button onPress={() => navigate({ view: "search" })}>Go to code</Button>}
    />
  );
}
