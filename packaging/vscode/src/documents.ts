// Readonly documents of what the program said.

import { type Disposable, Uri, window, workspace } from "vscode";
import { shown } from "./text";

const SCHEME = "whyrank";
const MOST_KEPT = 50;

export class Documents implements Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registered = workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) =>
      this.texts.get(uri.toString()) ?? "This answer is gone; search again.\n",
  });

  /** Opens a text under a title; `id` tells texts of one title apart. */
  async open(title: string, id: string, text: string): Promise<void> {
    const name = title.replaceAll(/[\\/:]/g, " ");
    const uri = Uri.from({ scheme: SCHEME, path: `/${name}`, query: id });
    this.texts.set(uri.toString(), shown(text));
    for (const old of [...this.texts.keys()].slice(0, -MOST_KEPT)) this.texts.delete(old);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.registered.dispose();
  }
}
