// Which state of the repository is searched: the working tree, or any revision.

import { type FormEvent, useState } from "react";
import {
  Button as AriaButton,
  Dialog,
  DialogTrigger,
  ListBox,
  ListBoxItem,
} from "react-aria-components";
import { Icon } from "../../components/Icon";
import { Popover } from "../../components/Popover";
import { FailureLine } from "../../components/states";
import { useNarrow } from "../../components/useNarrow";
import { useRecentCommits } from "../../ipc";

/** Commits that are offered; older ones are typed. */
const N_OFFERED = 40;
const WORKING_TREE = "working tree";

export function AsOf(props: {
  repo: string;
  value: string | null;
  onChange: (revision: string | null) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  // That it is the usual state needs no word where there is no room for one.
  const isNarrow = useNarrow();
  const choose = (revision: string | null) => {
    setOpen(false);
    props.onChange(revision);
  };
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <AriaButton
        className="button quiet as-of"
        aria-label={`Searched: ${props.value ?? WORKING_TREE}`}
        data-testid="search-as-of"
        data-past={props.value !== null || undefined}
      >
        <Icon name="clock" />
        {(props.value !== null || !isNarrow) && (
          <span className="ellipsis">{props.value ?? "Working tree"}</span>
        )}
      </AriaButton>
      <Popover className="choice-popover" placement="bottom end" offset={4}>
        <Dialog className="as-of-dialog" aria-label="Search as of">
          <Revisions repo={props.repo} value={props.value} onChoose={choose} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Revisions(props: {
  repo: string;
  value: string | null;
  onChoose: (revision: string | null) => void;
}) {
  const commits = useRecentCommits(props.repo, N_OFFERED);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("revision");
    props.onChoose(String(typed ?? "").trim() || null);
  };
  return (
    <>
      <form onSubmit={submit}>
        <input
          className="input code"
          name="revision"
          aria-label="Branch, tag or commit"
          placeholder="Branch, tag or commit"
          data-testid="search-revision"
          spellCheck={false}
          autoComplete="off"
          defaultValue={props.value ?? ""}
          // biome-ignore lint/a11y/noAutofocus: it was opened to be typed in
          autoFocus
        />
      </form>
      <FailureLine error={commits.error} />
      <ListBox
        className="choice-list"
        aria-label="Commits"
        onAction={(key) => props.onChoose(key === WORKING_TREE ? null : String(key))}
      >
        <ListBoxItem id={WORKING_TREE} className="choice-item" textValue="Working tree">
          <span className="choice-check">{props.value === null && <Icon name="check" />}</span>
          <span>Working tree</span>
        </ListBoxItem>
        {commits.data?.map((commit) => (
          <ListBoxItem
            key={commit.sha}
            id={commit.sha.slice(0, 10)}
            className="choice-item"
            textValue={commit.summary}
          >
            <span className="choice-check">
              {props.value !== null && commit.sha.startsWith(props.value) && <Icon name="check" />}
            </span>
            <span className="code muted">{commit.sha.slice(0, 8)}</span>
            <span className="ellipsis">{commit.summary}</span>
          </ListBoxItem>
        ))}
      </ListBox>
    </>
  );
}
