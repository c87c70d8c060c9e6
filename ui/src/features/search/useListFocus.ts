// Enter leaves the box for the rows: for those still to come too, and again where they were gone for a moment.

import { type FocusEvent, type RefObject, useRef } from "react";
import { focusStart } from "./Start";

export function useListFocus(list: RefObject<HTMLDivElement | null>) {
  const isWanted = useRef(false);
  return {
    enter: () => {
      isWanted.current = true;
      if (list.current) list.current.focus();
      else focusStart();
    },
    /** Rows are there. */
    onShown: () => {
      if (isWanted.current) list.current?.focus();
    },
    /** Who types on, or goes elsewhere, has left them. */
    forget: () => {
      isWanted.current = false;
    },
    onFocus: ({ target }: FocusEvent) => {
      // The heading has the focus where what had it is gone.
      if (target !== list.current && !target.matches("h1")) isWanted.current = false;
    },
  };
}
