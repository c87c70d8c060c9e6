// Who wrote the lines of a file, and links to them at the forge.

import { useQuery } from "@tanstack/react-query";
import { type Answered, ask } from "./ask";
import type * as raw from "./bindings";
import { commands } from "./bindings";
import { askFresh } from "./looks";

export type BlameCommit = raw.BlameCommit;
export type FileBlame = raw.FileBlame;
export type Permalink = raw.Permalink;

export const blameKey = ["blame"] as const;

/** Blame of a file of the working tree, or as it was at a revision, once it is wanted. */
export function useBlame(
  repo: string,
  path: string | undefined,
  asOf: string | null,
  isWanted: boolean,
): Answered<FileBlame> {
  return useQuery({
    queryKey: [...blameKey, repo, path, asOf],
    queryFn: ({ client }) => askFresh<FileBlame>(client, commands.blame(repo, path ?? "", asOf)),
    enabled: isWanted && path !== undefined,
    staleTime: 60_000,
    retry: false,
  });
}

/** A link to lines at the forge, or why there is none. */
export async function permalink(
  repo: string,
  path: string,
  lines: [number, number],
  asOf: string | null,
): Promise<Permalink> {
  return ask<Permalink>(commands.permalink(repo, path, lines, asOf)).catch((error) => ({
    url: null,
    missing: String(error?.message ?? error),
  }));
}
