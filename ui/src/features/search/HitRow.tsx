// A hit in two lines: what and where it is, and the line that matches best; who found it stands in columns.

import { memo } from "react";
import { channelColour, channelLabel } from "../../components/channels";
import { sig3 } from "../../components/format";
import { Icon } from "../../components/Icon";
import { JudgedMark } from "../../components/JudgedMark";
import { PathText } from "../../components/PathText";
import type { Channel, Hit, HitVerdict } from "../../ipc";
import { Marked } from "./Marked";
import { bestLine } from "./snippet";

export const HitRow = memo(function HitRow(props: {
  hit: Hit;
  index: number;
  top: number;
  height: number;
  /** Its score as a share of the best. */
  share: number;
  /** Its rank before the reranker, where that order is shown. */
  before: number | undefined;
  /** Channels that found something, each a column. */
  columns: readonly Channel[];
  chosen: boolean;
  /** What the person said of it. */
  verdict: HitVerdict | null;
  onChoose: (index: number) => void;
  onExplain: (hit: Hit) => void;
}) {
  const { hit } = props;
  const line = bestLine(hit.snippet);
  const place = `${hit.path}:${hit.start_line}`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles keys
    <div
      id={`hit-${props.index}`}
      className="hit"
      role="option"
      tabIndex={-1}
      aria-selected={props.chosen}
      data-testid="search-hit"
      data-path={hit.path}
      data-repo={hit.repo ?? undefined}
      data-line={hit.start_line}
      style={{ transform: `translateY(${props.top}px)`, height: props.height }}
      onClick={() => props.onChoose(props.index)}
      onDoubleClick={() => props.onExplain(hit)}
    >
      <span className="hit-rank num">
        {hit.rank}
        <Moved before={props.before} now={hit.rank} />
      </span>
      <div className="hit-main">
        <div className="hit-title">
          <span className="code ellipsis hit-name">{hit.symbol ?? hit.path.split("/").pop()}</span>
          {props.verdict && <JudgedMark verdict={props.verdict} />}
          <span className="small muted hit-kind">{hit.kind}</span>
          {hit.badges.map((badge) => (
            <span key={badge} className="badge">
              {badge}
            </span>
          ))}
          <PathText className="code muted hit-path" path={place} before={hit.repo} />
          {hit.copies && hit.copies.length > 0 && (
            <span className="small muted" title={`The same in ${hit.copies.join(", ")}`}>
              ={hit.copies.length}
            </span>
          )}
          {hit.more_in_file > 0 && (
            <span className="small muted" title="More results in this file">
              +{hit.more_in_file}
            </span>
          )}
        </div>
        <div className="hit-snippet code ellipsis">
          {line && <Marked text={line.text} ranges={line.matches} painted />}
        </div>
      </div>
      <div className="hit-aside">
        <Found by={hit.channels} columns={props.columns} />
        <span
          className="score"
          title={`Score ${sig3(hit.score)}; the bar is its share of the best`}
        >
          <i style={{ width: `${Math.max(0, props.share) * 100}%` }} />
        </span>
      </div>
    </div>
  );
});

/** A dot in each column of a channel that found it. */
function Found({ by, columns }: { by: readonly Channel[]; columns: readonly Channel[] }) {
  const names = by.map(channelLabel).join(", ");
  return (
    <span className="hit-channels" title={`Found by ${names}`}>
      <span className="visually-hidden">found by {names}</span>
      {columns.map((channel) => (
        <i
          key={channel}
          aria-hidden="true"
          data-found={by.includes(channel) || undefined}
          style={{ background: by.includes(channel) ? channelColour(channel) : undefined }}
        />
      ))}
    </span>
  );
}

/** Where the reranker took it from. */
function Moved({ before, now }: { before: number | undefined; now: number }) {
  if (before === undefined || before === now) return null;
  const up = before > now;
  return (
    <span className="hit-moved" data-up={up || undefined} title={`${before} before reranking`}>
      <Icon name={up ? "up" : "down"} />
      <span className="visually-hidden">{up ? "up" : "down"} by </span>
      {Math.abs(before - now)}
    </span>
  );
}
