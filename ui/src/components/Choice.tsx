// A choice of one in the window's own dress: never the system's grey menu.

import "./choice.css";
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue } from "react-aria-components";
import { Icon } from "./Icon";

export interface Option<T extends string> {
  value: T;
  label: string;
}

export function Choice<T extends string>(props: {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
  isDisabled?: boolean;
  /** Shown where nothing is chosen. */
  placeholder?: string;
  "data-testid"?: string;
}) {
  return (
    <Select
      className="choice-field"
      aria-label={props.label}
      placeholder={props.placeholder}
      isDisabled={props.isDisabled}
      value={props.value}
      onChange={(key) => props.onChange(String(key) as T)}
      data-testid={props["data-testid"]}
    >
      <Button className="choice-button">
        <SelectValue className="ellipsis" />
        <Icon name="chevron" />
      </Button>
      <Popover className="choice-popover" offset={4}>
        <ListBox className="choice-list">
          {props.options.map((option) => (
            <ListBoxItem
              key={option.value}
              id={option.value}
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
