// The list of memos, and the one that is chosen.

import { useRef } from "react";
import { Split } from "../../components/Splitter";
import { Loading } from "../../components/states";
import type { Memo, MemoMoment } from "../../ipc";
import { MemoList } from "./MemoList";
import { MemoPane, type Part } from "./MemoPane";
import type { Writing } from "./useDraft";
import type { Acts } from "./useMemory";
import type { useRows } from "./useRows";
import { isNow } from "./words";

export function MemoSplit(props: {
  repo: string;
  rows: ReturnType<typeof useRows>;
  moment: MemoMoment;
  acts: Acts;
  part: Part;
  onPart: (part: Part) => void;
  chosen: Memo | undefined;
  onChoose: (memo: string) => void;
  onMove: (by: number) => void;
  onWrite: (writing: Writing) => void;
}) {
  const { rows, acts, chosen } = props;
  const list = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  return (
    <Split
      id="memory"
      share={0.38}
      first={
        <MemoList
          listRef={list}
          rows={rows.pages}
          onSeen={rows.onListSeen}
          chosen={chosen?.id}
          stale={rows.pages.first.isPlaceholderData}
          onChoose={props.onChoose}
          onMove={props.onMove}
          onOpen={() => {
            // Whatever the engine takes for the cause of the focus, it is shown.
            pane.current?.setAttribute("data-focus-visible", "");
            pane.current?.focus();
          }}
        />
      }
      second={
        chosen ? (
          <MemoPane
            key={chosen.id}
            bodyRef={pane}
            part={props.part}
            onPart={props.onPart}
            onLeave={() => list.current?.focus()}
            repo={props.repo}
            memo={chosen}
            isNow={isNow(props.moment)}
            acts={acts}
            onEdit={() => props.onWrite(editing(chosen))}
            onSupersede={() =>
              props.onWrite({ ...editing(chosen), memo: null, supersedes: chosen })
            }
          />
        ) : (
          <Loading label="Reading memos" isLate />
        )
      }
    />
  );
}

export function editing(memo: Memo): Writing {
  return { memo, anchors: [], supersedes: null };
}
