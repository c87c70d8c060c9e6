// How the box can be read: what each mode is called, its key, and what it says.

import { MODES, type SearchMode } from "../../app/search-query";

interface Mode {
  label: string;
  /** With Alt; it leads back to ranked the second time. */
  key: string;
  placeholder: string;
  /** Before anything is typed. */
  words: string;
  nothing: string;
  /** What a row is. */
  unit: string;
  /** What was looked at. */
  searched: string;
  /** Filters that it takes. */
  filters: string[];
  /** Case may count. */
  hasCase: boolean;
}

const LINES = {
  nothing: "No line matches",
  unit: "line",
  searched: "files searched",
  filters: ["path:", "lang:", "kind:", "-tests", "at:", "in:"],
  hasCase: true,
};

export const MODE: Record<SearchMode, Mode> = {
  ranked: {
    ...LINES,
    label: "Ranked",
    key: "",
    placeholder: "Search by name, path, message or meaning",
    words: "Type a name, a path, an error message, or what the code does.",
    nothing: "Nothing matches",
    hasCase: false,
  },
  exact: {
    ...LINES,
    label: "Exact",
    key: "E",
    placeholder: "Search for a text, as it is written",
    words: "Type a text: every line that holds it, as it is written.",
  },
  regex: {
    ...LINES,
    label: "Regex",
    key: "R",
    placeholder: "Search for a regular expression",
    words: "Type a regular expression: every line that matches it.",
  },
  shape: {
    label: "Shape",
    key: "S",
    placeholder: "Code with holes: $X.unwrap(), open($$$ARGS)",
    words:
      "Type code with holes: $X stands for one expression, $$$ARGS for any number. Every place of that shape is found, however it is written.",
    nothing: "No code has the shape",
    unit: "place",
    searched: "files searched",
    filters: ["path:", "lang:", "-tests", "at:"],
    hasCase: false,
  },
  unused: {
    label: "Unused",
    key: "U",
    placeholder: "All that nothing needs; words narrow it by name and path",
    words: "",
    nothing: "Nothing that is unused has",
    unit: "definition",
    searched: "definitions checked",
    filters: ["path:", "kind:", "at:"],
    hasCase: false,
  },
};

export const MODE_OPTIONS = MODES.map((value) => ({ value, label: MODE[value].label }));

/** Unused code is listed unasked. */
export const isAsked = (mode: SearchMode, text: string) => mode === "unused" || text.trim() !== "";
