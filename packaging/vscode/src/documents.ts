// Readonly documents of what the program said.

import {
  type Disposable,
  Range,
  Selection,
  TextEditorRevealType,
  Uri,
  window,
  workspace,
} from "vscode";
import { shown } from "./text";

const SCHEME = "whyrank";
const MOST_KEPT = 50;

export class Documents implements Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registered = workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) =>
      this.texts.get(uri.toString()) ?? "This answer is gone; search again.\n",
  });

  /** Opens a text under a title, at the line that begins with a word; `id` tells texts of one title apart. */
  async open(title: string, id: string, text: string, word: string): Promise<void> {
    const name = title.replaceAll(/[\\/:]/g, " ");
    const uri = Uri.from({ scheme: SCHEME, path: `/${name}`, query: id });
    this.texts.set(uri.toString(), shown(text));
    for (const old of [...this.texts.keys()].slice(0, -MOST_KEPT)) this.texts.delete(old);
    const document = await workspace.openTextDocument(uri);
    const line = Math.max(
      text.split("\n").findIndex((one) => one.startsWith(word)),
      0,
    );
    const editor = await window.showTextDocument(document, { preview: true });
    const place = new Range(line, 0, line, 0);
    editor.selection = new Selection(place.start, place.start);
    editor.revealRange(place, TextEditorRevealType.AtTop);
  }

  dispose(): void {
    this.registered.dispose();
  }
}
