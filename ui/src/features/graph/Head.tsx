// What is asked: the focus, the other end of a way, and what of the neighbourhood is drawn.

import { type RefObject, useState } from "react";
import { Button, Hint, IconButton, Segmented } from "../../components/controls";
import type { GraphEdgeKind, GraphView } from "../../ipc";
import { GraphExport } from "./GraphExport";
import { EdgeSample } from "./marks";
import { DIRECTIONS, KINDS, toggleKind } from "./place";
import { SymbolPicker } from "./SymbolPicker";
import type { Steps } from "./usePlace";
import { DIRECTION_WORDS, KIND_WORDS } from "./words";

const RADII = ["1", "2", "3"].map((value) => ({ value, label: value }));
const WAYS = DIRECTIONS.map((value) => ({ value, label: DIRECTION_WORDS[value] }));

export function Head(props: {
  repo: string;
  steps: Steps;
  picker: RefObject<HTMLInputElement | null>;
  view: GraphView | undefined;
}) {
  const { repo, steps } = props;
  const { place } = steps;
  const [isChoosing, setChoosing] = useState(false);
  const asksWay = isChoosing || place.to !== null;
  const endWay = () => {
    setChoosing(false);
    if (place.to) steps.change({ to: null, node: null });
  };
  return (
    <header className="graph-head">
      <div className="graph-line">
        <IconButton
          icon="left"
          label="Previous focus ([)"
          data-testid="graph-back"
          isDisabled={!steps.back}
          onPress={() => steps.back?.()}
        />
        <IconButton
          icon="right"
          label="Next focus (])"
          data-testid="graph-forward"
          isDisabled={!steps.forward}
          onPress={() => steps.forward?.()}
        />
        <SymbolPicker
          repo={repo}
          label="Focus"
          placeholder="Symbol or file"
          value={place.focus}
          testid="graph-focus"
          inputRef={props.picker}
          onPick={steps.focus}
        />
        {asksWay && (
          <>
            <IconButton
              icon="swap"
              label="Swap ends"
              isDisabled={!place.to}
              onPress={() =>
                steps.change({ focus: place.to, to: place.focus, node: null, expanded: [] })
              }
            />
            <SymbolPicker
              repo={repo}
              label="Other end"
              placeholder="Path to"
              value={place.to}
              testid="graph-to"
              isNew={isChoosing}
              onPick={(to) => {
                setChoosing(false);
                steps.change({ to, node: null, expanded: [] });
              }}
              onLeave={place.to ? undefined : endWay}
            />
            <IconButton
              icon="close"
              label="Back to the neighborhood"
              data-testid="graph-end-way"
              onPress={endWay}
            />
          </>
        )}
        {!asksWay && place.focus && (
          <Button icon="path" data-testid="graph-path" onPress={() => setChoosing(true)}>
            Path to
          </Button>
        )}
        <span className="spacer" />
        {place.focus && <GraphExport repo={repo} place={place} isDisabled={!props.view?.focus} />}
      </div>
      {place.focus && !place.to && <Narrowing steps={steps} />}
    </header>
  );
}

function Narrowing({ steps }: { steps: Steps }) {
  const { place, change } = steps;
  return (
    <div className="graph-line graph-narrowing">
      <Hint text="Hops from the focus">
        <span className="small muted">Radius</span>
      </Hint>
      <Segmented
        label="Radius"
        value={String(place.radius)}
        options={RADII}
        onChange={(value) => change({ radius: Number(value) })}
      />
      <Segmented
        label="Direction"
        value={place.direction}
        options={WAYS}
        onChange={(direction) => change({ direction, expanded: [] })}
      />
      <fieldset className="graph-kinds">
        <legend className="visually-hidden">Kinds of edges</legend>
        {KINDS.map((kind) => (
          <KindToggle
            key={kind}
            kind={kind}
            isOn={place.kinds.includes(kind)}
            onToggle={() => change({ kinds: toggleKind(place, kind).kinds, expanded: [] })}
          />
        ))}
      </fieldset>
    </div>
  );
}

function KindToggle(props: { kind: GraphEdgeKind; isOn: boolean; onToggle: () => void }) {
  const { label, about } = KIND_WORDS[props.kind];
  return (
    <button
      type="button"
      className="graph-kind"
      data-testid="graph-kind"
      data-kind={props.kind}
      aria-pressed={props.isOn}
      title={about}
      onClick={props.onToggle}
    >
      <EdgeSample kind={props.kind} />
      {label}
    </button>
  );
}
