// The outline beside the code, shown or not: remembered where there is room for it; where there is none it is
// hidden, and lies over the code while it is asked for.

import { useState } from "react";
import { useTight } from "../../app/dock-state";
import { preferences } from "../../app/preferences";
import { useKeys } from "../../components/useKeys";

const KEY = "O";

export interface OutlineState {
  isShown: boolean;
  isOver: boolean;
  /** Its key asked for it. */
  takesFocus: boolean;
  toggle: () => void;
  /** Back to the code; it stays where it stands beside it. */
  leave: () => void;
}

export function useOutline(): OutlineState {
  const isTight = useTight();
  const isWanted = preferences.use().outline;
  const [isOver, setOver] = useState(false);
  const [takesFocus, setTakesFocus] = useState(false);
  const isShown = isTight ? isOver : isWanted;
  const show = (isAsked: boolean) => {
    if (isTight) setOver(isAsked);
    else preferences.set({ outline: isAsked });
  };
  const toggle = () => {
    setTakesFocus(false);
    show(!isShown);
  };
  const leave = () => {
    setTakesFocus(false);
    if (isTight) setOver(false);
    focusOn(".preview .cm-content");
  };
  const onKey = () => {
    const isInside = document.activeElement?.closest(".outline");
    if (!isShown) {
      setTakesFocus(true);
      show(true);
    } else if (isInside) {
      show(false);
      leave();
    } else focusOn(".outline-list");
  };
  useKeys({ [KEY]: onKey });
  return { isShown, isOver: isTight && isOver, takesFocus, toggle, leave };
}

function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
}
