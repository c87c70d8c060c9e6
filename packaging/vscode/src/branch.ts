// A row of a tree as text, so that what is shown can be looked at without an editor.

export interface Branch {
  label: string;
  /** Beside the label. */
  description?: string;
  /** Of several lines. */
  tooltip?: string;
  /** One of the editor's icons. */
  icon: string;
  /** Where a click leads: a path from the repository's root, a line from 1. */
  place?: { path: string; line: number };
  /** The hit that it is, for *Why*. */
  hit?: { queryId: string; rank: number; name: string };
  children?: Branch[];
}
