// A memo while it is written: its fields, whether they say something new, and how it is saved.

import { useRef, useState } from "react";
import type { AnchorPlace, Memo, MemoDraft } from "../../ipc";
import type { Acts } from "./useMemory";
import { keysOf, placesOf } from "./words";

export interface Writing {
  /** The memo that gets another version; `null` for a new memo. */
  memo: Memo | null;
  /** Anchors to begin with. */
  anchors: AnchorPlace[];
  /** The memo that the new one takes the place of. */
  supersedes: Memo | null;
}

export function useDraft(writing: Writing, acts: Acts, onSaved: (memo: string) => void) {
  const { memo, supersedes } = writing;
  const from = memo ?? supersedes;
  const known = placesOf(from?.anchors ?? []);
  const [content, setContent] = useState(from?.content ?? "");
  const [kind, setKind] = useState(from?.kind ?? "decision");
  const [tags, setTags] = useState(from?.tags.join(", ") ?? "");
  const [anchors, setAnchors] = useState([...known, ...writing.anchors]);
  const [confidence, setConfidence] = useState(from?.confidence ?? 1);
  const [tier, setTier] = useState("normal");
  const [sinceStart, setSinceStart] = useState(false);
  const [isLinking, setLinking] = useState(false);
  const link = useRef<(() => Promise<AnchorPlace[] | null>) | null>(null);

  const draft: MemoDraft = {
    content,
    kind,
    tags: tags
      .split(/[,\s]+/)
      .map((tag) => tag.replace(/^#/, ""))
      .filter((tag) => tag !== ""),
    anchors,
    confidence,
  };
  const isSame =
    memo !== null &&
    content.trim() === memo.content &&
    kind === memo.kind &&
    draft.tags.join() === memo.tags.join() &&
    keysOf(anchors) === keysOf(known) &&
    draft.confidence === memo.confidence;
  const { isPending } = acts.sending;
  const isReady = content.trim() !== "" && (!isSame || isLinking);
  const isWritten =
    content.trim() !== (from?.content ?? "").trim() ||
    tags !== (from?.tags.join(", ") ?? "") ||
    isLinking ||
    keysOf(anchors) !== keysOf([...known, ...writing.anchors]);

  const save = async () => {
    if (!isReady || isPending) return;
    // What is being written in the field of links is one of them, or what is wrong stands beside it.
    const linked = link.current ? await link.current() : anchors;
    if (linked) send({ ...draft, anchors: linked });
  };
  const send = (draft: MemoDraft) => {
    const { act } = acts;
    const close = ({ memo: saved }: { memo: { id: string } }) => onSaved(saved.id);
    if (!memo) {
      act({ act: "add", draft, tier, supersedes: supersedes?.id ?? null }, close);
      return;
    }
    // Anchors that stay as they are keep the lines that they remember.
    const { anchors: linked, ...rest } = draft;
    const changed = keysOf(linked) === keysOf(known) ? rest : draft;
    act(
      {
        act: "edit",
        memo: memo.id,
        base: [...memo.contested, memo.version],
        draft: changed,
        since_start: sinceStart,
      },
      close,
    );
  };
  const fields = { content, kind, tags, anchors, confidence, tier, sinceStart };
  const set = {
    content: setContent,
    kind: setKind,
    tags: setTags,
    anchors: setAnchors,
    confidence: setConfidence,
    tier: setTier,
    sinceStart: setSinceStart,
  };
  return { fields, set, link, setLinking, isReady, isPending, isWritten, save };
}

export type Draft = ReturnType<typeof useDraft>;
