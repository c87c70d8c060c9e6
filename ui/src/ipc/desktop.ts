// What the desktop gives beside the window: links and notifications.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type Answered, ask, useChange } from "./ask";
import type * as raw from "./bindings";
import { commands, events } from "./bindings";

export type LinkState = raw.LinkState;

const linksKey = ["link-state"] as const;

/** Has the end of long work told while the window is not in front, or not. */
export function useNotifications(on: boolean): void {
  useEffect(() => {
    void ask(commands.notifyOfEnds(on)).catch(() => undefined);
  }, [on]);
}

export function useLinkState(): Answered<LinkState> {
  return useQuery({ queryKey: linksKey, queryFn: () => ask<LinkState>(commands.linkState()) });
}

/** Makes this program the one that opens links, or takes that back; the shell asks first. */
export function useOpenLinksHere() {
  return useChange<boolean, LinkState>((on) => commands.openLinksHere(on), linksKey);
}

/** The link that was opened last, once. */
export async function takeOpenedLink(): Promise<string | null> {
  return ask<string | null>(commands.takeOpenedLink()).catch(() => null);
}

/** Calls `onLink` when a link was opened, and once at the beginning: one may have started the window. */
export function useOpenedLinks(onLink: () => void): void {
  const latest = useRef(onLink);
  latest.current = onLink;
  useEffect(() => {
    const listening = events.linkOpened.listen(() => latest.current());
    void listening.then(() => latest.current());
    return () => void listening.then((unlisten) => unlisten());
  }, []);
}
