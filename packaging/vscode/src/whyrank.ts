// The program as the editor's settings name it, asked in a folder of the workspace.

import { realpathSync } from "node:fs";
import { type Uri, type WorkspaceFolder, window, workspace } from "vscode";
import * as ask from "./arguments";
import { answerOf, type Call, Failure, findProgram, run, textOf } from "./program";
import { type Repository, rootSeenFrom, type StatusAnswer } from "./repository";

export const settings = () => workspace.getConfiguration("whyrank");

/** Folders of this machine; virtual ones are none of ours. */
export const folders = (): WorkspaceFolder[] =>
  (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");

const openedPaths = () => folders().map(({ uri }) => uri.fsPath);

/** The path of a program that a setting names. */
export function programOf(setting: "path" | "desktopPath"): string {
  return findProgram(settings().get<string>(setting, ""), openedPaths());
}

type Options = Pick<Call, "input" | "signal" | "onLine">;

const call = (folder: WorkspaceFolder, args: string[], options: Options) =>
  run({ program: programOf("path"), args, cwd: folder.uri.fsPath, ...options });

export async function answer<Answer>(
  folder: WorkspaceFolder,
  args: string[],
  options: Options = {},
): Promise<Answer> {
  return answerOf<Answer>(await call(folder, args, options));
}

export async function text(folder: WorkspaceFolder, args: string[]): Promise<string> {
  return textOf(await call(folder, args, {}));
}

/** The repository that a folder lies in, as it stands now. */
export async function repositoryOf(folder: WorkspaceFolder): Promise<Repository> {
  const { health } = await answer<StatusAnswer>(folder, ask.status);
  const opened = folder.uri.fsPath;
  const root = rootSeenFrom(opened, realpathSync(opened), health.summary.root);
  roots.set(folder.uri.toString(), root);
  return { ...health.summary, root };
}

const roots = new Map<string, string>();

/** Where a folder's repository begins, asked once. */
export async function rootOf(folder: WorkspaceFolder): Promise<string> {
  return roots.get(folder.uri.toString()) ?? (await repositoryOf(folder)).root;
}

/** The folder of a file, if it is one of this machine and of the workspace. */
export function folderOf(uri: Uri | undefined): WorkspaceFolder | undefined {
  return uri?.scheme === "file" ? workspace.getWorkspaceFolder(uri) : undefined;
}

/** The folder of the file that is open, or the first one. */
export function currentFolder(): WorkspaceFolder | undefined {
  return folderOf(window.activeTextEditor?.document.uri) ?? folders()[0];
}

/** The same, for a command: without a folder there is nothing to ask. */
export function neededFolder(): WorkspaceFolder {
  const folder = currentFolder();
  if (folder) return folder;
  throw new Failure("no-folder", "no folder is open", "open a folder of a git repository");
}
