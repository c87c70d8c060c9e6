// Leads to the window: to the file where one is, and who uses it.

import { spawn } from "node:child_process";
import { relative, sep } from "node:path";
import { env, Uri, window } from "vscode";
import { isMissing } from "./failures";
import { Failure, isWithin } from "./program";
import { linkTo } from "./repository";
import { folderOf, neededFolder, programOf, repositoryOf } from "./whyrank";

/** A window that is there after this time is up. */
const UP_MS = 2000;

export async function openInWindow(): Promise<void> {
  const repository = await repositoryOf(neededFolder());
  const link = linkTo(repository, pathIn(repository.root));
  try {
    await start(programOf("desktopPath"), link, repository.root);
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (await env.openExternal(Uri.parse(link, true))) return;
    const hint = "install the window, or set whyrank.desktopPath";
    throw new Failure("no-window", "Whyrank's window is not installed", hint);
  }
}

/** The file that is open, if it lies in the repository. */
function pathIn(root: string): string | undefined {
  const uri = window.activeTextEditor?.document.uri;
  if (!uri || !folderOf(uri) || !isWithin(root, uri.fsPath)) return undefined;
  return relative(root, uri.fsPath).split(sep).join("/");
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
