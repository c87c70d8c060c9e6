// Memos as comments beside the lines that they are about; a comment that is written becomes a memo.

import { relative, sep } from "node:path";
import {
  CommentMode,
  type CommentReply,
  type CommentThread,
  CommentThreadCollapsibleState,
  comments,
  type Disposable,
  Range,
  type Uri,
  type WorkspaceFolder,
  window,
  workspace,
} from "vscode";
import * as ask from "./arguments";
import { sentenceOf } from "./failures";
import { groupsOf, type MemoAnswer, type Remark, remarksOf } from "./memo";
import { Failure, isWithin } from "./program";
import { inTurn } from "./turns";
import { answer, folderOf, rootOf } from "./whyrank";

/** Time after a save until memos are asked for again. */
const PAUSE_MS = 1500;

const NONE = { root: "", remarks: [] };

export class Memos implements Disposable {
  private readonly controller = comments.createCommentController("whyrank", "Whyrank memos");
  private readonly known = new Map<string, { root: string; remarks: Remark[] }>();
  private readonly threads = new Map<string, CommentThread[]>();
  private waiting: NodeJS.Timeout | undefined;
  private readonly listening = [
    window.onDidChangeVisibleTextEditors(() => void this.refresh()),
    workspace.onDidSaveTextDocument(({ uri }) => this.refreshSoon(folderOf(uri))),
  ];

  constructor(private readonly log: (line: string) => void) {
    this.controller.options = {
      prompt: "Record a memo",
      placeHolder: "What to know about these lines",
    };
    this.controller.commentingRangeProvider = {
      provideCommentingRanges: ({ uri, lineCount }) =>
        folderOf(uri) ? [new Range(0, 0, lineCount - 1, 0)] : [],
    };
  }

  /** Shows the memos of what is seen; those of a folder, or of all, are asked for anew. */
  readonly refresh = inTurn(async (changed?: WorkspaceFolder | "all"): Promise<void> => {
    const seen = window.visibleTextEditors.map(({ document }) => document.uri);
    const files = new Map(seen.map((uri) => [uri.toString(), uri]));
    if (changed === "all") this.known.clear();
    else if (changed) this.known.delete(changed.uri.toString());
    for (const folder of new Set(seen.map(folderOf))) {
      if (folder && !this.known.has(folder.uri.toString())) await this.load(folder);
    }
    for (const key of this.threads.keys()) if (!files.has(key)) this.hide(key);
    for (const [key, uri] of files) {
      if (changed || !this.threads.has(key)) this.showIn(uri);
    }
  });

  /** Writes what was typed beside lines as a memo. */
  async add({ thread, text }: CommentReply): Promise<void> {
    const folder = folderOf(thread.uri);
    const { range } = thread;
    if (!folder || !range || text.trim() === "") {
      throw new Failure("no-memo", "there is nothing to record", "write beside lines of a file");
    }
    const root = await rootOf(folder);
    const path = pathIn(root, thread.uri);
    const lines = { path, first: range.start.line + 1, last: range.end.line + 1 };
    await answer(folder, ask.addMemo(lines), { input: text });
    if (thread.comments.length === 0) thread.dispose();
    await this.refresh(folder);
  }

  private refreshSoon(folder: WorkspaceFolder | undefined): void {
    if (!folder) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.refresh(folder), PAUSE_MS);
  }

  /** What fails here was not asked for: it is logged, and commands say it. */
  private async load(folder: WorkspaceFolder): Promise<void> {
    const key = folder.uri.toString();
    try {
      const remarks = remarksOf(await answer<MemoAnswer>(folder, ask.memos));
      this.known.set(key, { root: remarks.length > 0 ? await rootOf(folder) : "", remarks });
    } catch (error) {
      this.known.set(key, { root: "", remarks: [] });
      this.log(`memos of ${folder.name}: ${sentenceOf(error)}`);
    }
  }

  private showIn(uri: Uri): void {
    this.hide(uri.toString());
    const { root, remarks } = this.known.get(folderOf(uri)?.uri.toString() ?? "") ?? NONE;
    if (remarks.length === 0 || !isWithin(root, uri.fsPath)) return;
    const path = pathIn(root, uri);
    const groups = groupsOf(remarks.filter((remark) => remark.path === path));
    const threads = groups.map((group) => this.thread(uri, group));
    this.threads.set(uri.toString(), threads);
  }

  private thread(uri: Uri, remarks: Remark[]): CommentThread {
    const { first = 1, last = 1 } = remarks[0] ?? {};
    const range = new Range(first - 1, 0, last - 1, 0);
    const thread = this.controller.createCommentThread(uri, range, remarks.map(comment));
    thread.collapsibleState = CommentThreadCollapsibleState.Collapsed;
    thread.label = remarks.some(({ isDrifted }) => isDrifted) ? "Memo: its code changed" : "Memo";
    return thread;
  }

  private hide(key: string): void {
    for (const thread of this.threads.get(key) ?? []) thread.dispose();
    this.threads.delete(key);
  }

  dispose(): void {
    clearTimeout(this.waiting);
    for (const one of this.listening) one.dispose();
    this.controller.dispose();
  }
}

/** Its text as it is: Markdown could load pictures from elsewhere. */
const comment = ({ text, author, label, recordedAt }: Remark) => ({
  body: text,
  author: { name: author },
  label,
  mode: CommentMode.Preview,
  timestamp: new Date(recordedAt),
});

const pathIn = (root: string, { fsPath }: Uri) => relative(root, fsPath).split(sep).join("/");
