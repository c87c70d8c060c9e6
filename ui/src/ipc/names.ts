// What the names of a file mean, and who uses a definition.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Answered } from "./ask";
import type * as raw from "./bindings";
import { commands } from "./bindings";
import { graphKey } from "./graph";
import { askFresh } from "./looks";
import type { Complete } from "./types";

export type FileNames = raw.FileNames;
export type NamePlace = raw.NamePlace;
export type ImpactHit = raw.ImpactHit;
export type ImpactResponse = raw.ImpactResponse;
export type RefHit = raw.RefHit;
export type RefsResponse = raw.RefsResponse;
export type TestMapResponse = raw.TestMapResponse;
export type TestPlace = raw.TestPlace;
export type UseConfidence = raw.UseConfidence;

/** A definition that is asked about. */
export interface Definition {
  repo: string;
  /** Bare or qualified name. */
  symbol: string;
  path: string;
  line: number;
  /** Commit, or `null` for the working tree. */
  asOf: string | null;
}

/** What the names of a file mean; asked again with the file. */
export function useNames(
  repo: string,
  path: string | undefined,
  asOf: string | null,
): Answered<FileNames> {
  return useQuery({
    queryKey: ["preview", repo, "names", path, asOf],
    queryFn: ({ client }) =>
      askFresh<FileNames>(client, commands.namesInFile({ repo, path: path ?? "", as_of: asOf })),
    enabled: path !== undefined && repo !== "",
    staleTime: 60_000,
    gcTime: 10_000,
    retry: false,
  });
}

/** The uses of a definition. */
export function useRefs(of: Definition | undefined): Answered<RefsResponse> {
  return useQuery({
    queryKey: [...graphKey, "refs", of],
    queryFn: ({ client }) => {
      const request: Complete<raw.RefsRequest> = { ...requestOf(of), kinds: [], mentions: false };
      return askFresh<RefsResponse>(client, commands.refs(request));
    },
    enabled: of !== undefined,
    staleTime: 30_000,
    retry: false,
  });
}

/** Who depends on a definition, at so many steps at most. */
export function useImpact(of: Definition | undefined, depth: number): Answered<ImpactResponse> {
  return useQuery({
    queryKey: [...graphKey, "impact", of, depth],
    queryFn: ({ client }) =>
      askFresh<ImpactResponse>(client, commands.impact({ ...requestOf(of), depth })),
    enabled: of !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });
}

/** The tests that reach a definition. */
export function useTestsOf(of: Definition | undefined): Answered<TestMapResponse> {
  return useQuery({
    queryKey: [...graphKey, "tests", of],
    queryFn: ({ client }) => {
      const { repo, symbol, path, as_of } = requestOf(of);
      const request: Complete<raw.TestMapRequest> = {
        ...{ repo, symbol, path, as_of },
        reference: null,
        depth: 0,
      };
      return askFresh<TestMapResponse>(client, commands.testMap(request));
    },
    enabled: of !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });
}

function requestOf(of: Definition | undefined) {
  const { repo = "", symbol = "", path = "", line = 1, asOf = null } = of ?? {};
  return { repo, symbol, path, line, as_of: asOf };
}
