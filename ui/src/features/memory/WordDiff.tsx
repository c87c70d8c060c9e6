// A text with the words that went and came.

import { useMemo } from "react";
import { wordDiff } from "./words-diff";

export function WordDiff({ before, after }: { before: string; after: string }) {
  const runs = useMemo(() => wordDiff(before, after), [before, after]);
  return (
    <div className="memory-words">
      {runs.map((run, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: runs of a text have no other name
        if (run.kind === "kept") return <span key={index}>{run.text}</span>;
        const Tag = run.kind === "gone" ? "del" : "ins";
        // biome-ignore lint/suspicious/noArrayIndexKey: runs of a text have no other name
        return <Tag key={index}>{run.text}</Tag>;
      })}
    </div>
  );
}
