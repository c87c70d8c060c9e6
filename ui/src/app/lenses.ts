// The lenses of the dock: each is one component of the feature that it belongs to, fetched when it is first shown.

import { Chunk } from "../components/chunk";
import { fillExplain, fillGraph, fillMemory } from "./fill";
import type { LensProps, Selection } from "./selection";

export interface Lens {
  id: string;
  label: string;
  key: string;
  chunk: Chunk<LensProps>;
  /** Shows the same in the whole window. */
  fill?: (selection: Selection) => void;
  /** It is about ranks, so only what a ranked search found can fill the window. */
  isRanked?: boolean;
}

export const LENSES: readonly [Lens, ...Lens[]] = [
  {
    id: "why",
    label: "Why",
    key: "e",
    chunk: new Chunk(() => import("../features/explain/WhyLens").then((it) => it.WhyLens)),
    fill: fillExplain,
    isRanked: true,
  },
  {
    id: "graph",
    label: "Graph",
    key: "g",
    chunk: new Chunk(() => import("../features/graph/GraphLens").then((it) => it.GraphLens)),
    fill: fillGraph,
  },
  {
    id: "impact",
    label: "Impact",
    key: "i",
    chunk: new Chunk(() => import("../features/impact/ImpactLens").then((it) => it.ImpactLens)),
  },
  {
    id: "memos",
    label: "Memos",
    key: "M",
    chunk: new Chunk(() => import("../features/memory/MemosLens").then((it) => it.MemosLens)),
    fill: fillMemory,
  },
  {
    id: "history",
    label: "History",
    key: "h",
    chunk: new Chunk(() => import("../features/history/HistoryLens").then((it) => it.HistoryLens)),
  },
];

export const lensOf = (id: string): Lens => LENSES.find((one) => one.id === id) ?? LENSES[0];

export const lensOfKey = (key: string): Lens | undefined => LENSES.find((one) => one.key === key);
