// Only some categories or languages of the chosen task sets.

import { useBenchSuites } from "../../ipc";
import { type Draft, toggled } from "./draft";
import { categoryName } from "./figures";

export function Narrowing(props: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const { draft, onChange } = props;
  const suites = (useBenchSuites().data ?? []).filter((one) => draft.suites.includes(one.name));
  const categories = [...new Set(suites.flatMap((suite) => suite.categories))];
  const languages = [...new Set(suites.flatMap((suite) => suite.languages))].sort();
  if (suites.length === 0) return null;
  const chosen = draft.categories.length + draft.languages.length;
  return (
    <details className="bench-narrowing">
      <summary>
        Limit to categories or languages{" "}
        <span className="small muted">{chosen === 0 ? "all" : `${chosen} chosen`}</span>
      </summary>
      <Toggles
        label="Categories"
        items={categories}
        chosen={draft.categories}
        onToggle={(one) => onChange({ categories: toggled(draft.categories, one) })}
      />
      <Toggles
        label="Languages"
        items={languages}
        chosen={draft.languages}
        onToggle={(one) => onChange({ languages: toggled(draft.languages, one) })}
      />
    </details>
  );
}

function Toggles(props: {
  label: string;
  items: string[];
  chosen: string[];
  onToggle: (item: string) => void;
}) {
  return (
    <fieldset className="bench-toggles">
      <legend className="small muted">{props.label}</legend>
      {props.items.map((item) => (
        <label key={item} title={item}>
          <input
            type="checkbox"
            checked={props.chosen.includes(item)}
            onChange={() => props.onToggle(item)}
          />
          {categoryName(item)}
        </label>
      ))}
    </fieldset>
  );
}
