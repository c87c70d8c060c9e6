// A score as a bar: a segment a term; what lowers it stands left of zero, hatched.

import { useId, useState } from "react";
import { channelColour } from "../../components/channels";
import { sig3 } from "../../components/format";
import type { Term } from "./arithmetic";
import type { Group } from "./groups";

export interface Scale {
  /** The largest sum of positive terms among the rows. */
  positive: number;
  /** The largest sum of negative terms, as a positive figure. */
  negative: number;
}

export function scaleOf(rows: readonly Term[][]): Scale {
  const side = (terms: Term[], sign: number) =>
    terms.reduce((sum, term) => sum + Math.max(0, sign * term.value), 0);
  return {
    positive: Math.max(1e-9, ...rows.map((terms) => side(terms, 1))),
    negative: Math.max(0, ...rows.map((terms) => side(terms, -1))),
  };
}

const WIDTH = 1000;
/** Evidence stands beside its channel's rank, in its colour, not as high. */
const EVIDENCE_HEIGHT = 0.6;

/** Places the terms on the bar: positive ones rightwards from zero, negative ones leftwards. */
export function layOut(terms: Term[], scale: Scale) {
  const unit = WIDTH / (scale.positive + scale.negative);
  const zero = scale.negative * unit;
  let right = zero;
  let left = zero;
  return terms
    .filter((term) => term.value !== 0)
    .map((term) => {
      const width = Math.abs(term.value) * unit;
      const x = term.value > 0 ? right : left - width;
      if (term.value > 0) right += width;
      else left -= width;
      return { term, x, width };
    });
}

/** `interactive` gives each segment a place in the tab order; in long tables the row has it. */
export function ContributionBar(props: {
  terms: Term[];
  scale: Scale;
  score: number;
  height?: number;
  interactive?: boolean;
}) {
  const { terms, scale, height = 12, interactive = false } = props;
  const hatch = useId();
  const [shown, setShown] = useState<Term | null>(null);
  const zero = (scale.negative / (scale.positive + scale.negative)) * WIDTH;
  const label = `Score ${sig3(props.score)}: ${terms.map((t) => `${t.label} ${t.formula}`).join("; ")}`;
  return (
    <div className="contribution" data-testid="contribution-bar" data-score={props.score}>
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        preserveAspectRatio="none"
        height={height}
        role="img"
        aria-label={label}
      >
        <defs>
          <pattern id={hatch} width="36" height="6" patternUnits="userSpaceOnUse">
            <rect width="36" height="6" fill="var(--bg-3)" />
            <path d="M0 6 36 0" stroke="var(--red)" strokeWidth="3" />
          </pattern>
        </defs>
        {layOut(terms, scale).map(({ term, x, width }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus show the arithmetic
          <rect
            key={`${term.isRank}:${term.name}`}
            x={x}
            y={term.isRank || term.value < 0 ? 0 : (height * (1 - EVIDENCE_HEIGHT)) / 2}
            width={Math.max(0.5, width)}
            height={term.isRank || term.value < 0 ? height : height * EVIDENCE_HEIGHT}
            fill={fillOf(term, hatch)}
            stroke="var(--bg)"
            strokeWidth={1}
            vectorEffect="non-scaling-stroke"
            data-term={term.name}
            data-value={term.value}
            tabIndex={interactive ? 0 : undefined}
            aria-label={interactive ? `${term.label}: ${term.formula}` : undefined}
            role={interactive ? "img" : undefined}
            onPointerEnter={() => setShown(term)}
            onPointerLeave={() => setShown(null)}
            onFocus={() => setShown(term)}
            onBlur={() => setShown(null)}
          />
        ))}
        {scale.negative > 0 && (
          <line
            x1={zero}
            x2={zero}
            y1={0}
            y2={height}
            stroke="var(--text-2)"
            strokeWidth={1}
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      {shown && (
        <div className="contribution-tip" role="tooltip">
          <b>{shown.label}</b> <code>{shown.formula}</code>
        </div>
      )}
    </div>
  );
}

export const groupColour = (group: Group) =>
  group === "other" ? "var(--ch-evidence)" : channelColour(group);

function fillOf(term: Term, hatch: string): string {
  if (term.value < 0) return `url(#${hatch})`;
  return groupColour(term.group);
}
