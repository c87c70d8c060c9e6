// Puts the parts together: the language server, two views, memos, the status bar and the commands.

import { commands, type ExtensionContext, window, workspace } from "vscode";
import { openInWindow } from "./desktop";
import { Documents } from "./documents";
import { shown } from "./failures";
import { indexFolder } from "./indexing";
import { Memos } from "./memos";
import { Review } from "./review";
import { Search } from "./search";
import { Server } from "./server";
import { State } from "./state";

let server: Server | undefined;

export function activate({ subscriptions }: ExtensionContext): void {
  const output = window.createOutputChannel("Whyrank", { log: true });
  const documents = new Documents();
  const search = new Search(documents);
  const review = new Review();
  const memos = new Memos((line) => output.info(line));
  const state = new State();
  const served = new Server(output);
  server = served;
  const begin = async () => {
    await Promise.all([served.start(), state.refresh(), memos.refresh("all")]);
  };
  const acts: Record<string, (...args: never[]) => unknown> = {
    "whyrank.search": () => search.open(),
    "whyrank.why": (branch) => search.why(branch),
    "whyrank.review": () => review.ask(),
    "whyrank.index": () => indexFolder().finally(() => state.refresh()),
    "whyrank.open": openInWindow,
    "whyrank.memo.add": (reply) => memos.add(reply),
    "whyrank.memo.refresh": () => memos.refresh("all"),
    "whyrank.restart": begin,
    "whyrank.menu": () => state.menu(),
    "whyrank.log": () => output.show(),
  };
  const registered = Object.entries(acts).map(([name, act]) =>
    commands.registerCommand(name, shown(act)),
  );
  const changes = workspace.onDidChangeConfiguration((event) => {
    const isOurs = ["path", "mode", "diagnostics", "certainOnly"].some((one) =>
      event.affectsConfiguration(`whyrank.${one}`),
    );
    if (isOurs) void shown(begin)();
  });
  subscriptions.push(output, documents, search, review, memos, state, changes, ...registered);
  // A message waits for its reader; the editor does not.
  void shown(begin)();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
