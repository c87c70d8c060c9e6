// The Markdown of memos, as elements: headings, lists, quotes, code, emphasis. HTML stays text.

import { Fragment, type ReactNode } from "react";

export function Markdown({ text }: { text: string }) {
  return <div className="memo-text">{blocks(text).map((block) => block)}</div>;
}

function blocks(text: string): ReactNode[] {
  const lines = text.split("\n");
  const found: ReactNode[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const key = at;
    const take = (belongs: (line: string) => boolean) => {
      const from = at;
      while (at < lines.length && belongs(lines[at] ?? "")) at += 1;
      return lines.slice(from, at);
    };
    if (line.trim() === "") {
      at += 1;
    } else if (line.startsWith("```")) {
      at += 1;
      const code = take((next) => !next.startsWith("```"));
      at += 1;
      found.push(<pre key={key}>{code.join("\n")}</pre>);
    } else if (/^#{1,6}\s/.test(line)) {
      at += 1;
      found.push(<h3 key={key}>{inline(line.replace(/^#+\s+/, ""))}</h3>);
    } else if (/^\s*[-*+]\s/.test(line) || /^\s*\d+[.)]\s/.test(line)) {
      const isNumbered = /^\s*\d/.test(line);
      const items = take((next) => /^\s*([-*+]|\d+[.)])\s/.test(next) || /^\s{2,}\S/.test(next));
      const List = isNumbered ? "ol" : "ul";
      found.push(<List key={key}>{listItems(items)}</List>);
    } else if (line.startsWith(">")) {
      const quoted = take((next) => next.startsWith(">"));
      const inner = quoted.map((one) => one.replace(/^>\s?/, "")).join("\n");
      found.push(<blockquote key={key}>{blocks(inner)}</blockquote>);
    } else {
      const words = take(
        (next) => next.trim() !== "" && !/^(```|#{1,6}\s|>|\s*[-*+]\s|\s*\d+[.)]\s)/.test(next),
      );
      // A line that only looks like a beginning is a paragraph of its own.
      if (words.length === 0) {
        words.push(line);
        at += 1;
      }
      found.push(<p key={key}>{inline(words.join("\n"))}</p>);
    }
  }
  return found;
}

function listItems(lines: string[]): ReactNode[] {
  const items: string[] = [];
  for (const line of lines) {
    const begins = /^\s*([-*+]|\d+[.)])\s+/.exec(line);
    if (begins) items.push(line.slice(begins[0].length));
    else items.push(`${items.pop() ?? ""}\n${line.trim()}`);
  }
  return items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items of a text have no other name
    <li key={index}>{inline(item)}</li>
  ));
}

const MARKS = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|_[^_\s][^_]*_|\[[^\]]+\]\([^)\s]+\))/;

function inline(text: string): ReactNode {
  return text.split(MARKS).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name
    return <Fragment key={index}>{marked(part)}</Fragment>;
  });
}

function marked(part: string): ReactNode {
  if (part.length < 3) return part;
  if (part.startsWith("`") && part.endsWith("`")) return <code>{part.slice(1, -1)}</code>;
  if (part.startsWith("**") && part.endsWith("**")) return <strong>{part.slice(2, -2)}</strong>;
  if (/^[*_].*[*_]$/s.test(part) && MARKS.test(part)) return <em>{part.slice(1, -1)}</em>;
  const link = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part);
  // The window opens no pages: the address is shown, not followed.
  if (link) return <span title={link[2]}>{link[1]}</span>;
  return part;
}
