// Editors that are installed, and files opened in them.

import { useQuery } from "@tanstack/react-query";
import { type Answered, ask, useChange } from "./ask";
import { commands, type EditorInfo } from "./bindings";

export type { EditorInfo };

export function useEditors(): Answered<EditorInfo[]> {
  return useQuery({
    queryKey: ["editors"],
    queryFn: () => ask<EditorInfo[]>(commands.editors()),
    staleTime: 60_000,
  });
}

export interface FilePlace {
  repo: string;
  path: string;
  line: number;
  /** Id of an editor; the first that is installed where there is none. */
  editor: string | null;
}

export function useOpenInEditor() {
  return useChange<FilePlace, EditorInfo>(({ repo, path, line, editor }) =>
    commands.openInEditor(repo, path, line, editor),
  );
}
