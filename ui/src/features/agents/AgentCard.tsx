// An agent: how it stands, its files, and what can be done.

import { useState } from "react";
import { Button, Hint } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { FailureLine } from "../../components/states";
import {
  type ClientStatus,
  type Placement,
  type ServerProfile,
  type SetupTarget,
  useAgentsApply,
  useAgentsUndo,
  useAgentsVerify,
  type Verification,
} from "../../ipc";
import { ago, clientMark, PROFILES, placementMark, tickMark } from "./words";

export function AgentCard(props: {
  client: ClientStatus;
  profile: ServerProfile;
  onReview: () => void;
}) {
  const { client, profile } = props;
  const [said, setSaid] = useState("");
  const apply = useAgentsApply();
  const undo = useAgentsUndo();
  const verify = useAgentsVerify();
  const mark = clientMark(client);
  const user: SetupTarget = { client: client.id, scope: "user", project: null };
  const isBusy = apply.isPending || undo.isPending || verify.isPending;
  const differs = client.placements.some(
    (place) => place.scope === "user" && place.state === "set" && place.profile !== profile,
  );
  const canSetUp = mark.word === "Not set up" || mark.word === "Outdated" || differs;
  const undoable = client.placements.find((place) => place.can_undo);

  const setUp = () => {
    const request = { ...user, profile, instructions: false, allow_reading: false };
    apply.mutate(
      { request, seen: [] },
      {
        onSuccess: (applied) => {
          setSaid(applied.restart);
          verify.mutate(user);
        },
      },
    );
  };
  const takeBack = (place: Placement) =>
    undo.mutate(
      { client: client.id, scope: place.scope, project: place.project },
      {
        onSuccess: (applied) => {
          verify.reset();
          setSaid(applied.notes[0] ?? "Undone. The file is byte-for-byte as before.");
        },
      },
    );

  return (
    <li className="agent" data-testid={`agent-${client.id}`}>
      <div className="agent-head">
        <strong>{client.name}</strong>
        <span className="pill" data-tone={mark.tone}>
          <Icon name={mark.icon} />
          {mark.word}
        </span>
        {client.connected && (
          <span className="muted">
            {client.connected.name} {client.connected.version},{" "}
            {ago(client.connected.at * 1000, Date.now())}
          </span>
        )}
        <span className="spacer" />
        <Button isDisabled={isBusy} onPress={props.onReview} data-testid="agent-review">
          Review
        </Button>
        {canSetUp && (
          <Button kind="primary" isDisabled={isBusy} onPress={setUp} data-testid="agent-setup">
            {differs ? `Use ${PROFILES[profile]}` : mark.word === "Outdated" ? "Update" : "Set up"}
          </Button>
        )}
        {mark.word !== "Not set up" && (
          <Button isDisabled={isBusy} onPress={() => verify.mutate(user)}>
            Verify
          </Button>
        )}
        {undoable && (
          <Button
            kind="quiet"
            isDisabled={isBusy}
            onPress={() => takeBack(undoable)}
            data-testid="agent-undo"
          >
            Undo
          </Button>
        )}
      </div>
      <ul className="agent-files">
        {client.placements.map((place) => (
          <File key={`${place.scope}:${place.path}`} place={place} />
        ))}
      </ul>
      <FailureLine error={apply.error ?? undo.error ?? verify.error} />
      {verify.isPending && <p className="agent-said">Starting the server as the agent does…</p>}
      {verify.data && <Ticks verified={verify.data} />}
      {said && <p className="agent-said">{said}</p>}
    </li>
  );
}

function File({ place }: { place: Placement }) {
  const mark = placementMark(place.state);
  // A project's file that holds nothing of ours is no news.
  if (place.scope === "project" && place.state === "not-set") return null;
  return (
    <li className="agent-file">
      <Hint text={mark.word}>
        <span className="agent-file-mark" data-tone={mark.tone} role="img" aria-label={mark.word}>
          <Icon name={mark.icon} />
        </span>
      </Hint>
      <code title={place.path}>{place.path}</code>
      <span className="muted">
        {place.scope === "project" ? "project" : "user"}
        {place.state === "set" && place.profile && `, ${PROFILES[place.profile].toLowerCase()}`}
        {(place.state === "outdated" || place.state === "broken") && `: ${place.note}`}
      </span>
    </li>
  );
}

/** File, server, client. */
export function Ticks({ verified }: { verified: Verification[] }) {
  return (
    <ol className="ticks" aria-label="Verification">
      {verified
        .flatMap((one) => one.ticks.map((tick) => ({ ...tick, path: one.path })))
        .map((tick) => {
          const mark = tickMark(tick.state);
          return (
            <li key={`${tick.path}:${tick.step}`} data-tone={mark.tone} data-step={tick.step}>
              <Icon name={mark.icon} />
              <span>
                <span className="visually-hidden">{mark.word}: </span>
                {tick.message.replace(tick.path, "the file")}
                {tick.state === "failed" && tick.fix && (
                  <span className="muted"> — {tick.fix}</span>
                )}
              </span>
            </li>
          );
        })}
    </ol>
  );
}
