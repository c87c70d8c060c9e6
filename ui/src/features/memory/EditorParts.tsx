// The parts of the editor beside and below the text.

import { useState } from "react";
import { Choice, plainOptions } from "../../components/Choice";
import { Segmented } from "../../components/controls";
import { NumberField } from "../../components/NumberField";
import type { Memo } from "../../ipc";
import { Markdown } from "./Markdown";
import type { Draft } from "./useDraft";
import { WordDiff } from "./WordDiff";
import { KINDS } from "./words";

const TIERS = plainOptions(["core", "normal", "archive"]);

/** What changed, or how the text will look. */
export function Beside({ memo, content }: { memo: Memo | null; content: string }) {
  const [side, setSide] = useState<"preview" | "changes">(memo ? "changes" : "preview");
  return (
    <section className="memory-beside" aria-label="Preview and changes">
      {memo && (
        <Segmented
          label="Beside the text"
          value={side}
          options={[
            { value: "changes", label: "Changes" },
            { value: "preview", label: "Preview" },
          ]}
          onChange={setSide}
        />
      )}
      {memo && side === "changes" ? (
        <WordDiff before={memo.content} after={content} />
      ) : content.trim() === "" ? (
        <p className="small muted">The preview appears here.</p>
      ) : (
        <Markdown text={content} />
      )}
    </section>
  );
}

export function Fields({ draft, isNew }: { draft: Draft; isNew: boolean }) {
  const { fields, set } = draft;
  return (
    <div className="memory-fields">
      <Choice
        showLabel
        label="Kind"
        data-testid="memory-edit-kind"
        value={fields.kind}
        options={plainOptions(KINDS)}
        onChange={set.kind}
      />
      <label>
        <span className="small muted">Tags</span>
        <input
          className="memory-input"
          placeholder="net, ops"
          value={fields.tags}
          onChange={(event) => set.tags(event.target.value)}
        />
      </label>
      <NumberField
        label="Confidence"
        value={fields.confidence}
        min={0}
        max={1}
        step={0.1}
        onChange={set.confidence}
      />
      {isNew && (
        <Choice showLabel label="Tier" value={fields.tier} options={TIERS} onChange={set.tier} />
      )}
    </div>
  );
}
