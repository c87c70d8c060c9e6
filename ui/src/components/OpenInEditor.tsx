// Opens a place in the person's editor: the one that they chose, else the first that is installed.

import { say, sayFailure } from "../app/notices";
import { preferences } from "../app/preferences";
import { session } from "../app/session";
import { useEditors, useOpenInEditor } from "../ipc";
import { IconButton } from "./controls";

/** A function that opens a place of a repository, the chosen one unless another is given, and the name of
 * the editor that it will be. */
export function useEditor(of?: string) {
  const { editor } = preferences.use();
  const { repo: chosenRepo } = session.use();
  const repo = of ?? chosenRepo;
  const editors = useEditors();
  const opening = useOpenInEditor();
  const chosen = editors.data?.find((one) => one.id === editor) ?? editors.data?.[0];
  const open = (path: string, line: number) =>
    opening.mutate(
      { repo, path, line, editor: chosen?.id ?? null },
      { onSuccess: (in_) => say(`Opened in ${in_.name}`), onError: sayFailure },
    );
  return { open, name: chosen?.name };
}

export function OpenInEditor(props: { path: string; line: number; repo?: string }) {
  const { open, name } = useEditor(props.repo);
  return (
    <IconButton
      icon="open"
      label={`Open in ${name ?? "editor"}`}
      data-testid="open-in-editor"
      onPress={() => open(props.path, props.line)}
    />
  );
}
