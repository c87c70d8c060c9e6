// Leads to the window: to what lies around the place where one is.

import { spawn } from "node:child_process";
import { relative, sep } from "node:path";
import { env, Uri, window } from "vscode";
import { isMissing } from "./failures";
import { Failure } from "./program";
import { linkTo } from "./repository";
import { folderOf, neededFolder, programOf, repositoryOf } from "./whyrank";

/** A window that is there after this time is up. */
const UP_MS = 2000;

export async function openInWindow(): Promise<void> {
  const repository = await repositoryOf(neededFolder());
  const link = linkTo(repository, placeIn(repository.root));
  try {
    await start(programOf("desktopPath"), link, repository.root);
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (await env.openExternal(Uri.parse(link, true))) return;
    const hint = "install the window, or set whyrank.desktopPath";
    throw new Failure("no-window", "Whyrank's window is not installed", hint);
  }
}

/** Where the cursor is, if that is in the repository. */
function placeIn(root: string) {
  const editor = window.activeTextEditor;
  if (!editor || !folderOf(editor.document.uri)) return undefined;
  const path = relative(root, editor.document.uri.fsPath).split(sep).join("/");
  return path.startsWith("../") ? undefined : { path, line: editor.selection.active.line + 1 };
}

/** Starts the window; it goes on when the editor ends. One that is open already takes the link, and this one ends. */
function start(program: string, link: string, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [link], { cwd, detached: true, stdio: "ignore", shell: false });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) return resolve();
      const hint = "see what it says in a terminal";
      reject(new Failure("no-window", `${program} ended with ${code}`, hint));
    });
    child.unref();
    setTimeout(resolve, UP_MS);
  });
}
