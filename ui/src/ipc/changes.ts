// What changed, as the engine reviews it: definitions by risk, the lines of a file, the tests to run.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type Answered, outdate } from "./ask";
import type * as raw from "./bindings";
import { commands } from "./bindings";
import { graphKey } from "./graph";
import { askFresh } from "./looks";
import type { Complete } from "./types";

export type BrokenImports = raw.BrokenImports;
export type ChangeState = raw.ChangeState;
export type DiffHunk = raw.DiffHunk;
export type FileDiff = raw.FileDiff;
export type HunkLine = raw.HunkLine;
export type MovedFile = raw.MovedFile;
export type ReviewedSymbol = raw.ReviewedSymbol;
export type ReviewResponse = raw.ReviewResponse;
export type RiskKind = raw.RiskKind;
export type SymbolChange = raw.SymbolChange;
export type UnchangedCaller = raw.UnchangedCaller;

/** Git tells nobody of a commit, of what is staged, of a merge that begins: it is asked. */
const STATE_MS = 4_000;
/** Asking takes at most this share of the time. */
const SHARE = 0.01;

const reviewKey = [...graphKey, "review"] as const;

/** What changed since a revision, or in a range: definitions by risk. */
export function useReview(repo: string, reference: string): Answered<ReviewResponse> {
  return useQuery({
    queryKey: [...reviewKey, repo, reference],
    queryFn: ({ client }) => {
      const request: Complete<raw.ReviewRequest> = { repo, reference, path: null, max_files: 0 };
      return askFresh<ReviewResponse>(client, commands.reviewDiff(request));
    },
    enabled: repo !== "",
    // An answer about the same repository stays until the next is here.
    placeholderData: (before: ReviewResponse | undefined, query) =>
      query?.queryKey.includes(repo) ? before : undefined,
    staleTime: 30_000,
    retry: false,
  });
}

/** What is staged, under way and ahead. Where git has moved on, reviews are asked again. */
export function useChangeState(repo: string): Answered<ChangeState> {
  const client = useQueryClient();
  const tookMs = useRef(0);
  const state: Answered<ChangeState> = useQuery({
    queryKey: ["change-state", repo],
    queryFn: async () => {
      const begun = performance.now();
      const answer = await askFresh<ChangeState>(client, commands.changeState(repo));
      tookMs.current = performance.now() - begun;
      return answer;
    },
    enabled: repo !== "",
    refetchInterval: () => Math.max(STATE_MS, tookMs.current / SHARE),
    retry: false,
  });
  const { data } = state;
  const before = useRef<ChangeState>(undefined);
  useEffect(() => {
    // An answer that says the same is the same object.
    if (data && before.current && before.current !== data) outdate(client, reviewKey);
    before.current = data;
  }, [client, data]);
  return state;
}

/** The lines in which a file differs. */
export function useFileDiff(
  repo: string,
  reference: string,
  path: string | undefined,
): Answered<FileDiff> {
  return useQuery({
    queryKey: [...reviewKey, repo, reference, "file", path],
    queryFn: ({ client }) => {
      const request: Complete<raw.FileDiffRequest> = { repo, reference, path: path ?? "" };
      return askFresh<FileDiff>(client, commands.fileDiff(request));
    },
    enabled: path !== undefined && repo !== "",
    staleTime: 30_000,
    retry: false,
  });
}

/** The tests that reach what changed. */
export function useTestsOfChange(
  repo: string,
  reference: string,
  enabled: boolean,
): Answered<raw.TestMapResponse> {
  return useQuery({
    queryKey: [...reviewKey, repo, reference, "tests"],
    queryFn: ({ client }) => {
      const request: Complete<raw.TestMapRequest> = {
        repo,
        reference: reference || "HEAD",
        path: null,
        symbol: null,
        depth: 0,
        as_of: null,
      };
      return askFresh<raw.TestMapResponse>(client, commands.testMap(request));
    },
    enabled: enabled && repo !== "",
    staleTime: 30_000,
    retry: false,
  });
}
