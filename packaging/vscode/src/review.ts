// "What does my change break": a view of changed definitions by risk, and of who uses them and did not change.

import { commands, type Disposable } from "vscode";
import * as ask from "./arguments";
import { type ReviewAnswer, rowsOfReview, summaryOfReview } from "./change";
import { sentenceOf } from "./failures";
import { whileShown } from "./progress";
import { Tree } from "./tree";
import { answer, neededFolder, rootOf } from "./whyrank";

export class Review implements Disposable {
  private readonly tree = new Tree("whyrank.change");

  async ask(): Promise<void> {
    const folder = neededFolder();
    await commands.executeCommand("whyrank.change.focus");
    await whileShown("Whyrank: what does my change break", async (signal) => {
      try {
        const found = await answer<ReviewAnswer>(folder, ask.review, { signal });
        const root = await rootOf(folder);
        this.tree.show(root, rowsOfReview(found), summaryOfReview(found));
      } catch (error) {
        this.tree.show("", [], sentenceOf(error));
        throw error;
      }
    });
  }

  dispose(): void {
    this.tree.view.dispose();
  }
}
