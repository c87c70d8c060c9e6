// Before anything is typed: what one may type, saved searches, and recent ones.

import { isSameQuery, queryKey, type SearchMode, type SearchQuery } from "../../app/search-query";
import { IconButton } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { recentQueries } from "./recent";
import { toggleSaved, useSavedSearches } from "./saved";

const RECENT = 6;

const WORDS: Record<SearchMode, string> = {
  ranked: "Type a name, a path, an error message, or what the code does.",
  exact: "Type a text: every line that holds it, as it is written.",
  regex: "Type a regular expression: every line that matches it.",
};

export function Start(props: { mode: SearchMode; onQuery: (query: SearchQuery) => void }) {
  const saved = useSavedSearches();
  const isSaved = (query: SearchQuery) => saved.some((one) => isSameQuery(one, query));
  const recent = recentQueries().filter((one) => !isSaved(one));
  return (
    <div className="search-start">
      <p>{WORDS[props.mode]}</p>
      {saved.length > 0 && (
        <section aria-label="Saved searches" data-testid="saved-searches">
          <h2>Saved searches</h2>
          <ul>
            {saved.map((query) => (
              <li key={queryKey(query)}>
                <Again query={query} icon="starred" onQuery={props.onQuery} />
                <IconButton
                  icon="close"
                  label={`Remove ${query.text} from saved searches`}
                  onPress={() => toggleSaved(query)}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {recent.length > 0 && (
        <section aria-label="Recent searches" data-testid="recent-searches">
          <h2>Recent searches</h2>
          <ul>
            {recent.slice(0, RECENT).map((query) => (
              <li key={queryKey(query)}>
                <Again query={query} icon="clock" onQuery={props.onQuery} />
                <IconButton
                  icon="star"
                  label={`Save ${query.text}`}
                  onPress={() => toggleSaved(query)}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Again(props: {
  query: SearchQuery;
  icon: "starred" | "clock";
  onQuery: (query: SearchQuery) => void;
}) {
  const { text, mode } = props.query;
  return (
    <button type="button" className="search-again" onClick={() => props.onQuery(props.query)}>
      <Icon name={props.icon} />
      <span className={mode === "ranked" ? "ellipsis" : "ellipsis code"}>{text}</span>
      {mode !== "ranked" && <span className="badge">{mode}</span>}
    </button>
  );
}
