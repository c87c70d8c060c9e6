// One review: what is compared, what stands beside it, and what it comes to.

import { useState } from "react";
import { Behind } from "../../components/Behind";
import { copyAndSay } from "../../components/copy";
import { plural } from "../../components/format";
import { IndexFailure } from "../../components/IndexFailure";
import { FailureLine, Loading } from "../../components/states";
import { useKeys } from "../../components/useKeys";
import { type ReviewResponse, useChangeState, useReview, useTestsOfChange } from "../../ipc";
import { Compare } from "./Compare";
import { reviewMarkdown } from "./markdown";
import { NoCommit, NoGit, NothingChanged } from "./Nothing";
import { Reviewed, type ReviewProps } from "./Reviewed";
import { testsOf } from "./run-tests";
import { Summary } from "./Summary";
import { ToMap } from "./ToMap";
import { TreeState } from "./TreeState";
import { isNothing } from "./words";

export function Review(props: ReviewProps) {
  const { repo, reference, onReference } = props;
  const [isChoosing, setChoosing] = useState(false);
  const state = useChangeState(repo.id);
  const review = useReview(repo.id, reference);
  useKeys({ b: () => setChoosing(true) });
  const compare = (
    <Compare
      repo={repo.id}
      reference={reference}
      main={state.data?.main ?? null}
      isOpen={isChoosing}
      onOpen={setChoosing}
      onChange={onReference}
    />
  );
  if (review.isError && review.error.code === "not-a-repository")
    return <NoGit error={review.error} />;
  if (state.data?.head === null) return <NoCommit />;
  return (
    <>
      <header className="view-head changes-head">
        {compare}
        {review.data && <CopyReview repo={repo.id} reference={reference} review={review.data} />}
      </header>
      <Behind />
      <TreeState state={state.data} reference={reference} />
      {/* What was found before stays beside what failed. */}
      {review.data && <FailureLine error={review.error} />}
      <div className="view-body">
        {review.isPending ? (
          <Loading label="Reviewing what changed" isLate />
        ) : review.data === undefined ? (
          <IndexFailure repo={repo.id} error={review.error} onRetry={() => review.refetch()} />
        ) : isNothing(review.data) ? (
          <NothingChanged
            review={review.data}
            reference={reference}
            state={state.data}
            onReference={onReference}
          />
        ) : (
          <Reviewed {...props} review={review.data} isStale={review.isPlaceholderData} />
        )}
      </div>
    </>
  );
}

/** Of more definitions the tests are copied once they have been looked at: following them takes its time. */
const MOST_ASKED = 500;

function CopyReview(props: { repo: string; reference: string; review: ReviewResponse }) {
  const { repo, reference, review } = props;
  const n = review.symbols.length;
  const tests = useTestsOfChange(repo, reference, n > 0 && n <= MOST_ASKED);
  const copy = () => {
    const text = reviewMarkdown(review, tests.data ? testsOf(tests.data) : []);
    void copyAndSay(text, `the review of ${plural(n, "definition")}`);
  };
  const isNone = isNothing(review);
  useKeys({ c: copy }, !isNone);
  if (isNone) return null;
  return (
    <>
      <Summary review={review} onCopy={copy} />
      <ToMap reference={reference} />
    </>
  );
}
