// How the box is read: ranked, as an exact text, or as a regular expression; and whether case counts.

import "./match.css";
import { ToggleButton } from "react-aria-components";
import type { SearchMode, SearchQuery } from "../../app/search-query";
import { Hint, Segmented } from "../../components/controls";

const OPTIONS: { value: SearchMode; label: string }[] = [
  { value: "ranked", label: "Ranked" },
  { value: "exact", label: "Exact" },
  { value: "regex", label: "Regex" },
];

export function ModeSwitch(props: {
  query: SearchQuery;
  onChange: (change: Partial<SearchQuery>) => void;
}) {
  return (
    <Segmented
      label="How to search"
      value={props.query.mode}
      options={OPTIONS}
      onChange={(mode) => props.onChange({ mode })}
    />
  );
}

export function MatchCase(props: {
  query: SearchQuery;
  onChange: (change: Partial<SearchQuery>) => void;
}) {
  const { mode, matchCase } = props.query;
  if (mode === "ranked") return null;
  return (
    <Hint text="Match case (Alt+C); a capital letter does, too">
      <ToggleButton
        className="icon-button match-case"
        aria-label="Match case"
        data-testid="search-case"
        isSelected={matchCase}
        onChange={(matchCase) => props.onChange({ matchCase })}
      >
        Aa
      </ToggleButton>
    </Hint>
  );
}

/** What Alt and a key changes of a query, or nothing; a second time goes back to ranked. */
export function changeByKey(
  event: { altKey: boolean; ctrlKey: boolean; metaKey: boolean; code: string },
  { mode, matchCase }: SearchQuery,
): Partial<SearchQuery> | null {
  if (!event.altKey || event.ctrlKey || event.metaKey) return null;
  if (event.code === "KeyE") return { mode: mode === "exact" ? "ranked" : "exact" };
  if (event.code === "KeyR") return { mode: mode === "regex" ? "ranked" : "regex" };
  if (event.code === "KeyC" && mode !== "ranked") return { matchCase: !matchCase };
  return null;
}
