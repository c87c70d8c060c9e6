// What is compared with what: chosen from the branch, its recent commits, or written.

import { type FormEvent, type ReactNode, useState } from "react";
import {
  Button as AriaButton,
  Dialog,
  DialogTrigger,
  ListBox,
  ListBoxItem,
} from "react-aria-components";
import { plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { Popover } from "../../components/Popover";
import { FailureLine } from "../../components/states";
import { type ChangeState, useRecentCommits } from "../../ipc";
import { referenceWords } from "./words";

/** Commits that are offered; older ones are written. */
const N_OFFERED = 30;
/** A list takes no empty key. */
const UNCOMMITTED = "(uncommitted)";

interface Props {
  repo: string;
  reference: string;
  main: ChangeState["main"];
  onChange: (reference: string) => void;
}

export function Compare(props: Props & { isOpen: boolean; onOpen: (isOpen: boolean) => void }) {
  const { reference, isOpen, onOpen } = props;
  const words = referenceWords(reference);
  const choose = (chosen: string) => {
    onOpen(false);
    props.onChange(chosen);
  };
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={onOpen}>
      <AriaButton
        className="button changes-compare"
        aria-label={`Compared: ${words}`}
        data-testid="changes-compare"
      >
        <Icon name="swap" />
        <span className="ellipsis">{words}</span>
        <Icon name="chevron" />
      </AriaButton>
      <Popover className="choice-popover" placement="bottom start" offset={4}>
        <Dialog className="changes-compare-dialog" aria-label="What is compared">
          <References {...props} onChange={choose} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function References({ repo, reference, main, onChange }: Props) {
  const commits = useRecentCommits(repo, N_OFFERED);
  const [typed, setTyped] = useState(reference);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onChange(typed.trim());
  };
  return (
    <>
      <form onSubmit={submit}>
        <input
          className="input code"
          aria-label="Branch, commit or range"
          placeholder="main, 4f2a91c^! or v1..v2"
          data-testid="changes-reference"
          spellCheck={false}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          // biome-ignore lint/a11y/noAutofocus: it was opened to be typed in
          autoFocus
        />
      </form>
      <FailureLine error={commits.error} />
      <ListBox
        className="choice-list"
        aria-label="Compared"
        onAction={(key) => onChange(key === UNCOMMITTED ? "" : String(key))}
      >
        <Offer id={UNCOMMITTED} isChosen={reference === ""} text={referenceWords("")}>
          <span>{referenceWords("")}</span>
        </Offer>
        {main && (
          <Offer id={main.name} isChosen={reference === main.name} text={main.name}>
            <span className="ellipsis">
              {referenceWords(main.name)}{" "}
              <span className="muted">{plural(main.n_ahead, "commit")} ahead</span>
            </span>
          </Offer>
        )}
        {commits.data?.map((commit) => {
          const id = `${commit.sha.slice(0, 10)}^!`;
          return (
            <Offer key={commit.sha} id={id} isChosen={reference === id} text={commit.summary}>
              <span className="code muted">{commit.sha.slice(0, 8)}</span>
              <span className="ellipsis">{commit.summary}</span>
            </Offer>
          );
        })}
      </ListBox>
    </>
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
