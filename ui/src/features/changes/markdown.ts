// A review as Markdown, for an agent or a pull request.

import { count, plural } from "../../components/format";
import type { BrokenImports, ReviewedSymbol, ReviewResponse, TestPlace } from "../../ipc";
import { commandOf, placesOf } from "./run-tests";
import { changeWords, summaryOf } from "./words";

/** Rows that anybody reads in a text; the rest is counted. */
const MOST = 60;

export function reviewMarkdown(review: ReviewResponse, tests: readonly TestPlace[]): string {
  const parts = [
    `# Review since ${code(review.base)}\n\n${summaryOf(review).join(", ")}.`,
    list("", [...review.notes, review.without].filter(Boolean).map(inline)),
    list("## By risk", review.symbols.map(symbolItem)),
    list("## Imports that lead nowhere", review.broken_imports.map(brokenItem)),
    list(
      "## Moved",
      review.moved_files.map((one) => `${code(one.from)} to ${code(one.path)}`),
    ),
    list("## Removed", review.removed_files.map(code)),
    list("## Also changed", review.others.map(code)),
    list(
      "## Not read",
      review.unread.map((one) => `${code(one.path)}: ${inline(one.reason)}`),
    ),
    review.n_left_out > 0 ? `${plural(review.n_left_out, "file")} left out.` : "",
    testsPart(tests),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function list(title: string, items: string[]): string {
  if (items.length === 0) return "";
  const more = items.length > MOST ? [`${count(items.length - MOST)} more`] : [];
  const lines = [...items.slice(0, MOST), ...more].map((item) => `- ${item}`);
  return `${title ? `${title}\n\n` : ""}${lines.join("\n")}`;
}

function symbolItem(one: ReviewedSymbol): string {
  const { path, name_line, qualified, signature } = one.symbol;
  const reasons = one.reasons.map(({ text }) => inline(text)).join("; ");
  const head = `**${count(one.risk)}** ${code(qualified)} (${inline(changeWords(one))}) at ${code(`${path}:${name_line}`)}`;
  const was = one.was ? [`was ${code(one.was)}`, `now ${code(signature)}`] : [];
  const callers = one.callers
    .filter((caller) => !caller.test)
    .map((caller) => code(`${caller.path}:${caller.line}`));
  const rest = one.n_callers - callers.length;
  const followed =
    callers.length > 0
      ? [`did not follow: ${callers.join(", ")}${rest > 0 ? ` and ${count(rest)} more` : ""}`]
      : [];
  const below = [...was, ...followed].map((item) => `\n  - ${item}`).join("");
  return `${head}${reasons ? `: ${reasons}` : ""}${below}`;
}

function brokenItem(one: BrokenImports): string {
  const where = one.now ? `is now ${code(one.now)}` : "is gone";
  const places = one.importers.map((place) => code(`${place.path}:${place.line}`)).join(", ");
  return `${code(one.path)} ${where}; ${plural(one.n_importers, "file")} still import it: ${places}`;
}

function testsPart(tests: readonly TestPlace[]): string {
  if (tests.length === 0) return "";
  const command = commandOf(tests);
  return `## Tests to run\n\n${fenced(command ?? placesOf(tests), command ? "sh" : "")}`;
}

/** Code in a line: its fence is longer than any within it. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** Words in a line, none of which is a sign of Markdown. */
function inline(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#|]/g, "\\$&");
}

function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
