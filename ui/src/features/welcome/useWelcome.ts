// What the first start offers, what of it is ticked, and how it is begun.

import { useState } from "react";
import { sayFailure } from "../../app/notices";
import { session } from "../../app/session";
import {
  type ClientStatus,
  type FoundRepository,
  type ModelSummary,
  useAddRepos,
  useAgents,
  useAgentsApply,
  useFoundRepositories,
  useModels,
  usePullModel,
  useSettings,
  useStartIndex,
} from "../../ipc";

/** Repositories that are ticked at first: the ones most recently worked in. */
const FIRST_TICKED = 3;

export interface Choice {
  repos: FoundRepository[];
  model: ModelSummary | null;
  agents: ClientStatus[];
}

export function useWelcome() {
  const found = useFoundRepositories();
  const models = useModels();
  const settings = useSettings();
  const agents = useAgents([]);
  const [ticks, setTicks] = useState<Record<string, boolean>>({});
  const repos = found.data ?? [];
  // The one that the settings name: others are there to be chosen there.
  const model = models.data?.find((one) => one.name === settings.data?.model) ?? null;
  const missing = model && model.state !== "present" && !model.import_only ? model : null;
  const clients = (agents.data?.clients ?? []).filter(isOpen);

  const isTicked = (key: string, first: boolean) => ticks[key] ?? first;
  const tick = (key: string, on: boolean) => setTicks((old) => ({ ...old, [key]: on }));
  const repoTicked = (root: string) =>
    isTicked(root, repos.findIndex((one) => one.root === root) < FIRST_TICKED);
  const choice: Choice = {
    repos: repos.filter((one) => repoTicked(one.root)),
    model: missing && isTicked("model", false) ? missing : null,
    agents: clients.filter((one) => isTicked(`agent:${one.id}`, false)),
  };
  return {
    found,
    repos,
    model,
    missing,
    models,
    agents,
    clients,
    choice,
    isTicked,
    repoTicked,
    tick,
  };
}

/** Adds and indexes, fetches the model and sets agents up; what fails is told and stops nothing else. */
export function useBegin() {
  const add = useAddRepos();
  const index = useStartIndex();
  const pull = usePullModel();
  const apply = useAgentsApply();
  const begin = async ({ repos, model, agents }: Choice) => {
    const added = await add.mutateAsync(repos.map((one) => one.root));
    const ids = added.map((one) => one.id);
    session.set({ repo: ids[0] ?? "", awaited: ids });
    const indexAll = () => Promise.all(ids.map((repo) => index.mutateAsync({ repo })));
    const fetched = model && pull.mutateAsync(model.name).then(indexAll);
    const setUp = agents.map((one) =>
      apply.mutateAsync({ request: { ...request, client: one.id }, seen: [] }),
    );
    for (const failed of await Promise.allSettled([indexAll(), fetched, ...setUp]))
      if (failed.status === "rejected") sayFailure(failed.reason);
  };
  return { begin, error: add.error, isPending: add.isPending };
}

const request = {
  scope: "user",
  project: null,
  profile: "standard",
  instructions: false,
  allow_reading: false,
} as const;

/** An agent that is installed and does not know Whyrank yet. */
function isOpen(client: ClientStatus): boolean {
  return client.detected && client.placements.every((place) => place.state === "not-set");
}
