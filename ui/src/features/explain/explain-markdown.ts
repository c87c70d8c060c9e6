// An explanation in words, to paste into an issue or a chat.

import { channelLabel } from "../../components/channels";
import { sig3, signed } from "../../components/format";
import type { Trace, TraceRow } from "../../ipc";
import { type Group, groupSums } from "./groups";
import { nameOf, shownRows } from "./shown-rows";
import { type Why, whyOf } from "./why";

/** The sentence, and a table of the best rows with what each signal adds. */
export function explainMarkdown(trace: Trace, row: TraceRow): string {
  const why = whyOf(trace, row);
  const rows = shownRows(trace, row);
  const groups = [...new Set(rows.flatMap((one) => [...groupSums(one).keys()]))];
  const label = (group: Group) => (group === "other" ? "Other" : channelLabel(group));
  const cells = (one: TraceRow) => {
    const sums = groupSums(one);
    return groups.map((group) => (sums.has(group) ? signed(sums.get(group) ?? 0) : ""));
  };
  const table = [
    ["#", "Result", "Score", ...groups.map(label)],
    ["--:", "---", "--:", ...groups.map(() => "--:")],
    ...rows.map((one) => [String(one.rank), placeOf(one), sig3(one.score), ...cells(one)]),
  ];
  return `${headOf(trace, row, why)}\n\n${table.map((cell) => `| ${cell.join(" | ")} |`).join("\n")}\n`;
}

function headOf(trace: Trace, row: TraceRow, why: Why): string {
  return `**${trace.query.replaceAll("\n", " ")}**\n\n\`${nameOf(row)}\` ${why.lead} ${why.turn}`;
}

function placeOf(row: TraceRow): string {
  return `\`${nameOf(row)}\` ${row.path}:${row.start_line}`.replaceAll("|", "\\|");
}
