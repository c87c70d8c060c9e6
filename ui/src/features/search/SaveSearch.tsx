// The star in the search box: keeps what is typed.

import { IconButton } from "../../components/controls";
import { toggleSaved, useSavedSearches } from "./saved";

export function SaveSearch({ text }: { text: string }) {
  const isSaved = useSavedSearches().includes(text.trim());
  if (text.trim() === "") return null;
  return (
    <IconButton
      icon={isSaved ? "starred" : "star"}
      label={isSaved ? "Remove from saved searches" : "Save this search"}
      data-testid="search-save"
      onPress={() => toggleSaved(text)}
    />
  );
}
