// A choice of one in the window's own dress: never the system's grey menu.

import "./fields.css";
import "./choice.css";
import { Button, Label, ListBox, ListBoxItem, Select, SelectValue } from "react-aria-components";
import { Icon } from "./Icon";
import { Popover } from "./Popover";

export interface Option<T extends string> {
  value: T;
  label: string;
}

/** A list takes no empty key; an option may well mean nothing. */
const NOTHING = "(nothing)";
const keyOf = (value: string) => value || NOTHING;

export function Choice<T extends string>(props: {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
  isDisabled?: boolean;
  /** Writes the label in front of the field. */
  showLabel?: boolean;
  /** As low as a button, and as wide as what it says. */
  slim?: boolean;
  /** Shown where nothing is chosen. */
  placeholder?: string;
  "data-testid"?: string;
}) {
  const known = props.options.some((option) => option.value === props.value);
  return (
    <Select
      className="choice-field"
      aria-label={props.showLabel ? undefined : props.label}
      placeholder={props.placeholder}
      isDisabled={props.isDisabled}
      value={known ? keyOf(props.value) : null}
      onChange={(key) => props.onChange((key === NOTHING ? "" : String(key)) as T)}
      data-slim={props.slim || undefined}
      data-testid={props["data-testid"]}
    >
      {props.showLabel && <Label className="small muted">{props.label}</Label>}
      <Button className="choice-button">
        <SelectValue className="ellipsis" />
        <Icon name="chevron" />
      </Button>
      <Popover className="choice-popover" offset={4}>
        <ListBox className="choice-list">
          {props.options.map((option) => (
            <ListBoxItem
              key={keyOf(option.value)}
              id={keyOf(option.value)}
              className="choice-item"
              textValue={option.label}
            >
              {({ isSelected }) => (
                <>
                  <span className="choice-check">{isSelected && <Icon name="check" />}</span>
                  <span className="ellipsis">{option.label}</span>
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}

export function plainOptions<const T extends string>(values: readonly T[]): Option<T>[] {
  return values.map((value) => ({ value, label: value }));
}
