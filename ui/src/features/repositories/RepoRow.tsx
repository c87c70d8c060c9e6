// A repository: where it is, what is in it, what its index is up to.

import { betterLines } from "../../components/better-lines";
import { ago, bytes, percent, plural, sentence } from "../../components/format";
import { Icon } from "../../components/Icon";
import { LanguageBar } from "../../components/LanguageBar";
import { PathText } from "../../components/PathText";
import { withoutCommand } from "../../components/repo-state";
import { FailureLine } from "../../components/states";
import {
  type Coverage,
  type RepoSummary,
  useJobs,
  useLiveJob,
  useSetWatching,
  useStartIndex,
} from "../../ipc";
import { JobBlock } from "./JobBlock";
import { RepoActions } from "./RepoActions";
import { RepoStatePill } from "./RepoStatePill";

export function RepoRow(props: {
  repo: RepoSummary;
  selected: boolean;
  open: boolean;
  onOpen: () => void;
  onRemove: () => void;
}) {
  const { repo } = props;
  const job = useLiveJob(repo.id);
  const last = useJobs().data?.find((one) => one.repo === repo.id);
  const startIndex = useStartIndex();
  const setWatching = useSetWatching();
  const failure = startIndex.error ?? setWatching.error ?? (job ? null : last?.error);
  return (
    <li
      className="repo-row"
      data-testid="repo-row"
      data-repo={repo.id}
      data-state={repo.state}
      data-selected={props.selected || undefined}
      data-open={props.open || undefined}
    >
      <div className="repo-head">
        <h2 className="ellipsis">{repo.name}</h2>
        <RepoStatePill repo={repo} />
        {repo.head && (
          <span className="code muted ellipsis">
            {repo.branch ?? "detached"}@{repo.head}
          </span>
        )}
        <RepoActions
          repo={repo}
          isBusy={job !== undefined}
          isHealthOpen={props.open}
          startIndex={startIndex}
          setWatching={setWatching}
          onHealth={props.onOpen}
          onRemove={props.onRemove}
        />
      </div>
      <PathText className="code muted" path={repo.root} />
      {job ? <JobBlock job={job} nChunks={repo.chunks} /> : <StateNote repo={repo} />}
      <FailureLine error={failure} />
      {repo.chunks > 0 && <Facts repo={repo} isBeingReplaced={job !== undefined} />}
    </li>
  );
}

function StateNote({ repo }: { repo: RepoSummary }) {
  if (repo.state === "ready" || repo.state_note === "") return null;
  return (
    <p className="repo-note">
      <Icon name="info" />
      {noteOf(repo)}
    </p>
  );
}

function noteOf({ state, state_note }: RepoSummary): string {
  if (state !== "missing") return sentence(withoutCommand(state_note));
  const [what = ""] = state_note.split("; ");
  return `${sentence(what)} Bring the folder back, or remove the repository.`;
}

/** Until a running job is done, the index before it answers: its figures say so. */
function Facts({ repo, isBeingReplaced }: { repo: RepoSummary; isBeingReplaced: boolean }) {
  return (
    <div className="repo-facts">
      {isBeingReplaced && <span>Searchable now:</span>}
      <span>{plural(repo.files, "file")}</span>
      <span>{plural(repo.chunks, "chunk")}</span>
      <span>{plural(repo.symbols, "symbol")}</span>
      <span>{bytes(repo.index_bytes)}</span>
      <span title={aboutVectors(repo)}>{vectorsOf(repo.coverage)}</span>
      {(repo.coverage.tokens ?? 0) > 0 && (
        <span title={withoutCommand(repo.coverage.tokens_note ?? "") || undefined}>
          token vectors {percent(repo.coverage.tokens ?? 0)}
        </span>
      )}
      {repo.indexed_at !== null && <span>indexed {ago(repo.indexed_at)}</span>}
      <LanguageBar languages={repo.languages} />
    </div>
  );
}

/** Whose they are, and why not all; without a model, what one would bring. */
function aboutVectors(repo: RepoSummary): string {
  const { vector_model, vector_note } = repo.coverage;
  if (!vector_model) return betterLines([repo]);
  return [`by ${vector_model}`, withoutCommand(vector_note ?? "")].filter(Boolean).join("; ");
}

/** Those of the model; without them the static ones, which there are unless they are switched off. */
function vectorsOf({ vector, static_vectors = 0 }: Coverage): string {
  if (vector > 0) return `vectors ${percent(vector)}`;
  return static_vectors > 0 ? `static vectors ${percent(static_vectors)}` : "no vectors";
}
