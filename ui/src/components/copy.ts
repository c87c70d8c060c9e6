// Copies and says so.

import { say } from "../app/notices";
import { copyText } from "../ipc";

export async function copyAndSay(text: string, what = text): Promise<void> {
  await copyText(text);
  say(`Copied ${what}`);
}

/** Code as it is pasted into an issue or a chat: where it is, linked where there is a link, and the lines. */
export function asMarkdown(of: {
  path: string;
  language: string;
  from: number;
  text: string;
  url: string | null;
}): string {
  const lines = of.text.replace(/\n$/, "").split("\n");
  const fence = /^(`{3,})/m.test(of.text) ? "````" : "```";
  const to = of.from + lines.length - 1;
  const place = `\`${of.path}:${of.from}${to > of.from ? `-${to}` : ""}\``;
  return `${of.url ? `[${place}](${of.url})` : place}\n\n${fence}${of.language}\n${lines.join("\n")}\n${fence}\n`;
}
