// The dock: lenses on what is chosen in Code, which follow it.

import "./dock.css";
import { Suspense, useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { IconButton } from "../components/controls";
import { Empty, Loading } from "../components/states";
import { useDebounced } from "../components/useDebounced";
import { fillWindow, setDock, showLens, useDock, useSelection } from "./dock-state";
import { LENSES, type Lens, lensOf } from "./lenses";
import type { Selection } from "./selection";

/** Who walks through a list, or types, does not ask about each row on the way. */
const FOLLOW_MS = 200;

export function Dock() {
  const shown = lensOf(useDock().lens);
  const selection = useDebounced(useSelection(), FOLLOW_MS);
  return (
    <aside className="dock" aria-label="Lenses" data-testid="dock" data-lens={shown.id}>
      <Tabs
        className="dock-tabs"
        selectedKey={shown.id}
        onSelectionChange={(key) => showLens(String(key))}
      >
        <div className="dock-head">
          <TabList className="dock-list" aria-label="Lenses">
            {LENSES.map(({ id, label, key }) => (
              <Tab key={id} id={id} className="tab" data-testid={`lens-${id}`}>
                <span title={`${label} (${key})`}>{label}</span>
              </Tab>
            ))}
          </TabList>
          {shown.fill && (selection?.hit || !shown.isRanked) && (
            <IconButton
              icon="fit"
              label="Fill the window (f)"
              data-testid="dock-fill"
              onPress={fillWindow}
            />
          )}
          <IconButton
            icon="close"
            label="Close (d)"
            data-testid="dock-close"
            onPress={() => setDock(false)}
          />
        </div>
        <TabPanel key={shown.id} id={shown.id} className="dock-panel">
          {selection ? (
            <Shown lens={shown} selection={selection} />
          ) : (
            <Empty>Choose a result, and this is about it.</Empty>
          )}
        </TabPanel>
      </Tabs>
    </aside>
  );
}

/** Chosen once for its time on the page: the chunk's arrival must not draw the lens again. */
function Shown({ lens, selection }: { lens: Lens; selection: Selection }) {
  const [Chosen] = useState(() => ({ Of: lens.chunk.part() }));
  return (
    <Suspense fallback={<Loading label="Opening" isLate />}>
      <Chosen.Of selection={selection} />
    </Suspense>
  );
}
