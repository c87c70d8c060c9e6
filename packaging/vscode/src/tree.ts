// A view of rows; a line above them says what they are.

import { join } from "node:path";
import {
  EventEmitter,
  MarkdownString,
  Range,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  Uri,
  window,
} from "vscode";
import type { Branch } from "./branch";
import { isWithin } from "./program";

export class Tree implements TreeDataProvider<Branch> {
  private readonly changes = new EventEmitter<undefined>();
  private rows: Branch[] = [];
  private root = "";
  readonly onDidChangeTreeData = this.changes.event;
  readonly view: TreeView<Branch>;

  constructor(id: string) {
    this.view = window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true });
  }

  /** Shows rows whose places lie below `root`. */
  show(root: string, rows: Branch[], message: string): void {
    this.root = root;
    this.rows = rows;
    this.view.message = message;
    this.changes.fire(undefined);
    // Whoever types goes on typing.
    const [first] = rows;
    if (first && !this.view.visible) {
      void this.view.reveal(first, { focus: false, select: false });
    }
  }

  say(message: string): void {
    this.view.message = message;
  }

  getChildren(branch?: Branch): Branch[] {
    return branch ? (branch.children ?? []) : this.rows;
  }

  /** Only rows at the top are revealed. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(branch: Branch): TreeItem {
    const { label, description, tooltip, icon, place, hit, children = [] } = branch;
    const { None, Expanded } = TreeItemCollapsibleState;
    const item = new TreeItem(label, children.length > 0 ? Expanded : None);
    item.description = description ?? "";
    item.tooltip = tooltip === undefined ? label : plain(tooltip);
    item.iconPath = new ThemeIcon(icon);
    if (hit) item.contextValue = "hit";
    if (place) this.leadTo(item, place);
    return item;
  }

  private leadTo(item: TreeItem, { path, line }: NonNullable<Branch["place"]>): void {
    const file = join(this.root, path);
    if (!isWithin(this.root, file)) return;
    const selection = new Range(line - 1, 0, line - 1, 0);
    const args = [Uri.file(file), { selection, preview: true }];
    item.command = { command: "vscode.open", title: "Open", arguments: args };
  }
}

/** Lines as they are: a tooltip of Markdown may hold what it likes as code. */
function plain(text: string): MarkdownString {
  const tooltip = new MarkdownString();
  tooltip.isTrusted = false;
  tooltip.appendCodeblock(text, "text");
  return tooltip;
}
