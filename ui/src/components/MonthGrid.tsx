// A month to choose a day from, by mouse or by arrow keys, page up and page down.

import "./date-time.css";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { IconButton } from "./controls";
import { dayInWords, stepped, weeksOf } from "./moment";

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

const TITLE = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" });
const WHOLE = new Intl.DateTimeFormat("en", { dateStyle: "full" });

/** How far a key goes, by the place of what it steps: a day (2) or a month (1). */
const STEPS: Record<string, [place: number, by: number]> = {
  ArrowLeft: [2, -1],
  ArrowRight: [2, 1],
  ArrowUp: [2, -7],
  ArrowDown: [2, 7],
  PageUp: [1, -1],
  PageDown: [1, 1],
};

export function MonthGrid(props: {
  /** Milliseconds since the epoch; its time of day stays, whichever day is chosen. */
  value: number | null;
  onChoose: (value: number) => void;
}) {
  const { value } = props;
  const [shown, setShown] = useState(() => value ?? startOfToday());
  const title = useId();
  const grid = useRef<HTMLTableElement>(null);
  const current = dayInWords(new Date(shown));
  const chosen = value === null ? null : dayInWords(new Date(value));
  // The focus goes along with the keys; the buttons beside the title keep theirs.
  const isByKeys = useRef(true);
  useEffect(() => {
    const day = grid.current?.querySelector<HTMLElement>(`[data-day="${current}"]`);
    if (isByKeys.current) day?.focus();
  }, [current]);
  // The dialog takes the focus as it opens; a day has it afterwards.
  useEffect(() => {
    const frame = requestAnimationFrame(() =>
      grid.current?.querySelector<HTMLElement>("[data-day][tabindex='0']")?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, []);

  const turn = (by: number) => {
    isByKeys.current = false;
    setShown(stepped(shown, 1, by));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    isByKeys.current = true;
    setShown(stepped(shown, ...step));
  };
  return (
    <div className="date-month">
      <header>
        <IconButton icon="left" label="Previous month" onPress={() => turn(-1)} />
        <h2 className="date-title" id={title} aria-live="polite">
          {TITLE.format(shown)}
        </h2>
        <IconButton icon="right" label="Next month" onPress={() => turn(1)} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of days is walked by keys */}
      <table ref={grid} role="grid" aria-labelledby={title} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {DAYS.map((day) => (
              <th key={day} scope="col" className="small muted">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(new Date(shown)).map((week) => (
            <tr key={week.findLast((day) => day)?.getDate()}>
              {week.map((day, column) => (
                <Day
                  key={DAYS[column]}
                  day={day}
                  isCurrent={day !== null && dayInWords(day) === current}
                  isChosen={day !== null && dayInWords(day) === chosen}
                  onChoose={(date) => props.onChoose(withTimeOf(date, value))}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Day(props: {
  day: Date | null;
  isCurrent: boolean;
  isChosen: boolean;
  onChoose: (day: Date) => void;
}) {
  const { day } = props;
  if (!day) return <td />;
  return (
    <td>
      <button
        type="button"
        className="date-day num"
        data-day={dayInWords(day)}
        aria-label={WHOLE.format(day)}
        aria-pressed={props.isChosen}
        tabIndex={props.isCurrent ? 0 : -1}
        onClick={() => props.onChoose(day)}
      >
        {day.getDate()}
      </button>
    </td>
  );
}

function startOfToday(): number {
  return new Date().setHours(0, 0, 0, 0);
}

function withTimeOf(day: Date, value: number | null): number {
  const time = new Date(value ?? day);
  return new Date(day).setHours(time.getHours(), time.getMinutes());
}
