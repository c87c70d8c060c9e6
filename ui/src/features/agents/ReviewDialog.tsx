// What would be written, file by file, before anything is.

import { useState } from "react";
import { Button, Segmented, Switch } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { Failure, FailureLine, Loading } from "../../components/states";
import {
  type ClientStatus,
  copyText,
  type Plan,
  type ServerProfile,
  type SetupRequest,
  type SetupScope,
  useAgentsApply,
  useAgentsPlan,
} from "../../ipc";
import { PROFILES } from "./words";

/** What a plan showed of the files as they are, and whether it changes any. */
interface Seen {
  hashes: string[];
  changes: boolean;
}

export function ReviewDialog(props: {
  clients: ClientStatus[];
  profile: ServerProfile;
  project: string | null;
  onClose: () => void;
}) {
  const { clients, project } = props;
  const [scope, setScope] = useState<SetupScope>("user");
  const [instructions, setInstructions] = useState(false);
  const [skill, setSkill] = useState(false);
  const [allowReading, setAllowReading] = useState(false);
  // The hashes of what each plan showed; what changed since is not written.
  const [seen, setSeen] = useState<Record<string, Seen>>({});
  const apply = useAgentsApply();
  const canShare = project !== null && clients.every((client) => client.has_project_scope);
  const requestOf = (client: ClientStatus): SetupRequest => ({
    client: client.id,
    scope,
    project: scope === "project" || instructions ? project : null,
    profile: props.profile,
    instructions,
    ...(skill && { skill }),
    allow_reading: allowReading,
  });
  const ready = clients.filter((client) => seen[client.id]?.changes);
  const write = async () => {
    for (const client of ready) {
      const hashes = seen[client.id]?.hashes ?? [];
      const written = await apply
        .mutateAsync({ request: requestOf(client), seen: hashes })
        .catch(() => null);
      if (!written) return;
    }
    props.onClose();
  };
  const [only] = clients;
  const title = clients.length === 1 && only ? `Set up ${only.name}` : "Set up all";
  return (
    <Dialog
      title={`${title} · ${PROFILES[props.profile]}`}
      wide
      onClose={props.onClose}
      footer={
        <>
          <FailureLine error={apply.error} />
          <span className="spacer" />
          <Button onPress={props.onClose}>Cancel</Button>
          <Button
            kind="primary"
            data-testid="agents-write"
            isDisabled={ready.length === 0}
            isPending={apply.isPending}
            onPress={() => void write()}
          >
            {clients.length === 1 ? "Write" : `Write ${ready.length}`}
          </Button>
        </>
      }
    >
      <div className="review-options">
        {canShare && (
          <Segmented
            label="Scope"
            value={scope}
            options={[
              { value: "user", label: "For me, everywhere" },
              { value: "project", label: "In this project" },
            ]}
            onChange={setScope}
          />
        )}
        {project && (
          <Switch isSelected={instructions} onChange={setInstructions}>
            Add instructions to AGENTS.md
          </Switch>
        )}
        <Switch isSelected={skill} onChange={setSkill}>
          Add a page on when to ask what (a skill)
        </Switch>
        <Switch isSelected={allowReading} onChange={setAllowReading}>
          Allow read-only tools without prompting
        </Switch>
      </div>
      {clients.map((client) => (
        <PlanPart
          key={`${client.id} ${scope} ${instructions} ${skill} ${allowReading}`}
          request={requestOf(client)}
          onSeen={(one) => setSeen((all) => ({ ...all, [client.id]: one }))}
        />
      ))}
    </Dialog>
  );
}

function PlanPart(props: { request: SetupRequest; onSeen: (seen: Seen) => void }) {
  const plan = useAgentsPlan(props.request);
  const [shown, setShown] = useState<Plan | null>(null);
  if (plan.data && plan.data !== shown) {
    setShown(plan.data);
    // The parent's state, after this render.
    const { changes } = plan.data;
    const hashes = changes.map((change) => change.before);
    const differs = changes.some((change) => change.diff !== "");
    queueMicrotask(() => props.onSeen({ hashes, changes: differs }));
  }
  if (plan.error) return <Failure error={plan.error} onRetry={() => void plan.refetch()} />;
  if (!plan.data) return <Loading label="Reading configuration" />;
  const { name, changes, notes, snippet, cli } = plan.data;
  return (
    <section className="plan" data-testid={`plan-${plan.data.client}`}>
      <h3>{name}</h3>
      {changes.map((change) => (
        <div key={change.path} className="plan-file">
          <p>
            <code>{change.path}</code>
            <span className="muted">
              {" "}
              {change.diff === "" ? "unchanged" : change.exists ? "changed" : "new"}
              {change.links_to && `; a link to ${change.links_to}`}
              {["permissions", "skill"].includes(change.about) && `; ${change.about}`}
            </span>
          </p>
          {change.diff !== "" && <Diff text={change.diff} />}
        </div>
      ))}
      <ul className="plan-notes muted">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <div className="plan-copy">
        <Button kind="quiet" icon="copy" onPress={() => copyText(snippet)}>
          Copy entry
        </Button>
        {cli && (
          <Button kind="quiet" icon="copy" onPress={() => copyText(cli)}>
            Copy command
          </Button>
        )}
      </div>
    </section>
  );
}

function Diff({ text }: { text: string }) {
  const lines = text.split("\n").slice(2);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard
    <pre className="diff" tabIndex={0}>
      {lines.map((line, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other name
          key={at}
          data-sign={line.startsWith("@@") ? "@" : line.slice(0, 1)}
        >
          {line}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
