// Tells screen readers what jobs are up to: stage by stage, not tick by tick.

import { useJobs, useRepos } from "../ipc";

export function JobAnnouncer() {
  const { data: jobs } = useJobs();
  const { data: repos } = useRepos();
  const job = jobs?.[0];
  const name = repos?.find((repo) => repo.id === job?.repo)?.name ?? "repository";
  const words = job
    ? `${name}: ${job.state === "running" ? job.stage : `indexing ${job.state}`}`
    : "";
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {words}
    </div>
  );
}
