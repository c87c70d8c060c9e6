// The box in which the graph's ends are chosen.

import { type RefObject, useEffect, useState } from "react";
import { focusScreen } from "../../app/screen-focus";
import { CodeCombobox } from "../../components/CodeCombobox";
import { namedSuggestion } from "./named";
import { type Named, shortName } from "./place";

export function SymbolPicker(props: {
  repo: string;
  label: string;
  placeholder: string;
  value: Named | null;
  testid: string;
  inputRef?: RefObject<HTMLInputElement | null>;
  isNew?: boolean;
  onPick: (named: Named) => void;
  onLeave?: () => void;
}) {
  const { value, onLeave } = props;
  const shown = value ? shortName(value) : "";
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const pick = (named: Named | null) => {
    if (!named) return;
    setText(shortName(named));
    props.onPick(named);
  };
  return (
    <CodeCombobox
      repo={props.repo}
      label={props.label}
      placeholder={props.placeholder}
      text={text}
      shown={shown}
      onEdit={setText}
      testid={props.testid}
      inputRef={props.inputRef}
      isNew={props.isNew}
      nameOf={(one) => shortName(namedSuggestion(one) ?? { symbol: "" })}
      isOffered={(one) => namedSuggestion(one) !== null}
      onPick={(one) => pick(namedSuggestion(one))}
      onText={(symbol) => pick({ symbol })}
      onEscape={(hasClosed) => {
        if (onLeave) onLeave();
        else if (!hasClosed) focusScreen();
        return true;
      }}
    />
  );
}
