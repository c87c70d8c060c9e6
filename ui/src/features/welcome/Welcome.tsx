// The first start: what to search, the model, the agents, and one button.

import "./welcome.css";
import type { ReactNode } from "react";
import { betterLines } from "../../components/better-lines";
import { Button } from "../../components/controls";
import { ago, bytes, plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { FailureLine } from "../../components/states";
import type { ClientStatus } from "../../ipc";
import { type Choice, useBegin, useWelcome } from "./useWelcome";

type Offer = ReturnType<typeof useWelcome>;

export function Welcome({ onAdd }: { onAdd: () => void }) {
  const offer = useWelcome();
  const { begin, error, isPending } = useBegin();
  const { choice } = offer;
  return (
    <div className="welcome" data-testid="welcome">
      <header>
        <h1>Find code, and see why it ranks where it does</h1>
        <p className="muted">
          Whyrank indexes repositories on this machine, for you and for your coding agents. Your
          code stays here, unless you choose a reranker on another machine.
        </p>
      </header>
      <Repositories offer={offer} onAdd={onAdd} />
      <Model offer={offer} />
      <Agents offer={offer} />
      <footer>
        <FailureLine error={error} />
        <Button
          kind="primary"
          data-testid="welcome-begin"
          isDisabled={choice.repos.length === 0}
          isPending={isPending}
          onPress={() => void begin(choice).catch(() => undefined)}
        >
          {whatHappens(choice)}
        </Button>
        <span className="small muted">Search opens as soon as the first one can be searched.</span>
      </footer>
    </div>
  );
}

/** The button says all that it does. */
export function whatHappens({ repos, model, agents }: Choice): string {
  if (repos.length === 0) return "Choose a repository to begin";
  const index = `Index ${repos.length === 1 ? repos[0]?.name : plural(repos.length, "repository", "repositories")}`;
  const rest = [
    model && "download the model",
    agents.length > 0 &&
      `set up ${agents.length === 1 ? agents[0]?.name : `${agents.length} agents`}`,
  ].filter(Boolean);
  if (rest.length === 0) return index;
  return rest.length === 1 ? `${index} and ${rest[0]}` : `${index}, ${rest.join(" and ")}`;
}

function Repositories({ offer, onAdd }: { offer: Offer; onAdd: () => void }) {
  const { found, repos } = offer;
  return (
    <Part title="Repositories" icon="folder">
      {found.isPending && (
        <p className="muted" role="status">
          Looking for git repositories in your home folder…
        </p>
      )}
      <FailureLine error={found.error} />
      {found.data?.length === 0 && (
        <p className="muted">No git repository was found in your home folder.</p>
      )}
      {repos.length > 0 && (
        <ul className="welcome-list" data-testid="welcome-repos">
          {repos.map((repo) => (
            <Tick
              key={repo.root}
              on={offer.repoTicked(repo.root)}
              onChange={(on) => offer.tick(repo.root, on)}
              name={repo.name}
              detail={<bdi>{repo.root}</bdi>}
              aside={repo.used_at_s > 0 ? ago(repo.used_at_s) : ""}
            />
          ))}
        </ul>
      )}
      <Button icon="plus" data-testid="repo-add" onPress={onAdd}>
        {repos.length > 0 ? "Another folder" : "Choose a folder"}
      </Button>
    </Part>
  );
}

function Model({ offer }: { offer: Offer }) {
  const { model, missing, models } = offer;
  if (!model) return models.error ? <FailureLine error={models.error} /> : null;
  return (
    <Part title="Search by meaning" icon="search">
      <p className="welcome-there">
        <Icon name="check" />{" "}
        {missing
          ? "It works right away, with the static vectors that come with Whyrank."
          : `${model.name} is installed.`}
      </p>
      {missing && (
        <ul className="welcome-list">
          <Tick
            on={offer.isTicked("model", false)}
            onChange={(on) => offer.tick("model", on)}
            testid="welcome-model"
            name={`Download ${missing.name}`}
            detail={`${missing.licence}, kept on this machine`}
            aside={bytes(missing.size_bytes)}
          />
        </ul>
      )}
      {missing && <p className="small muted">{betterLines([])} You can search meanwhile.</p>}
    </Part>
  );
}

function Agents({ offer }: { offer: Offer }) {
  const { clients, agents } = offer;
  if (agents.error) return <FailureLine error={agents.error} />;
  if (clients.length === 0) return null;
  return (
    <Part title="Coding agents" icon="agents">
      <ul className="welcome-list" data-testid="welcome-agents">
        {clients.map((client) => (
          <Tick
            key={client.id}
            on={offer.isTicked(`agent:${client.id}`, false)}
            onChange={(on) => offer.tick(`agent:${client.id}`, on)}
            name={`Set up ${client.name}`}
            detail={<>adds one server to {fileOf(client)}</>}
          />
        ))}
      </ul>
      <p className="small muted">Each can be reviewed, verified and undone on the Agents screen.</p>
    </Part>
  );
}

const fileOf = (client: ClientStatus) =>
  client.placements.find((place) => place.scope === "user")?.path ?? "its settings";

function Part(props: { title: string; icon: "folder" | "search" | "agents"; children: ReactNode }) {
  return (
    <section className="welcome-part">
      <h2>
        <Icon name={props.icon} />
        {props.title}
      </h2>
      {props.children}
    </section>
  );
}

function Tick(props: {
  on: boolean;
  onChange: (on: boolean) => void;
  name: string;
  detail: ReactNode;
  aside?: string;
  testid?: string;
}) {
  return (
    <li>
      <label>
        <input
          type="checkbox"
          data-testid={props.testid}
          checked={props.on}
          onChange={(event) => props.onChange(event.target.checked)}
        />
        <strong className="ellipsis">{props.name}</strong>
        <span className="small muted ellipsis">{props.detail}</span>
        <span className="small muted num">{props.aside}</span>
      </label>
    </li>
  );
}
