// The repository that questions go to, or several as one.

import {
  Button as AriaButton,
  Menu,
  MenuItem,
  MenuTrigger,
  Separator,
} from "react-aria-components";
import { Icon } from "../components/Icon";
import { Popover } from "../components/Popover";
import { shortState } from "../components/repo-state";
import { type RepoSummary, useLooks, useRepos } from "../ipc";
import { navigate } from "./route";
import { chooseScope, scopeName, useScope } from "./scope";
import { session } from "./session";

/** What stands beside a name: its branch, or the folder that tells it from another of that name. */
function beside(one: RepoSummary, all: readonly RepoSummary[]): string {
  const isTwin = all.some((other) => other.id !== one.id && other.name === one.name);
  const folder = one.root.split(/[/\\]/).slice(-3, -1).join("/");
  return isTwin && folder ? `in ${folder}` : (one.branch ?? one.head ?? "");
}

/** As of the last look at its files; the menu looks at none anew. */
function StateOf({ repo }: { repo: RepoSummary }) {
  const [look] = useLooks([repo.id]);
  return shortState(repo, look);
}

export function RepoSwitcher() {
  const { repo } = session.use();
  const { data = [], isPending, isError } = useRepos();
  const { scope, choices } = useScope();
  const current = data.find((one) => one.id === repo);
  const missing = isPending ? "Loading…" : isError ? "Unavailable" : "No repository";
  const choose = (key: string) => {
    if (key === "+add") navigate({ view: "repositories", params: { add: "1" } });
    else if (key === "+all") navigate({ view: "repositories" });
    else if (key === "+alone") chooseScope(repo, "");
    else if (key.startsWith("+in ")) chooseScope(repo, key.slice("+in ".length));
    else session.set({ repo: key, scope: null });
  };
  return (
    <MenuTrigger>
      <AriaButton className="repo-switcher" data-testid="repo-switcher">
        <Icon name="folder" />
        <span className="visually-hidden">Repository: </span>
        <span className="rail-label ellipsis">
          {scope ? scopeName(scope) : (current?.name ?? missing)}
        </span>
        <span className="rail-label">
          <Icon name="chevron" />
        </span>
      </AriaButton>
      <Popover className="popover" placement="bottom start" offset={4}>
        <Menu className="menu" aria-label="Repository" onAction={(key) => choose(String(key))}>
          {data.map((one) => (
            <MenuItem key={one.id} id={one.id} className="menu-item" textValue={one.name}>
              <span className="menu-check">{one.id === repo && <Icon name="check" />}</span>
              <span className="ellipsis">{one.name}</span>
              <span className="small muted ellipsis" title={one.root}>
                {beside(one, data)} · <StateOf repo={one} />
              </span>
            </MenuItem>
          ))}
          {data.length > 0 && <Separator className="menu-rule" />}
          {scope && current && (
            <MenuItem id="+alone" className="menu-item" textValue={`Only ${current.name}`}>
              <span className="menu-check" />
              <span className="ellipsis">Only {current.name}</span>
            </MenuItem>
          )}
          {choices.map((one) => (
            <MenuItem
              key={one.name}
              id={`+in ${one.name}`}
              className="menu-item"
              textValue={scopeName(one)}
            >
              <span className="menu-check">{one === scope && <Icon name="check" />}</span>
              <span className="ellipsis">{scopeName(one)}</span>
              <span className="small muted ellipsis">
                {one.repos.map(({ name }) => name).join(", ")}
              </span>
            </MenuItem>
          ))}
          <MenuItem id="+add" className="menu-item" textValue="Add repository">
            <span className="menu-check">
              <Icon name="plus" />
            </span>
            Add repository
          </MenuItem>
          <MenuItem id="+all" className="menu-item" textValue="Repositories…">
            <span className="menu-check">
              <Icon name="repositories" />
            </span>
            Repositories…
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
