// Links that were opened outside of the window: taken from the shell, checked, and followed.

import { useEffect, useRef } from "react";
import { takeOpenedLink, useOpenedLinks, useRepos } from "../ipc";
import { readLink, repoOf } from "./link";
import { sayFailure } from "./notices";
import { navigate } from "./route";
import { session } from "./session";

const PALETTE = "whyrank://palette";

export function useLinks(onPalette: () => void): void {
  const { data: repos } = useRepos();
  const pending = useRef<string>(undefined);
  const latest = useRef({ repos, onPalette });
  latest.current = { repos, onPalette };
  const follow = useRef(() => {
    const { repos, onPalette } = latest.current;
    // Which repositories there are must be known first.
    if (!pending.current || !repos) return;
    const link = pending.current;
    pending.current = undefined;
    if (link === PALETTE) onPalette();
    else openLink(link, repos);
  }).current;
  useOpenedLinks(() => {
    void takeOpenedLink().then((link) => {
      if (link) pending.current = link;
      follow();
    });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link may have come before the list
  useEffect(follow, [repos]);
}

function openLink(link: string, repos: readonly { id: string; name: string }[]): void {
  const opened = readLink(link);
  if (!opened) {
    sayFailure({ message: "the link leads to no screen of this version" });
    return;
  }
  const { route, repo } = opened;
  const known = repo && repoOf(repo, repos);
  if (repo && !known) {
    const name = repo.name || repo.id;
    sayFailure({
      message: `the repository ${name} is not registered here`,
      hint: "add it, then open the link again",
    });
    return;
  }
  if (known) session.set({ repo: known.id });
  navigate(route.view === "repositories" && known ? { ...route, id: known.id } : route);
}
