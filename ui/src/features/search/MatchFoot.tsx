// What a search by lines came to: how many, of how many, in what time.

import type { SearchMode } from "../../app/search-query";
import { count, ms, plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { Matches, MatchFile } from "../../ipc";
import { matchesOf } from "./matches";
import { MODE } from "./modes";

export function MatchFoot(props: {
  answer: Matches;
  mode: SearchMode;
  files: MatchFile[];
  stale: boolean;
}) {
  const { answer, files, stale } = props;
  const { unit, searched, hasCase } = MODE[props.mode];
  const nShown = matchesOf(files).length;
  const isNarrowed = nShown < matchesOf(answer.files).length;
  const nLines = isNarrowed ? nShown : answer.n_lines;
  return (
    <div className="search-foot small" role="status">
      <span data-testid="search-count">
        {plural(nLines, unit)} in {plural(isNarrowed ? files.length : answer.n_files, "file")}
      </span>
      <span>{stale ? "searching" : ms(answer.elapsed_ms)}</span>
      <span>
        {count(answer.n_searched)} {searched}
      </span>
      {hasCase && <span>{answer.case_counts ? "case-sensitive" : "case-insensitive"}</span>}
      {answer.stopped && (
        <span className="note" data-testid="search-stopped">
          <Icon name="info" />
          {answer.stopped}
        </span>
      )}
    </div>
  );
}
