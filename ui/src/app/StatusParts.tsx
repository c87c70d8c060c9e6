// Parts of the foot of the window: the index in use, jobs of other repositories, the model.

import { betterLines } from "../components/better-lines";
import { percent } from "../components/format";
import { Icon, type IconName } from "../components/Icon";
import { shareOf } from "../components/job-share";
import { useComingModel } from "../components/model-coming";
import { behindInWords, unfinished, withoutCommand } from "../components/repo-state";
import {
  isCurrent,
  type JobProgress,
  type RepoSummary,
  useJobs,
  useLiveJob,
  useLook,
  useModels,
  useRepos,
  useSettings,
} from "../ipc";
import { IndexFreshness } from "./IndexFreshness";
import { session } from "./session";

export function IndexState() {
  const { repo } = session.use();
  const { data, isPending, isError } = useRepos();
  const job = useLiveJob(repo);
  const look = useLook(repo);
  const current = data?.find((one) => one.id === repo);
  if (isError && !current) return <Part icon="warn">repositories unavailable</Part>;
  if (!current) return <Part icon="info">{isPending ? "loading…" : "no repository"}</Part>;
  if (job) {
    const share = shareInWords(job, current);
    const paused = job.state === "paused";
    return (
      <Part icon={paused ? "pause" : "refresh"}>
        {current.name}: {paused ? "paused at" : ""} {job.stage}
        {share}
      </Part>
    );
  }
  const left = unfinished(current);
  if (left) {
    return (
      <Part icon="pause" title="Indexing stopped on the way. A click opens where it is resumed.">
        {current.name}: {left.toLowerCase()} ·{" "}
        <IndexFreshness repo={current} look={look} otherwise="" />
      </Part>
    );
  }
  const icon = iconOf(current, look);
  const state = current.state.replace("-", " ");
  const word = current.state === "stale" ? behindInWords(current).toLowerCase() : state;
  return (
    <Part icon={icon} title={current.watch_note || withoutCommand(current.state_note)}>
      {current.name} · <IndexFreshness repo={current} look={look} otherwise={word} />
    </Part>
  );
}

/** A job that has just ended is no reason to warn: the next look says what is there. */
function iconOf({ state }: RepoSummary, look: ReturnType<typeof useLook>): IconName {
  if (state === "indexing") return "refresh";
  return state === "ready" && isCurrent(look) ? "check" : "warn";
}

function shareInWords(job: JobProgress, repo: RepoSummary | undefined): string {
  const share = shareOf(job, repo?.chunks ?? 0);
  return share === null ? "" : ` ${percent(share)}`;
}

/** What is under way in other repositories; a click opens the drawer with it. */
export function OtherJobs({ onOpen }: { onOpen: () => void }) {
  const { repo } = session.use();
  const { data: repos = [] } = useRepos();
  const { data: jobs = [] } = useJobs();
  const others = jobs.filter(
    (job) => job.repo !== repo && (job.state === "running" || job.state === "paused"),
  );
  const [first] = others;
  if (!first) return null;
  const of = repos.find((one) => one.id === first.repo);
  const name = of?.name ?? "another repository";
  const share = shareInWords(first, of);
  const more = others.length > 1 ? ` +${others.length - 1}` : "";
  return (
    <button type="button" className="status-job" data-testid="status-other-job" onClick={onOpen}>
      <Part icon={first.state === "paused" ? "pause" : "refresh"}>
        {name}: {first.stage}
        {share}
        {more}
      </Part>
    </button>
  );
}

export function ModelState() {
  const { data, isError } = useModels();
  const { data: repos = [] } = useRepos();
  const settings = useSettings();
  const coming = useComingModel();
  if (coming) {
    return (
      <Part icon="download" title={coming.sentence}>
        Model {coming.word}
      </Part>
    );
  }
  if (isError) return <Part icon="warn">models unknown</Part>;
  if (!data) return null;
  const chosen = data.find((model) => model.chosen);
  if (chosen?.state === "present") return <Part icon="check">{chosen.name}</Part>;
  const note = withoutCommand(chosen?.state_note ?? "");
  if (settings.data?.off.includes("static-vectors")) {
    return (
      <Part icon="info" title={note || undefined}>
        no embedding model: text search only
      </Part>
    );
  }
  const offer = `A model is under Settings, Models. ${betterLines(repos)}`;
  return (
    <Part icon="check" title={`Static vectors, which come with Whyrank.\n${offer}`}>
      static vectors
    </Part>
  );
}

function Part(props: { icon: IconName; title?: string; children: React.ReactNode }) {
  return (
    <span className="status-part ellipsis" title={props.title}>
      <Icon name={props.icon} />
      <span className="ellipsis">{props.children}</span>
    </span>
  );
}
