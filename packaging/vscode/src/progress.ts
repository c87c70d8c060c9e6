// Work that takes a while: shown how far it is, and ended when the person says so.

import { type Progress, ProgressLocation, window } from "vscode";

type Step = Progress<{ message?: string; increment?: number }>;

export function whileShown(
  title: string,
  act: (signal: AbortSignal, progress: Step) => Promise<void>,
): Thenable<void> {
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  return window.withProgress(options, (progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort());
    return act(ending.signal, progress);
  });
}
