// Agents: set them up with a click, see that they are connected, and what they ask.

import "./agents.css";
import { useState } from "react";
import { navigate, useRoute } from "../../app/route";
import { session } from "../../app/session";
import { Button, Segmented } from "../../components/controls";
import { count, plural } from "../../components/format";
import { Failure, Loading } from "../../components/states";
import {
  type AgentsOverview,
  type ClientStatus,
  type ServerProfile,
  useAgents,
  useRepos,
} from "../../ipc";
import { AgentCard } from "./AgentCard";
import { CallLogPanel } from "./CallLogPanel";
import { HttpStrip } from "./HttpStrip";
import { LivePanel } from "./live/LivePanel";
import { ReviewDialog } from "./ReviewDialog";
import { SessionsPanel } from "./SessionsPanel";
import { clientMark, PROFILES } from "./words";

const TABS = [
  { value: "live", label: "Live" },
  { value: "setup", label: "Setup" },
  { value: "calls", label: "Calls" },
  { value: "sessions", label: "Sessions" },
] as const;
type Tab = (typeof TABS)[number]["value"];

export function AgentsView() {
  const { params } = useRoute();
  const tab: Tab = TABS.find((one) => one.value === params.tab)?.value ?? "setup";
  return (
    <section className="view" aria-label="Agents">
      <header className="view-head agents-head">
        <h1>Agents</h1>
        <Segmented
          label="Part"
          value={tab}
          options={TABS}
          onChange={(value) => navigate({ view: "agents", params: { tab: value } })}
        />
      </header>
      {tab === "live" && <LivePanel />}
      {tab === "setup" && <SetupPanel />}
      {tab === "calls" && <CallLogPanel />}
      {tab === "sessions" && <SessionsPanel />}
    </section>
  );
}

function SetupPanel() {
  const { repo } = session.use();
  const root = useRepos().data?.find((one) => one.id === repo)?.root;
  const agents = useAgents(root ? [root] : []);
  if (agents.error && !agents.data)
    return <Failure error={agents.error} onRetry={() => void agents.refetch()} />;
  if (!agents.data) return <Loading label="Looking for coding agents" />;
  return <Found overview={agents.data} project={root ?? null} />;
}

function Found({ overview, project }: { overview: AgentsOverview; project: string | null }) {
  const [profile, setProfile] = useState<ServerProfile>("standard");
  const [reviewed, setReviewed] = useState<ClientStatus[]>([]);
  const isHere = (client: ClientStatus) =>
    client.detected || client.placements.some((place) => place.state !== "not-set");
  const here = overview.clients.filter(isHere);
  const others = overview.clients.filter((client) => !isHere(client));
  const open = here.filter((client) => {
    const { word } = clientMark(client);
    return word === "Not set up" || word === "Outdated";
  });
  const isSet = (client: ClientStatus) => ["Set up", "Connected"].includes(clientMark(client).word);
  const card = (client: ClientStatus) => (
    <AgentCard
      key={client.id}
      client={client}
      profile={profile}
      onReview={() => setReviewed([client])}
    />
  );
  return (
    <div className="agents-body">
      <div className="agents-bar">
        <p className="muted">
          {plural(here.length, "agent")} on this machine, {count(here.filter(isSet).length)} set up
        </p>
        <span className="spacer" />
        <ProfileChoice profiles={overview.profiles} value={profile} onChange={setProfile} />
        {open.length > 1 && (
          <Button
            kind="primary"
            data-testid="agents-all"
            onPress={() => setReviewed(open)}
          >{`Set up all ${open.length}`}</Button>
        )}
      </div>
      <HttpStrip />
      {here.length === 0 && (
        <p className="agents-none">
          No coding agent was found. Install one, or set one of these up in advance.
        </p>
      )}
      <ul className="agents-list" data-testid="agents-found">
        {here.map(card)}
      </ul>
      {others.length > 0 && (
        <details className="agents-others" open={here.length === 0}>
          <summary>{plural(others.length, "agent")} not found here</summary>
          <ul className="agents-list">{others.map(card)}</ul>
        </details>
      )}
      {reviewed.length > 0 && (
        <ReviewDialog
          clients={reviewed}
          profile={profile}
          project={project}
          onClose={() => setReviewed([])}
        />
      )}
    </div>
  );
}

/** Which tools agents get, and what the list of them costs in every conversation. */
function ProfileChoice(props: {
  profiles: AgentsOverview["profiles"];
  value: ServerProfile;
  onChange: (profile: ServerProfile) => void;
}) {
  const chosen = props.profiles.find((one) => one.profile === props.value);
  return (
    <div className="agents-profile">
      {chosen && (
        <span className="muted num" data-testid="profile-cost">
          {plural(chosen.tools, "tool")}, about {count(chosen.tokens)} tokens
        </span>
      )}
      <Segmented
        label="Profile"
        value={props.value}
        options={props.profiles.map((one) => ({
          value: one.profile,
          label: PROFILES[one.profile],
        }))}
        onChange={props.onChange}
      />
    </div>
  );
}
