// A job at work: lanes, stage, rate, time left, current file; paused and cancelled from here.

import { useEffect, useRef } from "react";
import { Button } from "../../components/controls";
import { count, seconds, sig3 } from "../../components/format";
import { shareOf, vectorsOf } from "../../components/job-share";
import { PathText } from "../../components/PathText";
import { FailureLine } from "../../components/states";
import { type JobProgress, useCancelJob, usePauseJob, useResumeJob } from "../../ipc";
import { Sparkline } from "./Sparkline";

const TEXT_STAGES = ["scan", "parse", "graph", "symbol graph"];

export function JobBlock({ job, nChunks }: { job: JobProgress; nChunks: number }) {
  const pause = usePauseJob();
  const resume = useResumeJob();
  const cancel = useCancelJob();
  const paused = job.state === "paused";
  return (
    <div className="job" data-testid="index-progress" data-stage={job.stage} data-lane={job.lane}>
      <div className="job-lanes">
        <Lane label="Text index" share={textShare(job)} detail={textDetail(job)} />
        <Lane
          label="Vectors"
          share={vectorShare(job, nChunks)}
          detail={vectorDetail(job, nChunks)}
        />
      </div>
      <div className="job-foot">
        <Rates job={job} />
        <PathText className="code muted job-file" path={job.current ?? ""} />
        {paused ? (
          <Button icon="play" data-testid="job-resume" onPress={() => resume.mutate(job.job_id)}>
            Resume
          </Button>
        ) : (
          <Button icon="pause" data-testid="job-pause" onPress={() => pause.mutate(job.job_id)}>
            Pause
          </Button>
        )}
        <Button icon="stop" data-testid="job-cancel" onPress={() => cancel.mutate(job.job_id)}>
          Cancel
        </Button>
      </div>
      <FailureLine error={pause.error ?? resume.error ?? cancel.error} />
    </div>
  );
}

function Lane(props: { label: string; share: number | null; detail: string }) {
  const known = props.share !== null;
  const value = known ? Math.round((props.share ?? 0) * 100) : undefined;
  return (
    <div className="lane">
      <span className="lane-label">{props.label}</span>
      <div
        className="bar"
        role="progressbar"
        aria-label={props.label}
        aria-valuenow={value}
        aria-valuetext={props.detail}
        data-unknown={!known || undefined}
      >
        <i style={{ width: known ? `${(props.share ?? 0) * 100}%` : "30%" }} />
      </div>
      <span className="small muted ellipsis">{props.detail}</span>
    </div>
  );
}

function Rates({ job }: { job: JobProgress }) {
  const rates = useRef<number[]>([]);
  useEffect(() => {
    rates.current = [...rates.current.slice(-39), job.rate];
  }, [job]);
  const unit = job.lane === "vector" ? "chunks" : "files";
  // What stands still has no pace and no end in sight.
  if (job.state === "paused") return <span className="job-rates small">Paused</span>;
  if (job.stage === "waiting") return <span className="job-rates small">Waiting</span>;
  return (
    <span className="job-rates small">
      <Sparkline values={rates.current} />
      {job.rate > 0 && `${job.rate >= 100 ? count(job.rate) : sig3(job.rate)} ${unit}/s`}
      {job.eta_s !== null && ` · ${seconds(job.eta_s)} left`}
    </span>
  );
}

const ofTotal = (job: JobProgress) => (job.total > 0 ? Math.min(1, job.done / job.total) : 0);

/** The share of the text index: its stages count alike; unknown while the scan has no total. */
export function textShare(job: JobProgress): number | null {
  if (job.lane === "vector") return 1;
  const index = TEXT_STAGES.indexOf(job.stage);
  if (index <= 0 && job.total === 0) return null;
  return (Math.max(0, index) + ofTotal(job)) / TEXT_STAGES.length;
}

function vectorShare(job: JobProgress, nChunks: number): number {
  return job.lane === "vector" ? (shareOf(job, nChunks) ?? 0) : 0;
}

function textDetail(job: JobProgress): string {
  return job.lane === "vector" ? "searchable" : stageDetail(job, "files");
}

export function vectorDetail(job: JobProgress, nChunks: number): string {
  if (job.lane !== "vector") return "waiting for the text index";
  return stageDetail({ ...job, ...vectorsOf(job, nChunks) }, "chunks");
}

function stageDetail(job: JobProgress, unit: string): string {
  const of = job.total > 0 ? ` of ${count(job.total)}` : "";
  if (job.stage !== "waiting") return `${job.stage} · ${count(job.done)}${of} ${unit}`;
  if (job.lane !== "vector") return "another process is updating it";
  const sofar = job.done > 0 ? ` · ${count(job.done)}${of} ${unit}` : "";
  return `waiting for another repository${sofar}`;
}
