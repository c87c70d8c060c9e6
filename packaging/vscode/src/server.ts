// The language server, with the program's own process on standard input and output.

import type { LogOutputChannel } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import * as ask from "./arguments";
import { inTurn } from "./turns";
import { folders, programOf, settings } from "./whyrank";

/** How often a server that ended is started anew within three minutes. */
const MOST_RESTARTS = 2;

export class Server {
  private client: LanguageClient | undefined;

  constructor(private readonly output: LogOutputChannel) {}

  /** Starts the server, in place of one that runs; a program that is missing is said before. */
  readonly start = inTurn(async (): Promise<void> => {
    await this.stop();
    const command = programOf("path");
    const [first] = folders();
    const client = new LanguageClient(
      "whyrank",
      "Whyrank",
      {
        command,
        args: ask.server(settings().get("mode", "beside")),
        options: { ...(first && { cwd: first.uri.fsPath }), shell: false },
      },
      {
        documentSelector: [{ scheme: "file" }],
        outputChannel: this.output,
        connectionOptions: { maxRestartCount: MOST_RESTARTS },
        markdown: { isTrusted: false, supportHtml: false },
        initializationOptions: {
          diagnostics: settings().get("diagnostics", false),
          certainOnly: settings().get("certainOnly", false),
        },
      },
    );
    this.client = client;
    await client.start();
  });

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    // One that never came up cannot be stopped.
    if (client?.needsStop()) await client.stop();
  }
}
