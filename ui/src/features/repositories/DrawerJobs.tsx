// Jobs in the drawer of the status bar: what is at work or on hold, in whichever repository, and what ended badly.

import { FailureLine } from "../../components/states";
import { type JobProgress, type RepoSummary, useJobs } from "../../ipc";
import { JobBlock } from "./JobBlock";

export function DrawerJobs({ repos }: { repos: RepoSummary[] }) {
  const { data: jobs = [] } = useJobs();
  const of = ({ repo }: JobProgress) => repos.find((one) => one.id === repo);
  const shown = jobs.filter(
    (job) => of(job) && ["running", "paused", "failed"].includes(job.state),
  );
  return (
    <section className="drawer-part" aria-labelledby="drawer-jobs" data-testid="drawer-jobs">
      <h2 id="drawer-jobs" className="minor">
        Jobs
      </h2>
      {shown.length === 0 && <p className="muted">Nothing is being indexed.</p>}
      {shown.map((job) => (
        <div key={job.job_id} data-testid="drawer-job">
          <h3>{of(job)?.name}</h3>
          {job.state === "failed" ? (
            <FailureLine error={job.error} />
          ) : (
            <JobBlock job={job} nChunks={of(job)?.chunks ?? 0} />
          )}
        </div>
      ))}
    </section>
  );
}
