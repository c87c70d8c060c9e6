// The names at the ends of the lines: the list that says what the drawing shows.

import type { KeyboardEvent } from "react";
import { rowKey } from "./arithmetic";
import { type Drawn, inWords, LABEL_PX, nameOf, placeOf, SIDES } from "./bump";

export function BumpLabels(
  props: Drawn & { names: number; places: number[]; chosen: string | undefined },
) {
  const { lines, stages } = props;
  return (
    <ol className="bump-list" aria-label="Results and their ranks">
      {lines.map(({ row }, index) => {
        const key = rowKey(row);
        return (
          <li
            key={key}
            data-place={placeOf(row)}
            style={{
              top: SIDES.head + (props.places[index] ?? 0) - LABEL_PX / 2,
              left: SIDES.left + props.width + SIDES.right,
              width: props.names,
            }}
          >
            <button
              type="button"
              aria-pressed={key === props.chosen}
              data-pointed={key === props.pointed || undefined}
              title={`${row.path}:${row.start_line} · ${inWords(row, stages)}`}
              onPointerEnter={() => props.onPoint(key)}
              onPointerLeave={() => props.onPoint(undefined)}
              onFocus={() => props.onPoint(key)}
              onBlur={() => props.onPoint(undefined)}
              onClick={() => props.onChoose(key)}
              onKeyDown={moveBetween}
            >
              <span className="num">{row.rank}</span>
              <span className="code ellipsis">{nameOf(row)}</span>
              <span className="visually-hidden">{inWords(row, stages)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function moveBetween(event: KeyboardEvent<HTMLButtonElement>): void {
  const item = event.currentTarget.parentElement;
  const down = event.key === "ArrowDown" || event.key === "j";
  const up = event.key === "ArrowUp" || event.key === "k";
  const next = down ? item?.nextElementSibling : up ? item?.previousElementSibling : null;
  const button = next?.querySelector("button");
  if (!button) return;
  event.preventDefault();
  button.focus();
}
