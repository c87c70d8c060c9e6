// A day and a time, written as everywhere in the window (2026-05-01 12:30), with a calendar beside. The arrow
// keys step the part that the caret is in; what is written counts once the field is left, or on Enter.

import "./fields.css";
import "./date-time.css";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Button, Dialog, DialogTrigger } from "react-aria-components";
import { IconButton } from "./controls";
import { dateTime } from "./format";
import { Icon } from "./Icon";
import { MonthGrid } from "./MonthGrid";
import { momentOf, partAt, stepped } from "./moment";
import { Popover } from "./Popover";

export function DateTimeField(props: {
  label: string;
  /** Milliseconds since the epoch. */
  value: number | null;
  onChange: (value: number | null) => void;
  "data-testid"?: string;
}) {
  const { value, onChange } = props;
  const id = useId();
  const { text, setText, isWrong, take } = useWritten(value, onChange);
  const box = useRef<HTMLInputElement>(null);

  const step = (event: KeyboardEvent<HTMLInputElement>, by: number) => {
    const input = event.currentTarget;
    const { place, from, to } = partAt(input.selectionStart ?? 0);
    const next = stepped(momentOf(text) ?? value ?? Date.now(), place, by);
    event.preventDefault();
    onChange(next);
    setText(dateTime(next));
    requestAnimationFrame(() => input.setSelectionRange(from, to));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowUp") step(event, 1);
    else if (event.key === "ArrowDown") step(event, -1);
    else if (event.key === "Enter") take();
  };
  return (
    <div className="date-time" data-testid={props["data-testid"]}>
      <label className="small muted" htmlFor={id}>
        {props.label}
      </label>
      <span className="field-box" data-invalid={isWrong || undefined}>
        <input
          ref={box}
          id={id}
          className="date-input num"
          placeholder="2026-05-01 12:30"
          spellCheck={false}
          autoComplete="off"
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? `${id}-wrong` : undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={take}
          onKeyDown={onKeyDown}
        />
        <DialogTrigger>
          <Button className="field-step" aria-label={`Calendar, ${props.label.toLowerCase()}`}>
            <Icon name="calendar" />
          </Button>
          <Popover className="choice-popover" offset={4}>
            <Dialog className="date-dialog" aria-label={props.label}>
              {({ close }) => (
                <MonthGrid
                  value={value}
                  onChoose={(next) => {
                    onChange(next);
                    close();
                  }}
                />
              )}
            </Dialog>
          </Popover>
        </DialogTrigger>
      </span>
      {isWrong && (
        <span className="date-wrong small" role="alert" id={`${id}-wrong`}>
          No such moment. Write it as 2026-05-01 12:30
        </span>
      )}
      {(value !== null || isWrong) && (
        <IconButton
          icon="close"
          label={`Clear ${props.label.toLowerCase()}`}
          onPress={() => {
            setText("");
            onChange(null);
            box.current?.focus();
          }}
        />
      )}
    </div>
  );
}

/** What is written, which may be on its way to a moment; it follows the value when that changes elsewhere. */
function useWritten(value: number | null, onChange: (value: number | null) => void) {
  const words = value === null ? "" : dateTime(value);
  const [text, setText] = useState(words);
  const [isWrong, setWrong] = useState(false);
  useEffect(() => {
    setText(words);
    setWrong(false);
  }, [words]);
  const take = () => {
    const isEmpty = text.trim() === "";
    const next = momentOf(text);
    setWrong(!isEmpty && next === null);
    if (isEmpty || next === null) {
      if (isEmpty && value !== null) onChange(null);
    } else if (text.trim() !== words) {
      setText(dateTime(next));
      onChange(next);
    }
  };
  const write = (next: string) => {
    setText(next);
    if (isWrong && (next.trim() === "" || momentOf(next) !== null)) setWrong(false);
  };
  return { text, setText: write, isWrong, take };
}
