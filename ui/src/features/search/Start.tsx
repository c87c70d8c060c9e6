// Before anything is typed: what one may type, saved searches, and recent ones.

import { IconButton } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { recentQueries } from "./recent";
import { toggleSaved, useSavedSearches } from "./saved";

const RECENT = 6;

export function Start({ onText }: { onText: (text: string) => void }) {
  const saved = useSavedSearches();
  const recent = recentQueries().filter((one) => !saved.includes(one));
  return (
    <div className="search-start">
      <p>Type a name, a path, an error message, or what the code does.</p>
      {saved.length > 0 && (
        <section aria-label="Saved searches" data-testid="saved-searches">
          <h2>Saved searches</h2>
          <ul>
            {saved.map((text) => (
              <li key={text}>
                <Again text={text} icon="starred" onText={onText} />
                <IconButton
                  icon="close"
                  label={`Remove ${text} from saved searches`}
                  onPress={() => toggleSaved(text)}
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
            {recent.slice(0, RECENT).map((text) => (
              <li key={text}>
                <Again text={text} icon="clock" onText={onText} />
                <IconButton icon="star" label={`Save ${text}`} onPress={() => toggleSaved(text)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Again(props: { text: string; icon: "starred" | "clock"; onText: (text: string) => void }) {
  return (
    <button type="button" className="search-again" onClick={() => props.onText(props.text)}>
      <Icon name={props.icon} />
      <span className="ellipsis">{props.text}</span>
    </button>
  );
}
