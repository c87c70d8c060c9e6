// What the answer cost, and what it had to do without.

import { ms, percent, plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { withoutCommand } from "../../components/repo-state";
import type { SearchResponse } from "../../ipc";
import { ResumeIndexing } from "./ResumeIndexing";

export function Footer(props: { repo: string; answer: SearchResponse; stale: boolean }) {
  const { answer, stale } = props;
  const { coverage } = answer;
  const notes = answer.notes.filter((note) => note !== answer.poor_fit);
  const missing = answer.missing?.map(({ name, why }) => `${name} (${why})`) ?? [];
  if (missing.length > 0) notes.unshift(`not asked: ${missing.join(", ")}`);
  if (answer.memory_gap) notes.push(answer.memory_gap);
  return (
    <div className="search-foot small" role="status">
      <span data-testid="search-count">
        {plural(answer.hits.length, "result")} of {plural(answer.n_candidates, "candidate")}
      </span>
      <span>{stale ? "searching" : ms(answer.elapsed_ms)}</span>
      {!stale && answer.confidence != null && !answer.poor_fit && (
        <span
          data-testid="search-confidence"
          title="How often the first file was right in answers like this one, on the benchmark"
        >
          confidence {percent(answer.confidence)}
        </span>
      )}
      {notes.length === 0 && coverage.vector > 0 && coverage.vector < 1 && (
        <span title={withoutCommand(coverage.vector_note ?? "") || undefined}>
          vectors cover {percent(coverage.vector)}
        </span>
      )}
      {notes.map((note) => (
        <span key={note} className="note">
          <Icon name="info" />
          {withoutCommand(note)}
        </span>
      ))}
      <ResumeIndexing repo={props.repo} />
    </div>
  );
}
