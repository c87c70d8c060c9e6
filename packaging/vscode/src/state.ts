// The status bar: how far the index of the folder is; a click leads to what can be done.

import { commands, type Disposable, StatusBarAlignment, window } from "vscode";
import { isMissing, sentenceOf } from "./failures";
import { stateOf } from "./repository";
import { currentFolder, repositoryOf } from "./whyrank";

/** Time until the state is asked again while the index is made or is behind; each time twice as long. */
const PAUSE_MS = { first: 3000, most: 60_000 };

const ACTIONS = {
  "$(search) Search": "whyrank.search",
  "$(git-compare) What Does My Change Break": "whyrank.review",
  "$(database) Index This Folder": "whyrank.index",
  "$(link-external) Open in Whyrank": "whyrank.open",
  "$(debug-restart) Restart the Language Server": "whyrank.restart",
  "$(output) Show the Log": "whyrank.log",
};

export class State implements Disposable {
  private readonly item = window.createStatusBarItem("whyrank", StatusBarAlignment.Right);
  private folder = currentFolder();
  private pause = PAUSE_MS.first;
  private waiting: NodeJS.Timeout | undefined;
  private readonly listening = [
    window.onDidChangeActiveTextEditor(() => this.follow()),
    window.onDidChangeWindowState(({ focused }) => focused && void this.refresh()),
  ];

  constructor() {
    this.item.name = "Whyrank";
    this.item.command = "whyrank.menu";
  }

  async refresh(): Promise<void> {
    const folder = currentFolder();
    this.folder = folder;
    if (!folder) return this.item.hide();
    clearTimeout(this.waiting);
    const shown = await repositoryOf(folder).then(stateOf, (error) => ({
      isUnderWay: false,
      text: `$(warning) Whyrank: ${isMissing(error) ? "not found" : "no index"}`,
      tooltip: sentenceOf(error),
    }));
    if (folder !== this.folder) return;
    this.item.text = shown.text;
    this.item.tooltip = shown.tooltip;
    this.item.accessibilityInformation = { label: `${shown.text.replace(/^\S+ /, "")}, menu` };
    this.item.show();
    this.pause = shown.isUnderWay ? Math.min(this.pause * 2, PAUSE_MS.most) : PAUSE_MS.first;
    if (shown.isUnderWay) this.waiting = setTimeout(() => void this.refresh(), this.pause);
  }

  async menu(): Promise<void> {
    const chosen = await window.showQuickPick(Object.keys(ACTIONS), {
      title: "Whyrank",
      placeHolder: typeof this.item.tooltip === "string" ? this.item.tooltip : "",
    });
    const command = Object.entries(ACTIONS).find(([label]) => label === chosen)?.[1];
    if (command) await commands.executeCommand(command);
  }

  private follow(): void {
    if (currentFolder() !== this.folder) void this.refresh();
  }

  dispose(): void {
    clearTimeout(this.waiting);
    for (const one of this.listening) one.dispose();
    this.item.dispose();
  }
}
