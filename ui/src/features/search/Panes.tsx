// The list, the code, and beside them the dock; where there is no room for three, the dock is where the code was.

import type { ReactNode } from "react";
import { Dock } from "../../app/Dock";
import { useDock, useSelect } from "../../app/dock-state";
import { FoldedDock } from "../../app/FoldedDock";
import type { Selection } from "../../app/selection";
import { Split } from "../../components/Splitter";

export function Panes(props: {
  list: ReactNode;
  code: ReactNode;
  /** What is chosen in the list. */
  selection: Selection | undefined;
}) {
  return (
    <WithDock selection={props.selection}>
      <Split id="search" share={0.46} first={props.list} second={<Code>{props.code}</Code>} />
    </WithDock>
  );
}

/** Code that is open without a list. */
export function CodeAlone({ children }: { children: ReactNode }) {
  return (
    <WithDock selection={undefined}>
      <Code>{children}</Code>
    </WithDock>
  );
}

/** The code, at its edge the lenses that have no room beside it; one that is opened takes its place. */
function Code({ children }: { children: ReactNode }) {
  const { isOver, isFolded } = useDock();
  if (isOver) return <Dock />;
  return (
    <div className="beside-lenses">
      {children}
      {isFolded && <FoldedDock />}
    </div>
  );
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
