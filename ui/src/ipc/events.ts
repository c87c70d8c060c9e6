// Engine events keep the cached answers fresh.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { outdate } from "./ask";
import { events } from "./bindings";
import { keys, takeLaunchedRepo } from "./hooks";
import { noteLook, onRepoChanged } from "./looks";
import { encodingKey, memoryKey } from "./memory";
import { preciseProgressKey } from "./precise";
import { rerankProgressKey } from "./rerank";
import type { EngineEvent, JobProgress, ModelProgress, PreciseProgress } from "./types";

/** Hears of a repository named on a command line, and whether the window should go to it. */
type OnRepoOpened = (repo: string, bySecondLaunch: boolean) => void;

/** Listens for engine events. */
export function useEngineEvents(onRepoOpened: OnRepoOpened): void {
  const client = useQueryClient();
  useEffect(() => {
    const listeners = [
      events.engineNotice.listen(({ payload }) => apply(client, payload as EngineEvent)),
      events.repoOpened.listen(({ payload }) => {
        void client.invalidateQueries({ queryKey: keys.repos });
        onRepoOpened(payload.repo, payload.by_second_launch);
      }),
    ];
    // What happened before anybody listened is asked for once more: a small repository is indexed by then.
    void Promise.all(listeners)
      .then(() => void client.invalidateQueries())
      .then(takeLaunchedRepo)
      .then((repo) => repo && onRepoOpened(repo, false));
    return () => {
      for (const listener of listeners) void listener.then((unlisten) => unlisten());
    };
  }, [client, onRepoOpened]);
}

function apply(client: QueryClient, event: EngineEvent): void {
  switch (event.type) {
    case "progress":
      applyProgress(client, event);
      return;
    case "repo-changed":
      void client.invalidateQueries({ queryKey: keys.repos });
      void client.invalidateQueries({ queryKey: keys.health(event.repo) });
      void client.invalidateQueries({ queryKey: ["precise", event.repo] });
      onRepoChanged(client, event.repo);
      return;
    case "looked":
      noteLook(client, event);
      return;
    case "models-changed":
      void client.invalidateQueries({ queryKey: keys.models });
      return;
    case "model-progress":
      client.setQueryData<Record<string, ModelProgress>>(keys.modelProgress, (old) => ({
        ...old,
        [event.model]: event,
      }));
      return;
    case "memory-changed":
      outdate(client, memoryKey);
      outdate(client, keys.search);
      return;
    case "memo-encoding":
      client.setQueryData(encodingKey(event.repo), event.done < event.total ? event : null);
      return;
    case "precise":
      client.setQueryData<Record<string, PreciseProgress>>(
        preciseProgressKey(event.repo),
        (old) => ({
          ...old,
          [event.indexer]: event,
        }),
      );
      return;
    case "rerank":
      client.setQueryData(rerankProgressKey(event.query_id), event);
  }
}

function applyProgress(client: QueryClient, job: JobProgress): void {
  client.setQueryData<JobProgress[]>(keys.jobs, (old = []) => [
    job,
    ...old.filter((other) => other.job_id !== job.job_id),
  ]);
  if (job.state === "running") return;
  // A list that was asked for while the job ran, and comes after its end, would have it run for ever.
  void client.invalidateQueries({ queryKey: keys.jobs });
  void client.invalidateQueries({ queryKey: keys.repos });
  void client.invalidateQueries({ queryKey: keys.health(job.repo) });
}
