// What is shown: state, kind, words; as of which commit, as known when; and what can be done.

import { type RefObject, useState } from "react";
import { Button as AriaButton, Menu, MenuItem, MenuTrigger } from "react-aria-components";
import { Choice, plainOptions } from "../../components/Choice";
import { Button } from "../../components/controls";
import { DateTimeField } from "../../components/DateTimeField";
import { plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { Popover } from "../../components/Popover";
import { FailureLine } from "../../components/states";
import { Written } from "../../components/Written";
import {
  choosePath,
  chooseSavePath,
  useMemoEncoding,
  useMemoExport,
  useMemoImport,
} from "../../ipc";
import { HomeDialog } from "./Home";
import { RetireDialog } from "./RetireDialog";
import type { Place } from "./usePlace";
import { KINDS, STATES } from "./words";

export function Head(props: {
  /** The one repository that is shown; `null` for several. */
  repo: string | null;
  place: Place;
  box: RefObject<HTMLInputElement | null>;
  asOf: RefObject<HTMLInputElement | null>;
  /** How many memos are listed. */
  n: number | undefined;
  nConflicts: number;
  onNew: () => void;
  canWrite: boolean;
}) {
  const { place } = props;
  return (
    <header className="memory-head">
      <div className="memory-line">
        <label className="memory-search">
          <Icon name="search" />
          <input
            ref={props.box}
            type="search"
            aria-label="Find in memos"
            placeholder="Find in memos"
            data-testid="memory-text"
            value={place.text}
            onChange={(event) => place.setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.preventDefault();
              event.currentTarget.blur();
            }}
          />
        </label>
        <Choice
          label="State"
          data-testid="memory-state"
          value={place.state}
          options={STATES.map(({ value, label }) => ({
            value,
            label:
              value === "conflicts" && props.nConflicts > 0
                ? `Conflicts (${props.nConflicts})`
                : label,
          }))}
          onChange={place.setState}
        />
        <Choice
          label="Kind"
          data-testid="memory-kind"
          value={place.kind}
          options={[{ value: "", label: "All kinds" }, ...plainOptions(KINDS)]}
          onChange={place.setKind}
        />
        <span className="small muted memory-count" role="status" data-testid="memory-count">
          {props.n === undefined ? "" : plural(props.n, "memo")}
        </span>
        {props.repo !== null && <Encoding repo={props.repo} />}
        <span className="spacer" />
        {props.repo !== null && <ImportExport repo={props.repo} canWrite={props.canWrite} />}
        <Button
          kind="primary"
          icon="plus"
          data-testid="memory-new"
          isDisabled={!props.canWrite}
          onPress={props.onNew}
        >
          New memo
        </Button>
      </div>
      <div className="memory-line memory-moment">
        <label>
          <span className="small muted">As of commit</span>
          <input
            ref={props.asOf}
            className="memory-input code"
            data-testid="memory-as-of"
            placeholder="HEAD"
            spellCheck={false}
            key={place.moment.as_of ?? ""}
            defaultValue={place.moment.as_of ?? ""}
            onBlur={(event) => place.setMoment({ as_of: event.target.value.trim() || null })}
            onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
          />
        </label>
        <DateTimeField
          label="As known at"
          data-testid="memory-known-at"
          value={place.moment.known_at === null ? null : Number(place.moment.known_at)}
          onChange={(ms) => place.setMoment({ known_at: ms === null ? null : String(ms) })}
        />
      </div>
    </header>
  );
}

/** How far vectors are, while memos that came in at once get theirs. */
function Encoding({ repo }: { repo: string }) {
  const encoding = useMemoEncoding(repo);
  if (!encoding) return null;
  const { done, total } = encoding;
  return (
    <span className="small muted memory-count" data-testid="memory-encoding">
      vectors {done.toLocaleString("en")} of {total.toLocaleString("en")}
    </span>
  );
}

/** Memory as a file, and back. */
function ImportExport({ repo, canWrite }: { repo: string; canWrite: boolean }) {
  const exporting = useMemoExport(repo);
  const importing = useMemoImport(repo);
  const [atHome, setAtHome] = useState(false);
  const act = async (key: string) => {
    if (key === "export") {
      const path = await chooseSavePath("memos.jsonl");
      if (path) exporting.mutate(path);
    } else if (key === "home") {
      setAtHome(true);
    } else {
      const path = await choosePath("memo-file");
      if (path) importing.mutate({ path, retire: false });
    }
  };
  const taken = importing.data;
  const isAsked = taken !== undefined && taken.n_endings > 0 && !taken.are_endings_taken;
  return (
    <>
      <FailureLine error={exporting.error ?? importing.error} />
      {exporting.isSuccess && (
        <Written
          path={exporting.variables}
          testid="memory-written"
          onClose={() => exporting.reset()}
        />
      )}
      {taken && (
        <span className="small muted" role="status" data-testid="memory-imported">
          {taken.n_added} new, {taken.n_known} known
          {taken.n_conflicts > 0 && `, ${taken.n_conflicts} conflicts`}
          {taken.n_endings > 0 && `, ${taken.n_endings} ends taken in`}
        </span>
      )}
      <MenuTrigger>
        <AriaButton className="button plain" data-testid="memory-exchange">
          <Icon name="download" />
          <span>{exporting.isPending || importing.isPending ? "Working" : "Import / export"}</span>
        </AriaButton>
        <Popover className="popover" placement="bottom end" offset={4}>
          <Menu
            className="menu"
            aria-label="Import / export"
            disabledKeys={canWrite ? [] : ["import"]}
            onAction={(key) => act(String(key))}
          >
            <MenuItem id="export" className="menu-item" textValue="Export">
              Export
              <span className="small muted">all facts, JSONL</span>
            </MenuItem>
            <MenuItem id="import" className="menu-item" textValue="Import">
              Import
              <span className="small muted">what is here stays</span>
            </MenuItem>
            <MenuItem id="home" className="menu-item" textValue="Where memory is stored">
              Where memory is stored
              <span className="small muted">after a move</span>
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      {isAsked && (
        <RetireDialog
          imported={taken}
          onTake={() =>
            importing.variables && importing.mutate({ ...importing.variables, retire: true })
          }
          onClose={() => importing.reset()}
        />
      )}
      {atHome && <HomeDialog repo={repo} onClose={() => setAtHome(false)} />}
    </>
  );
}
