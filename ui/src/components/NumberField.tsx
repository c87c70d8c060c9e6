// A number within bounds: typed, stepped by the arrow keys, or by the two buttons.

import "./fields.css";
import {
  NumberField as AriaNumberField,
  Button,
  Group,
  I18nProvider,
  Input,
  Label,
} from "react-aria-components";
import { Icon } from "./Icon";

const FORMAT = { useGrouping: false, maximumFractionDigits: 3 };

export function NumberField(props: {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  onChange: (value: number) => void;
  /** The label is said, not shown: something beside the field shows it. */
  hideLabel?: boolean;
  "data-testid"?: string;
}) {
  const { value, min, max, onChange } = props;
  const take = (next: number) => {
    const bounded = Math.min(max, Math.max(min, next));
    if (Number.isFinite(bounded) && bounded !== value) onChange(bounded);
  };
  // While it is typed, too: a button to save must not wait until the field is left.
  const onType = (text: string) => {
    const typed = Number(text);
    if (text.trim() !== "" && typed >= min && typed <= max) take(typed);
  };
  return (
    <I18nProvider locale="en-US">
      <AriaNumberField
        className="number-field"
        aria-label={props.hideLabel ? props.label : undefined}
        value={value}
        minValue={min}
        maxValue={max}
        step={props.step}
        commitBehavior="validate"
        formatOptions={FORMAT}
        onChange={take}
        data-testid={props["data-testid"]}
      >
        {!props.hideLabel && <Label>{props.label}</Label>}
        <Group className="field-box">
          <Input
            className="number-input num"
            onInput={(event) => onType(event.currentTarget.value)}
          />
          <Button slot="decrement" className="field-step">
            <Icon name="minus" />
          </Button>
          <Button slot="increment" className="field-step">
            <Icon name="plus" />
          </Button>
        </Group>
      </AriaNumberField>
    </I18nProvider>
  );
}
