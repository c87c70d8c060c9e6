// What the desktop gives beside the window: links, notifications, a tray, a key; and how the window looks.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type Answered, ask, useChange } from "./ask";
import type * as raw from "./bindings";
import { commands, events } from "./bindings";

/** The shell sends all of them; only its file may lack some. */
export type DesktopSettings = Required<raw.DesktopSettings>;
export type DesktopState = raw.DesktopState & { settings: DesktopSettings };
export type LinkState = raw.LinkState;

const desktopKey = ["desktop"] as const;
const linksKey = ["link-state"] as const;

/** What was chosen of tray and key, and what of it this desktop cannot do. */
export function useDesktop(): Answered<DesktopState> {
  return useQuery({ queryKey: desktopKey, queryFn: () => ask<DesktopState>(commands.desktop()) });
}

export function useSetDesktop() {
  return useChange<DesktopSettings, DesktopState>(
    (settings) => commands.setDesktop(settings),
    desktopKey,
  );
}

/** Gives the window the colour of its page, for what is seen before the next one has painted. */
export async function paintWindow(dark: boolean): Promise<void> {
  await ask(commands.paintWindow(dark)).catch(() => undefined);
}

/** Draws the page larger or smaller. */
export async function zoomWindow(factor: number): Promise<void> {
  await ask(commands.zoom(factor)).catch(() => undefined);
}

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
