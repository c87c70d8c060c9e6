// Each subject keeps its shape and colour from run to run, as far as it is known by name.

import type { RunInfo } from "../../ipc";

const KNOWN = ["whyrank", "naive-grep", "smart-grep", "smart-grep-fair", "bm25"];

/** The program's own name is written as such; others are names of commands. */
export function subjectLabel(subject: string): string {
  return subject === "whyrank" ? "Whyrank" : subject;
}

/** What a run is called; a title made from its suites and subjects calls these as screens do. */
export function runTitle(run: Pick<RunInfo, "id" | "title" | "suites" | "subjects">): string {
  const names = run.subjects.map((subject) => subject.name);
  const made = `: ${names.join(", ")}`;
  if (!run.title.endsWith(made)) return run.title || run.suites.join(", ") || run.id;
  return `${run.title.slice(0, -made.length)}: ${names.map(subjectLabel).join(", ")}`;
}

/** A phase or note that begins with a subject's name, with the name as screens write it. */
export function spoken(text: string): string {
  const [name = ""] = text.split(/:? /, 1);
  return subjectLabel(name) + text.slice(name.length);
}

export const N_COLOURS = 8;

/** Slots from 0; names not known take the next free ones, in order. */
export function slotsOf(subjects: readonly string[]): Map<string, number> {
  const slots = new Map<string, number>();
  for (const name of subjects) {
    const known = KNOWN.indexOf(name.toLowerCase());
    if (known >= 0) slots.set(name, known);
  }
  const taken = new Set(slots.values());
  const order = [5, 6, 7, 1, 2, 3, 4];
  let next = N_COLOURS;
  for (const name of subjects) {
    if (slots.has(name)) continue;
    const slot = order.find((one) => !taken.has(one)) ?? next++;
    taken.add(slot);
    slots.set(name, slot);
  }
  return slots;
}

export function colourOf(slot: number): string {
  return `var(--subject-${(slot % N_COLOURS) + 1})`;
}

/** Outlines around the origin, about 10 px wide. */
const SHAPES = [
  "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1 -5 0Z",
  "M-4.5 -4.5H4.5V4.5H-4.5Z",
  "M0 -5.5 5.5 4.5H-5.5Z",
  "M0 -6 6 0 0 6 -6 0Z",
  "M0 5.5 5.5 -4.5H-5.5Z",
  "M-1.8 -5.5H1.8V-1.8H5.5V1.8H1.8V5.5H-1.8V1.8H-5.5V-1.8H-1.8Z",
  "M0 -6 5.7 -1.85 3.5 4.85H-3.5L-5.7 -1.85Z",
  "M-5.5 -3.2-3.2 -5.5 0 -2.3 3.2 -5.5 5.5 -3.2 2.3 0 5.5 3.2 3.2 5.5 0 2.3 -3.2 5.5-5.5 3.2 -2.3 0Z",
  "M-3 -5.5H3L5.5 0 3 5.5H-3L-5.5 0Z",
];

export function shapeOf(slot: number): string {
  return SHAPES[slot % SHAPES.length] as string;
}
