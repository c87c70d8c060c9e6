// A day and a time, written as everywhere in the window (2026-05-01 12:30), with a calendar beside.

import "./fields.css";
import "./date-time.css";
import { fromAbsolute, getLocalTimeZone, toCalendarDateTime } from "@internationalized/date";
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  I18nProvider,
  Label,
} from "react-aria-components";
import { IconButton } from "./controls";
import { Icon } from "./Icon";
import { Popover } from "./Popover";

export function DateTimeField(props: {
  label: string;
  /** Milliseconds since the epoch. */
  value: number | null;
  onChange: (value: number | null) => void;
  "data-testid"?: string;
}) {
  const zone = getLocalTimeZone();
  const value = props.value === null ? null : toCalendarDateTime(fromAbsolute(props.value, zone));
  return (
    <I18nProvider locale="en-CA">
      <DatePicker
        className="date-time"
        granularity="minute"
        hourCycle={24}
        firstDayOfWeek="mon"
        value={value}
        onChange={(next) => props.onChange(next ? next.toDate(zone).getTime() : null)}
        data-testid={props["data-testid"]}
      >
        <Label className="small muted">{props.label}</Label>
        <Group className="field-box">
          <DateInput className="date-input num">
            {(segment) => <DateSegment segment={segment} className="date-segment" />}
          </DateInput>
          <Button className="field-step" aria-label="Calendar">
            <Icon name="calendar" />
          </Button>
        </Group>
        <Popover className="choice-popover" offset={4}>
          <Dialog className="date-dialog">
            <Month />
          </Dialog>
        </Popover>
      </DatePicker>
      {value && (
        <IconButton
          icon="close"
          label={`Clear ${props.label.toLowerCase()}`}
          onPress={() => props.onChange(null)}
        />
      )}
    </I18nProvider>
  );
}

function Month() {
  return (
    <Calendar className="date-month">
      <header>
        <Button slot="previous" className="icon-button">
          <Icon name="left" />
        </Button>
        <Heading level={2} className="date-title" />
        <Button slot="next" className="icon-button">
          <Icon name="right" />
        </Button>
      </header>
      <CalendarGrid>
        <CalendarGridHeader>
          {(day) => <CalendarHeaderCell className="small muted">{day}</CalendarHeaderCell>}
        </CalendarGridHeader>
        <CalendarGridBody>
          {(date) => <CalendarCell date={date} className="date-day num" />}
        </CalendarGridBody>
      </CalendarGrid>
    </Calendar>
  );
}
