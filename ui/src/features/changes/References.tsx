// What can be compared: uncommitted work, the branch since it left the main one, recent commits, or what is
// written, which narrows the list as well.

import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { ListBox, ListBoxItem } from "react-aria-components";
import { Segmented } from "../../components/controls";
import { plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { FailureLine } from "../../components/states";
import { type ChangeState, type TimelineCommit, useRecentCommits } from "../../ipc";
import { referenceWords } from "./words";

/** Commits that are looked through; older ones are written. */
const N_READ = 300;
/** Commits that are offered at a time. */
const N_OFFERED = 30;
/** A list takes no empty key. */
const UNCOMMITTED = "(uncommitted)";

type Extent = "since" | "alone";

const EXTENTS = [
  { value: "since" as Extent, label: "All since a commit" },
  { value: "alone" as Extent, label: "One commit alone" },
];

export interface ReferencesProps {
  repo: string;
  reference: string;
  main: ChangeState["main"];
  onChange: (reference: string) => void;
}

export function References({ repo, reference, main, onChange }: ReferencesProps) {
  const commits = useRecentCommits(repo, N_READ);
  const [typed, setTyped] = useState(reference);
  const [extent, setExtent] = useState<Extent>(reference.endsWith("^!") ? "alone" : "since");
  const list = useRef<HTMLDivElement>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onChange(typed.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>("[role=option]")?.focus();
  };
  // What is compared now narrows nothing: it was not typed.
  const words = typed === reference ? "" : typed.trim().toLowerCase();
  const fitting = (commits.data ?? []).filter((commit) => fits(commit, words));
  return (
    <>
      <form onSubmit={submit}>
        <input
          className="input code"
          aria-label="Branch, commit or range"
          placeholder="main, 4f2a91c, 4f2a91c^! or v1..v2"
          data-testid="changes-reference"
          spellCheck={false}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          // biome-ignore lint/a11y/noAutofocus: it was opened to be typed in
          autoFocus
        />
      </form>
      <Segmented label="Extent" value={extent} options={EXTENTS} onChange={setExtent} />
      <FailureLine error={commits.error} />
      <ListBox
        ref={list}
        className="choice-list"
        aria-label="Compared"
        onAction={(key) => onChange(key === UNCOMMITTED ? "" : String(key))}
      >
        {words === "" && (
          <Offer id={UNCOMMITTED} isChosen={reference === ""} text={referenceWords("")}>
            <span>{referenceWords("")}</span>
          </Offer>
        )}
        {main?.name.toLowerCase().includes(words) && (
          <Offer id={main.name} isChosen={reference === main.name} text={main.name}>
            <span className="ellipsis">
              {referenceWords(main.name)}{" "}
              <span className="muted">{plural(main.n_ahead, "commit")} ahead</span>
            </span>
          </Offer>
        )}
        {fitting.slice(0, N_OFFERED).map((commit) => {
          const id = `${commit.sha.slice(0, 10)}${extent === "alone" ? "^!" : ""}`;
          return (
            <Offer key={id} id={id} isChosen={reference === id} text={commit.summary}>
              <span className="code muted">{commit.sha.slice(0, 8)}</span>
              <span className="ellipsis">{commit.summary}</span>
            </Offer>
          );
        })}
      </ListBox>
      <Beyond n={fitting.length} nRead={commits.data?.length} words={words} />
    </>
  );
}

/** A commit by the beginning of its id, or by words of its message. */
function fits({ sha, summary }: TimelineCommit, words: string): boolean {
  return sha.startsWith(words) || summary.toLowerCase().includes(words);
}

/** That the list is a part: what is not in it can be written. */
function Beyond({ n, nRead, words }: { n: number; nRead: number | undefined; words: string }) {
  if (nRead === undefined) return null;
  const said =
    n > N_OFFERED
      ? `${plural(n - N_OFFERED, "more commit")}: type part of a message or an id.`
      : words !== "" && n === 0
        ? `None of the last ${plural(nRead, "commit")} fits. Enter compares with what is written.`
        : "";
  return (
    <p className="small muted" role="status">
      {said}
    </p>
  );
}

function Offer(props: { id: string; isChosen: boolean; text: string; children: ReactNode }) {
  return (
    <ListBoxItem id={props.id} className="choice-item" textValue={props.text}>
      <span className="choice-check">{props.isChosen && <Icon name="check" />}</span>
      {props.children}
    </ListBoxItem>
  );
}
