// The graph's types as the window uses them, and one hook per command.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Answered, useChange } from "./ask";
import type * as raw from "./bindings";
import { commands } from "./bindings";
import { askFresh } from "./looks";
import type { Complete } from "./types";

export type GraphDirection = raw.GraphDirection;
export type GraphEdge = raw.GraphEdge;
export type GraphEdgeKind = raw.GraphEdgeKind;
export type GraphFormat = raw.GraphFormat;
export type GraphNode = raw.GraphNode;
export type GraphSide = raw.GraphSide;
export type GraphView = raw.GraphView;
export type GraphViewRequest = Complete<raw.GraphViewRequest>;
export type MapFile = raw.MapFile;
export type RepositoryMap = raw.RepositoryMap;
export type SymbolLine = raw.SymbolLine;
export type SymbolPlace = Complete<raw.SymbolPlace>;

export const graphKey = ["graph"] as const;

export function useGraphView(request: GraphViewRequest, enabled = true): Answered<GraphView> {
  return useQuery({
    queryKey: [...graphKey, request],
    queryFn: ({ client }) => askFresh<GraphView>(client, commands.graphView(request)),
    enabled: enabled && request.repo !== "",
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

/** The main files, and those of `also`, however little depends on them. */
export function useRepositoryMap(repo: string, also: string[] = []): Answered<RepositoryMap> {
  const request = { repo, as_of: null, ...(also.length > 0 && { also }) };
  return useQuery({
    queryKey: [...graphKey, "map", repo, ...also],
    queryFn: ({ client }) => askFresh<RepositoryMap>(client, commands.repositoryMap(request)),
    enabled: repo !== "",
    // One file more is no reason to take the others away until it comes.
    placeholderData: (before, query) => (query?.queryKey[2] === repo ? before : undefined),
    staleTime: 30_000,
  });
}

export function useGraphSave() {
  return useChange<{ request: GraphViewRequest; format: GraphFormat; path: string }, null>(
    ({ request, format, path }) => commands.graphSave(request, format, path),
  );
}

/** Writes a picture where a dialog let it be written. */
export function useSaveImage() {
  return useChange<{ path: string; image: number[] }, null>(({ path, image }) =>
    commands.saveImage(path, image),
  );
}
