// The search view: an input, rows that follow it, and why a row is where it is.

import { commands, type Disposable, type WorkspaceFolder, window } from "vscode";
import * as ask from "./arguments";
import type { Branch } from "./branch";
import type { Documents } from "./documents";
import { isCancelled, sentenceOf, show } from "./failures";
import { rowsOf, type SearchAnswer, summaryOf } from "./hits";
import { Failure } from "./program";
import { inMessage, inOneLine } from "./text";
import { Tree } from "./tree";
import { answer, neededFolder, rootOf, text } from "./whyrank";

/** Time without a key until what was typed is searched. */
const PAUSE_MS = 250;

export class Search implements Disposable {
  private readonly tree = new Tree("whyrank.hits");
  private running = new AbortController();
  private waiting: NodeJS.Timeout | undefined;
  private last = "";
  /** Where the rows are from. */
  private folder: WorkspaceFolder | undefined;

  constructor(private readonly documents: Documents) {}

  /** Asks for words; rows follow while they are typed. */
  open(): void {
    const folder = neededFolder();
    const input = window.createInputBox();
    input.title = `Whyrank: Search ${inOneLine(folder.name)}`;
    input.placeholder = "A question, an identifier, a path, an error message";
    input.value = this.last;
    input.onDidChangeValue((query) => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => void this.ask(folder, query, false), PAUSE_MS);
    });
    input.onDidAccept(() => {
      clearTimeout(this.waiting);
      void this.ask(folder, input.value, true);
      input.hide();
      void commands.executeCommand("whyrank.hits.focus");
    });
    input.onDidHide(() => input.dispose());
    input.show();
  }

  /** Ends the search that runs, and begins this one; a failure is a message where Enter asked. */
  private async ask(folder: WorkspaceFolder, query: string, isEntered: boolean): Promise<void> {
    this.running.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    this.last = query.trim();
    // A single dash would stand for standard input.
    if (this.last === "" || this.last === "-") return;
    this.tree.say(inMessage(`Searching “${this.last}” …`));
    try {
      const found = await answer<SearchAnswer>(folder, ask.search(this.last), { signal });
      const root = await rootOf(folder);
      if (signal.aborted) return;
      this.folder = folder;
      this.tree.show(root, rowsOf(found), summaryOf(this.last, found));
    } catch (error) {
      if (isCancelled(error) || signal.aborted) return;
      this.tree.show("", [], sentenceOf(error));
      if (isEntered) await show(error);
    }
  }

  /** Shows why a hit ranks where it does. */
  async why(branch: Branch | undefined): Promise<void> {
    const { hit } = branch ?? this.tree.view.selection[0] ?? {};
    if (!hit || !this.folder) {
      throw new Failure("no-hit", "no hit is chosen", "search, then choose Why on a row");
    }
    const { queryId, rank, name } = hit;
    const told = await text(this.folder, ask.explain(queryId, rank));
    await this.documents.open(`Why #${rank} ${name}`, `${queryId}-${rank}`, told, `#${rank} `);
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.running.abort();
    this.tree.view.dispose();
  }
}
