// The code that a memo is linked to, and what became of it.

import { Button } from "../../components/controls";
import type { Memo, MemoAnchor } from "../../ipc";
import type { Acts } from "./useMemory";
import { anchorOf } from "./words";

export function Anchors(props: { memo: Memo; acts: Acts; canFollow: boolean }) {
  const { memo } = props;
  const canFollow = memo.anchors.some(
    (anchor) => (anchor.state === "moved" || anchor.state === "changed") && anchor.now !== "",
  );
  return (
    <section className="memory-anchors" aria-label="Code">
      <h2 className="minor">Code</h2>
      <ul>
        {memo.anchors.map((anchor) => (
          <li key={anchorOf(anchor)} data-testid="memory-anchor">
            <span className="code">{anchorOf(anchor)}</span>
            {anchor.symbol && <span className="code muted">{anchor.symbol}</span>}
            <AnchorState anchor={anchor} />
            {anchor.diff !== "" && <Diff text={anchor.diff} />}
          </li>
        ))}
      </ul>
      {canFollow && (
        <Button
          icon="focus"
          data-testid="memory-reanchor"
          isDisabled={!props.canFollow}
          onPress={() => props.acts.act({ act: "reanchor", memo: memo.id })}
        >
          Link to where the code is now
        </Button>
      )}
    </section>
  );
}

function AnchorState({ anchor }: { anchor: MemoAnchor }) {
  if (anchor.state === "" || anchor.state === "unchanged") return null;
  const where = anchor.now !== "" && anchor.now !== anchorOf(anchor) ? `: ${anchor.now}` : "";
  return (
    <span className="pill" data-tone={anchor.state === "moved" ? undefined : "amber"}>
      {anchor.state}
      {where}
    </span>
  );
}

/** Hunks, lines that went and lines that came set off. */
export function Diff({ text }: { text: string }) {
  return (
    <pre className="memory-diff">
      {text
        .trimEnd()
        .split("\n")
        .map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other name
          <span key={index} data-sign={line[0]}>
            {line}
            {"\n"}
          </span>
        ))}
    </pre>
  );
}
