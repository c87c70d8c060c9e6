// In the foot of the window: how the index stands beside the files, and when that was looked at.

import { useEffect, useState } from "react";
import { lookInWords } from "../components/behind-words";
import type { RepoSummary, TreeLook } from "../ipc";

const TICK_MS = 1_000;

/** `otherwise` where the files were never looked at. */
export function IndexFreshness(props: {
  repo: RepoSummary;
  look: TreeLook | undefined;
  otherwise: string;
}) {
  const { repo, look, otherwise } = props;
  const now = useNow();
  const isKnown = look !== undefined && look.looked_at > 0 && repo.chunks > 0;
  const by = repo.watch_note ? " · not watched" : "";
  return (
    <span data-testid="index-freshness">
      {isKnown ? lookInWords(look, now) : otherwise}
      {by}
    </span>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
