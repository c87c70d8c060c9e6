// One memo: its text, its two times, who wrote it, its code, its history.

import { type RefObject, useState } from "react";
import { Button, Segmented } from "../../components/controls";
import type { Memo } from "../../ipc";
import { History } from "./History";
import { MemoFacts } from "./MemoFacts";
import { PurgeDialog } from "./PurgeDialog";
import type { Acts } from "./useMemory";

export type Part = "memo" | "history";

export function MemoPane(props: {
  bodyRef: RefObject<HTMLDivElement | null>;
  part: Part;
  onPart: (part: Part) => void;
  /** Back to where one came from. */
  onLeave: () => void;
  repo: string;
  memo: Memo;
  isNow: boolean;
  acts: Acts;
  onEdit: () => void;
  onSupersede: () => void;
}) {
  const { memo, acts } = props;
  const [isPurging, setPurging] = useState(false);
  const holds = memo.state === "valid" && props.isNow;
  return (
    <article className="memory-pane" aria-label="Memo" data-testid="memory-pane">
      <header className="memory-pane-head">
        <Segmented
          label="Part"
          value={props.part}
          options={[
            { value: "memo", label: "Memo" },
            { value: "history", label: `History (${memo.n_versions})` },
          ]}
          onChange={props.onPart}
        />
        <span className="spacer" />
        <Button data-testid="memory-edit" isDisabled={!props.isNow} onPress={props.onEdit}>
          Edit
        </Button>
        <Button data-testid="memory-supersede" isDisabled={!holds} onPress={props.onSupersede}>
          Supersede
        </Button>
        <Button
          data-testid="memory-pin"
          isDisabled={!props.isNow}
          onPress={() =>
            acts.act({ act: "mark", memo: memo.id, mark: { mark: "pinned", value: !memo.pinned } })
          }
        >
          {memo.pinned ? "Unpin" : "Pin"}
        </Button>
        <Button
          data-testid="memory-forget"
          isDisabled={!holds}
          onPress={() => acts.act({ act: "forget", memo: memo.id })}
        >
          End
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape leads back from what is scrolled */}
      <div
        ref={props.bodyRef}
        className="memory-pane-body"
        data-testid="memory-pane-body"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          props.onLeave();
        }}
        onBlur={(event) => event.currentTarget.removeAttribute("data-focus-visible")}
      >
        {props.part === "history" ? (
          <History repo={props.repo} memo={memo.id} acts={acts} canRevert={props.isNow} />
        ) : (
          <MemoFacts
            memo={memo}
            acts={acts}
            canWrite={props.isNow}
            canFollow={holds}
            onPurge={() => setPurging(true)}
          />
        )}
      </div>
      {isPurging && <PurgeDialog repo={props.repo} memo={memo} onClose={() => setPurging(false)} />}
    </article>
  );
}
