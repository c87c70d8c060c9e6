// What depends on the definition that is chosen: who uses it by step, what stands in for it, which tests reach it.

import "./impact-lens.css";
import { openCode } from "../../app/opened";
import type { LensProps, Selection } from "../../app/selection";
import { plural, sentence } from "../../components/format";
import { Empty, Failure, Loading } from "../../components/states";
import { type Definition, type ImpactResponse, useImpact } from "../../ipc";
import { dependentsOf, stepName } from "./callers";
import { CallerRows, PlaceRows, Section } from "./ImpactRows";
import { NothingFound } from "./NothingFound";
import { TestsReaching } from "./TestsReaching";

export function ImpactLens({ selection }: LensProps) {
  const of = definitionOf(selection);
  const impact = useImpact(of, 0);
  if (!of) return <Empty>Choose a definition, and this shows what depends on it.</Empty>;
  if (impact.isPending) return <Loading label="Following its uses" isLate />;
  if (impact.isError) return <Failure error={impact.error} onRetry={() => impact.refetch()} />;
  const { data } = impact;
  const open = (path: string, line: number) => openCode({ repo: of.repo, path, line });
  return (
    <div
      className="impact"
      data-testid="impact-lens"
      data-stale={impact.isPlaceholderData || undefined}
    >
      {data.definitions.length === 0 ? (
        <Empty>
          The index knows no definition <q>{of.symbol}</q> in {of.path}.
        </Empty>
      ) : (
        <>
          <Summary data={data} symbol={of.symbol} />
          <Dependents data={data} onOpen={open} />
          <TestsReaching of={of} onOpen={open} />
        </>
      )}
    </div>
  );
}

function definitionOf({ repo, asOf, path, line, symbol }: Selection): Definition | undefined {
  return symbol ? { repo, asOf, path, line, symbol } : undefined;
}

function Summary({ data, symbol }: { data: ImpactResponse; symbol: string }) {
  const { steps, nCertain, nGuesses } = dependentsOf(data);
  const nDirect = steps.find((step) => step.depth === 1)?.certain.length ?? 0;
  return (
    <div className="impact-head">
      <p>
        <span className="code">{symbol}</span>
      </p>
      {nCertain + nGuesses > 0 && (
        <p className="small" role="status" data-testid="impact-summary">
          {plural(nCertain, "definition")} {nCertain === 1 ? "depends" : "depend"} on it, {nDirect}{" "}
          directly
          {nGuesses > 0 && `; ${nGuesses} more may`}.
        </p>
      )}
      {data.by_name_only && (
        <p className="small muted">{sentence(data.by_name_only)} These go by the name alone.</p>
      )}
    </div>
  );
}

type Open = (path: string, line: number) => void;

function Dependents({ data, onOpen }: { data: ImpactResponse; onOpen: Open }) {
  const { steps, replacing } = dependentsOf(data);
  const outside = data.outside.filter((hit) => !hit.test);
  const isUsed = data.callers.length > 0 || data.outside.length > 0;
  return (
    <>
      {!isUsed && <NothingFound byName={data.by_name} onOpen={onOpen} />}
      {steps.map(({ depth, certain, guesses }) => (
        <Section key={depth} title={stepName(depth)} count={certain.length + guesses.length}>
          <CallerRows hits={certain} onOpen={onOpen} />
          <CallerRows hits={guesses} onOpen={onOpen} />
        </Section>
      ))}
      {replacing.length > 0 && (
        <Section title="Overrides and implementations" count={replacing.length}>
          <CallerRows hits={replacing} onOpen={onOpen} />
        </Section>
      )}
      {outside.length > 0 && (
        <Section title="Outside of any definition" count={outside.length}>
          <PlaceRows places={outside} onOpen={onOpen} />
        </Section>
      )}
      {data.unsettled.length > 0 && (
        <Section title="May mean it, or another of its name" count={data.n_unsettled}>
          <PlaceRows places={data.unsettled} onOpen={onOpen} />
        </Section>
      )}
      {data.are_places_unread && (
        <p className="small muted">
          Its name is too frequent, or the repository too large, to look at every other place of it.
        </p>
      )}
    </>
  );
}
