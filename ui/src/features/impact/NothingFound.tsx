// That no use is known, and what the engine says of it: places that may be one, ways that name nothing.

import { count, plural, sentence } from "../../components/format";
import type { ImpactResponse } from "../../ipc";
import { type Open, PlaceRows, Section } from "./ImpactRows";

export function NothingFound(props: { byName: ImpactResponse["by_name"]; onOpen: Open }) {
  const { byName } = props;
  if (!byName)
    return (
      <p className="small" data-testid="impact-nothing">
        No use of it is known.
      </p>
    );
  const { n_uses, n_ruled_out, n_files, hidden, why, uses } = byName;
  const others =
    n_ruled_out > 0
      ? `${plural(n_ruled_out, "other place", "other places")} of its name certainly ${n_ruled_out === 1 ? "means" : "mean"} something else.`
      : "";
  return (
    <>
      <p className="small" data-testid="impact-nothing">
        {n_uses === 0
          ? `Nothing in the ${count(n_files)} files that were read uses it.`
          : "No use of it is certain."}{" "}
        {others}
      </p>
      {hidden && <p className="small muted">{sentence(hidden)}</p>}
      {n_uses > 0 && (
        <Section title="Places of its name that may be a use" count={n_uses}>
          {why && <p className="small muted">{sentence(why)}</p>}
          <PlaceRows places={uses} onOpen={props.onOpen} />
        </Section>
      )}
    </>
  );
}
