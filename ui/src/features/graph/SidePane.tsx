// Beside the drawing: the list or the table of impact, and below it the selected node.

import { useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import type { GraphNode, GraphView } from "../../ipc";
import { Details } from "./Details";
import type { NodeActions } from "./Drawing";
import { ImpactTable } from "./ImpactTable";
import type { Named, Place } from "./place";
import { SideList } from "./SideList";

export function SidePane(
  props: NodeActions & {
    repo: string;
    place: Place;
    view: GraphView;
    selected: GraphNode | undefined;
    isStale: boolean;
    isCode: boolean;
    onCode: () => void;
    onFocus: (named: Named) => void;
  },
) {
  const { view, selected } = props;
  const [tab, setTab] = useState<string>("list");
  const actions = { onSelect: props.onSelect, onOpen: props.onOpen };
  return (
    <div className="graph-side">
      <Tabs
        className="graph-tabs"
        selectedKey={tab}
        onSelectionChange={(key) => setTab(String(key))}
      >
        <TabList className="tab-list" aria-label="Beside the graph">
          <Tab id="list" className="tab" data-testid="graph-tab-list">
            List
          </Tab>
          <Tab id="impact" className="tab" data-testid="graph-tab-impact">
            Impact
          </Tab>
        </TabList>
        <TabPanel id="list" className="graph-tab-panel">
          <SideList {...actions} view={view} selected={selected} isStale={props.isStale} />
        </TabPanel>
        <TabPanel id="impact" className="graph-tab-panel">
          <ImpactTable {...actions} repo={props.repo} place={props.place} selected={selected} />
        </TabPanel>
      </Tabs>
      {selected && (
        <Details
          {...actions}
          view={view}
          node={selected}
          isCode={props.isCode}
          onCode={props.onCode}
          onFocus={props.onFocus}
        />
      )}
    </div>
  );
}
