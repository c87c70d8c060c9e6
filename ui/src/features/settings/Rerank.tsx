// The last query under the weights being tried, with each hit's move.

import { useEffect, useMemo, useState } from "react";
import { navigate } from "../../app/route";
import type { LastAnswer } from "../../app/session";
import { Button } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { PathText } from "../../components/PathText";
import { Empty, Failure, Loading } from "../../components/states";
import { type Hit, useSearch, type WeightSetting } from "../../ipc";

const SHOWN = 12;
const DEBOUNCE_MS = 80;

export function Rerank(props: {
  last: LastAnswer | null;
  saved: WeightSetting[];
  weights: WeightSetting[];
  kChanged: boolean;
}) {
  const { last } = props;
  if (!last) {
    return (
      <div className="rerank">
        <Empty action={<Button onPress={() => navigate({ view: "search" })}>Go to code</Button>}>
          Run a search, and this shows how new weights would reorder its results.
        </Empty>
      </div>
    );
  }
  return <Trial {...props} last={last} />;
}

function Trial(props: {
  last: LastAnswer;
  saved: WeightSetting[];
  weights: WeightSetting[];
  kChanged: boolean;
}) {
  const { last } = props;
  const [trial, setTrial] = useState(props.weights);
  useEffect(() => {
    const timer = setTimeout(() => setTrial(props.weights), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [props.weights]);

  const base = useSearch({ ...last.request, weights: props.saved });
  const tried = useSearch({ ...last.request, weights: trial });
  const before = useMemo(
    () => new Map(base.data?.hits.map((hit) => [keyOf(hit), hit.rank])),
    [base.data],
  );
  return (
    <div className="rerank" data-testid="rerank">
      <div className="rerank-head">
        <h3 className="ellipsis">
          “{last.request.query}” <span className="muted">with these weights</span>
        </h3>
      </div>
      {props.kChanged && <p className="small muted">A new k takes effect when it is saved.</p>}
      {tried.isError && <Failure error={tried.error} onRetry={() => tried.refetch()} />}
      {tried.isPending && <Loading label="Searching" />}
      <ol data-stale={tried.isPlaceholderData || undefined}>
        {tried.data?.hits.slice(0, SHOWN).map((hit, index) => (
          <li key={keyOf(hit)}>
            <span className="num muted">{index + 1}</span>
            <Delta before={before.get(keyOf(hit))} now={hit.rank} />
            <span className="code ellipsis">{hit.symbol ?? hit.path.split("/").pop()}</span>
            <PathText className="small muted" path={`${hit.path}:${hit.start_line}`} />
          </li>
        ))}
      </ol>
      {tried.data?.hits.length === 0 && <p className="muted">No channel finds a result.</p>}
    </div>
  );
}

function Delta({ before, now }: { before: number | undefined; now: number }) {
  if (before === undefined) return <span className="delta new">new</span>;
  if (before === now) return <span className="delta muted">–</span>;
  const up = before > now;
  return (
    <span className="delta" data-up={up || undefined}>
      <Icon name={up ? "up" : "down"} />
      <span className="visually-hidden">{up ? "up" : "down"} </span>
      {Math.abs(before - now)}
    </span>
  );
}

function keyOf(hit: Hit): string {
  return `${hit.path}:${hit.start_line}`;
}
