// "Index this folder": how far it is, and its end when the person says so; the last index goes on answering.

import { window } from "vscode";
import * as ask from "./arguments";
import { whileShown } from "./progress";
import { progressOf } from "./repository";
import { inMessage } from "./text";
import { answer, neededFolder, repositoryOf } from "./whyrank";

export async function indexFolder(): Promise<void> {
  const folder = neededFolder();
  await whileShown(`Whyrank: indexing ${inMessage(folder.name)}`, async (signal, progress) => {
    const onLine = (line: string) => {
      const step = progressOf(line);
      if (step) progress.report({ message: step });
    };
    await answer(folder, ask.index(folder.uri.fsPath), { signal, onLine });
  });
  const { name, state_note } = await repositoryOf(folder);
  void window.showInformationMessage(inMessage(`Whyrank: ${name} is indexed, ${state_note}`));
}
