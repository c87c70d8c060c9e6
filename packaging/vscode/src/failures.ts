// What did not work, said once and with what to do.

import { ConfigurationTarget, commands, env, Uri, window } from "vscode";
import { Failure } from "./program";
import { inMessage } from "./text";
import { settings } from "./whyrank";

const DOCS = "https://github.com/whyrank/whyrank#install";
const INSTALL = "How to Install";
const CHOOSE = "Choose the Path…";
const INDEX = "Index This Folder";

/** Tells that nobody needs to hear of it. */
export const isCancelled = (error: unknown) =>
  error instanceof Failure && error.code === "cancelled";

export const isMissing = (error: unknown) => error instanceof Failure && error.code === "missing";

/** What failed and what to do, in a line. */
export function sentenceOf(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const hint = error instanceof Failure && error.hint ? `: ${error.hint}` : "";
  return inMessage(`${message}${hint}`);
}

export async function show(error: unknown): Promise<void> {
  if (isCancelled(error)) return;
  const code = error instanceof Failure ? error.code : "";
  const buttons: Record<string, string[]> = {
    missing: [INSTALL, CHOOSE],
    "index-missing": [INDEX],
  };
  const said = `Whyrank: ${sentenceOf(error)}`;
  const chosen = await window.showErrorMessage(said, ...(buttons[code] ?? []));
  if (chosen === INSTALL) await env.openExternal(Uri.parse(DOCS));
  if (chosen === CHOOSE) await choosePath();
  if (chosen === INDEX) await commands.executeCommand("whyrank.index");
}

/** Sets the program's path for this person, not for the workspace. */
export async function choosePath(): Promise<void> {
  const [file] = (await window.showOpenDialog({ title: "The program whyrank" })) ?? [];
  if (file) await settings().update("path", file.fsPath, ConfigurationTarget.Global);
}

/** A command whose failure is shown. */
export function shown<Args extends unknown[]>(act: (...args: Args) => unknown) {
  return async (...args: Args): Promise<void> => {
    try {
      await act(...args);
    } catch (error) {
      await show(error);
    }
  };
}
