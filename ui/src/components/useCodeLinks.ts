// The names of a file, and where they lead within the window.

import { useMemo } from "react";
import { openCode } from "../app/opened";
import { type FileNames, useNames } from "../ipc";
import type { CodeLink, CodeLinks } from "./code-links";

/** The names of a file of a repository, and what is to be said of them; none until they are known. */
export function useCodeLinks(
  repo: string,
  path: string | undefined,
  asOf: string | null,
): { links: CodeLinks | undefined; note: string } {
  const { data, error } = useNames(repo, path, asOf);
  const links = useMemo<CodeLinks | undefined>(() => {
    if (!data) return undefined;
    const onOpen: CodeLinks["onOpen"] = (place, from) => openCode({ repo, ...place }, from);
    return { path: data.path, repo, asOf, names: linksOf(data), onOpen };
  }, [data, repo, asOf]);
  return { links, note: error ? `Names lead nowhere: ${error.message}.` : noteOf(data) };
}

function linksOf({ names, definitions }: FileNames): CodeLink[] {
  return names.flatMap(({ targets, ...name }) => {
    const meant = targets.flatMap((at) => definitions[at] ?? []);
    return meant.length > 0 ? [{ ...name, targets: meant }] : [];
  });
}

function noteOf(data: FileNames | undefined): string {
  if (data?.note) return `Not all names lead somewhere yet: ${data.note}.`;
  if (data?.n_left_out)
    return `Only the first ${data.names.length.toLocaleString("en")} names are links.`;
  return "";
}
