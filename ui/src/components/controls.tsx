// Buttons, tooltips, switches: thin dress over react-aria-components.

import "./controls.css";
import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import {
  Button as AriaButton,
  Switch as AriaSwitch,
  Tooltip as AriaTooltip,
  type ButtonProps,
  type SwitchProps,
  TooltipTrigger,
} from "react-aria-components";
import { flushSync } from "react-dom";
import { Icon, type IconName } from "./Icon";
import { host } from "./Popover";

type Kind = "plain" | "primary" | "danger" | "quiet";

interface Props extends Omit<ButtonProps, "children" | "className"> {
  kind?: Kind;
  icon?: IconName;
  children: ReactNode;
  "data-testid"?: string;
}

export function Button({ kind = "plain", icon, children, ...rest }: Props) {
  return (
    <AriaButton {...rest} className={`button ${kind}`}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </AriaButton>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children" | "className"> {
  icon: IconName;
  label: string;
  "data-testid"?: string;
}

/** A button of an icon alone; its label is its tooltip. */
export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <Hint text={label}>
      <AriaButton {...rest} aria-label={label} className="icon-button">
        <Icon name={icon} />
      </AriaButton>
    </Hint>
  );
}

/** A tooltip on hover and focus. */
export function Hint({ text, children }: { text: ReactNode; children: ReactElement }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => (isOpen ? onEscapeFirst(() => setOpen(false)) : undefined), [isOpen]);
  return (
    <TooltipTrigger delay={350} closeDelay={60} isOpen={isOpen} onOpenChange={setOpen}>
      {children}
      <AriaTooltip className="tooltip" offset={6} UNSTABLE_portalContainer={host()}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}

/** An open tooltip would keep Escape to itself: it is closed before it hears of the key, which goes its way. */
function onEscapeFirst(close: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") flushSync(close);
  };
  window.addEventListener("keydown", onKey, true);
  return () => window.removeEventListener("keydown", onKey, true);
}

export function Switch({ children, ...rest }: SwitchProps & { children: ReactNode }) {
  return (
    <AriaSwitch {...rest} className="switch">
      <span className="switch-track" aria-hidden="true" />
      <span>{children}</span>
    </AriaSwitch>
  );
}

/** One of a few: a row of radio buttons. */
export function Segmented<T extends string>(props: {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  isDisabled?: boolean;
  onChange: (value: T) => void;
}) {
  return (
    <fieldset className="segmented" disabled={props.isDisabled}>
      <legend className="visually-hidden">{props.label}</legend>
      {props.options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={props.label}
            checked={option.value === props.value}
            onChange={() => props.onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className="kbd">{children}</kbd>;
}
