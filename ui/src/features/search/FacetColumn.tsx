// Values to narrow by, with how many of the results have each.

import { count, plural } from "../../components/format";
import type { Facet, SearchFilters } from "../../ipc";
import type { FacetName } from "./query";

const NAMES: Record<string, { filter: FacetName; title: string }> = {
  language: { filter: "lang", title: "Language" },
  kind: { filter: "kind", title: "Kind" },
  folder: { filter: "path", title: "Folder" },
  repository: { filter: "path", title: "Repository" },
};

export function FacetColumn(props: {
  facets: Facet[];
  filters: SearchFilters;
  /** What is counted: `result`, `line`. */
  unit: string;
  /** Narrows to a value; a value that is pressed is released. */
  onToggle: (name: FacetName, value: string) => void;
}) {
  return (
    <aside className="facets" aria-label="Filters">
      {ordered(props.facets).map((facet) => {
        const known = NAMES[facet.name];
        if (!known || facet.values.length === 0) return null;
        return (
          <section key={facet.name}>
            <h2 className="minor">{known.title}</h2>
            <ul>
              {facet.values.slice(0, 10).map((value) => {
                const written = known.filter === "path" ? folderGlob(value.reason) : value.reason;
                const active = isActive(props.filters, known.filter, written);
                return (
                  <li key={value.reason}>
                    <button
                      type="button"
                      className="facet"
                      aria-pressed={active}
                      title={value.reason}
                      onClick={() => props.onToggle(known.filter, written)}
                    >
                      <span className="ellipsis">{value.reason || "(root)"}</span>
                      <span className="num muted" title={plural(value.count, props.unit)}>
                        {count(value.count)}
                      </span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </section>
        );
      })}
    </aside>
  );
}

/** Of several repositories, which one comes before what is in it. */
function ordered(facets: Facet[]): Facet[] {
  const isRepository = ({ name }: Facet) => name === "repository";
  return [...facets.filter(isRepository), ...facets.filter((facet) => !isRepository(facet))];
}

function folderGlob(folder: string): string {
  return folder === "" || folder === "." ? "*" : `${folder.replace(/\/$/, "")}/**`;
}

function isActive(filters: SearchFilters, name: FacetName, value: string): boolean {
  if (name === "lang") return filters.languages.includes(value.toLowerCase());
  if (name === "kind") return filters.kinds.includes(value.toLowerCase());
  return filters.paths.includes(value);
}
