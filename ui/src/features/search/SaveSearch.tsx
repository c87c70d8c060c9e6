// The star in the search box: keeps what is typed.

import { isSameQuery, type SearchQuery } from "../../app/search-query";
import { IconButton } from "../../components/controls";
import { toggleSaved, useSavedSearches } from "./saved";

export function SaveSearch({ query }: { query: SearchQuery }) {
  const isSaved = useSavedSearches().some((one) => isSameQuery(one, query));
  if (query.text.trim() === "") return null;
  return (
    <IconButton
      icon={isSaved ? "starred" : "star"}
      label={isSaved ? "Remove from saved searches" : "Save this search"}
      data-testid="search-save"
      onPress={() => toggleSaved(query)}
    />
  );
}
