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
import { answer, folderOf, rootOf } from "./whyrank";

/** Time after a save until memos are asked for again. */
const PAUSE_MS = 1500;

export class Memos implements Disposable {
  private readonly controller = comments.createCommentController("whyrank", "Whyrank memos");
  private readonly remarks = new Map<string, Remark[]>();
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

  /** Shows the memos of what is seen; with a folder its memos are asked for anew. */
  async refresh(changed?: WorkspaceFolder): Promise<void> {
    const seen = window.visibleTextEditors.map(({ document }) => document.uri);
    const files = new Map(seen.map((uri) => [uri.toString(), uri]));
    if (changed) await this.load(changed);
    for (const folder of new Set(seen.map(folderOf))) {
      if (folder && !this.remarks.has(folder.uri.toString())) await this.load(folder);
    }
    for (const key of this.threads.keys()) if (!files.has(key)) this.hide(key);
    for (const [key, uri] of files) {
      if (changed || !this.threads.has(key)) await this.showIn(uri);
    }
  }

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
      this.remarks.set(key, remarksOf(await answer<MemoAnswer>(folder, ask.memos)));
    } catch (error) {
      this.remarks.set(key, []);
      this.log(`memos of ${folder.name}: ${sentenceOf(error)}`);
    }
  }

  private async showIn(uri: Uri): Promise<void> {
    const folder = folderOf(uri);
    const known = folder && this.remarks.get(folder.uri.toString());
    this.hide(uri.toString());
    if (!folder || !known || known.length === 0) return;
    const root = await rootOf(folder);
    if (!isWithin(root, uri.fsPath)) return;
    const path = pathIn(root, uri);
    const groups = groupsOf(known.filter((remark) => remark.path === path));
    this.threads.set(
      uri.toString(),
      groups.map((group) => this.thread(uri, group)),
    );
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
