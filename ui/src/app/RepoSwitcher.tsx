// The repository that searches go to.

import {
  Button as AriaButton,
  Menu,
  MenuItem,
  MenuTrigger,
  Separator,
} from "react-aria-components";
import { Icon } from "../components/Icon";
import { Popover } from "../components/Popover";
import { useRepos } from "../ipc";
import { navigate } from "./route";
import { asRanked, queryParams } from "./search-query";
import { session } from "./session";

/** Opens Search with a question to all repositories. */
function searchAll() {
  const { text } = session.get().search;
  const isAsked = / in:all /.test(` ${text} `);
  const all = asRanked(isAsked ? text : `${text.trimEnd()} in:all`.trimStart());
  navigate({ view: "search", params: queryParams(all) });
}

export function RepoSwitcher() {
  const { repo } = session.use();
  const { data = [] } = useRepos();
  const current = data.find((one) => one.id === repo);
  const choose = (key: string) => {
    if (key === "+add") navigate({ view: "repositories", params: { add: "1" } });
    else if (key === "+all") searchAll();
    else session.set({ repo: key });
  };
  return (
    <MenuTrigger>
      <AriaButton className="repo-switcher" data-testid="repo-switcher">
        <Icon name="folder" />
        <span className="visually-hidden">Repository: </span>
        <span className="rail-label ellipsis">{current?.name ?? "No repository"}</span>
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
              <span className="small muted ellipsis">{one.branch ?? one.head ?? ""}</span>
            </MenuItem>
          ))}
          {data.length > 0 && <Separator className="menu-rule" />}
          {data.length > 1 && (
            <MenuItem id="+all" className="menu-item" textValue="All repositories">
              <span className="menu-check">
                <Icon name="search" />
              </span>
              All repositories
            </MenuItem>
          )}
          <MenuItem id="+add" className="menu-item" textValue="Add repository">
            <span className="menu-check">
              <Icon name="plus" />
            </span>
            Add repository
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
