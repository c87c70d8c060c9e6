// The list, the code, and beside them the dock; where there is no room for three, the dock is where the code was.

import type { ReactNode } from "react";
import { Dock } from "../../app/Dock";
import { useDock, useSelect } from "../../app/dock-state";
import type { Selection } from "../../app/selection";
import { Split } from "../../components/Splitter";

export function Panes(props: {
  list: ReactNode;
  code: ReactNode;
  /** What is chosen in the list. */
  selection: Selection | undefined;
}) {
  const { isOver } = useDock();
  return (
    <WithDock selection={props.selection}>
      <Split id="search" share={0.46} first={props.list} second={isOver ? <Dock /> : props.code} />
    </WithDock>
  );
}

/** Code that is open without a list. */
export function CodeAlone({ children }: { children: ReactNode }) {
  const { isOver } = useDock();
  return <WithDock selection={undefined}>{isOver ? <Dock /> : children}</WithDock>;
}

/** What the dock stands beside, where there is room for it. */
function WithDock(props: { selection: Selection | undefined; children: ReactNode }) {
  const { isBeside } = useDock();
  useSelect(props.selection);
  return (
    <Split
      id="dock"
      share={0.7}
      label="Width of the dock"
      first={props.children}
      second={isBeside ? <Dock /> : undefined}
    />
  );
}
