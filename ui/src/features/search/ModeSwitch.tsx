// How the box is read, and whether case counts.

import "./match.css";
import { ToggleButton } from "react-aria-components";
import { MODES, type SearchMode, type SearchQuery } from "../../app/search-query";
import { Choice } from "../../components/Choice";
import { Hint, Segmented } from "../../components/controls";
import { useBelow } from "../../components/useNarrow";
import { MODE, MODE_OPTIONS } from "./modes";

/** Below it a row of all modes would leave too little of the box. */
const ROW_PX = 1000;

export function ModeSwitch(props: {
  query: SearchQuery;
  onChange: (change: Partial<SearchQuery>) => void;
}) {
  const shown = {
    label: "How to search",
    value: props.query.mode,
    options: MODE_OPTIONS,
    onChange: (mode: SearchMode) => props.onChange({ mode }),
  };
  const isSmall = useBelow(ROW_PX);
  return isSmall ? <Choice {...shown} slim data-testid="search-mode" /> : <Segmented {...shown} />;
}

export function MatchCase(props: {
  query: SearchQuery;
  onChange: (change: Partial<SearchQuery>) => void;
}) {
  const { mode, matchCase } = props.query;
  if (!MODE[mode].hasCase) return null;
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
  const meant = MODES.find((one) => MODE[one].key && event.code === `Key${MODE[one].key}`);
  if (meant) return { mode: mode === meant ? "ranked" : meant };
  if (event.code === "KeyC" && MODE[mode].hasCase) return { matchCase: !matchCase };
  return null;
}
