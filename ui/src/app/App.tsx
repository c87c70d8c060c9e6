// The frame: rail, screen, status bar; and what is there on every screen.

import "./app.css";
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useAsked } from "../components/Behind";
import { Loading } from "../components/states";
import { copyPathsWhole } from "../components/whole-paths";
import { useDroppedPath, useEngineEvents, useLookAgain, useNotifications, useRepos } from "../ipc";
import { beganOnSearch } from "./begin";
import { JobAnnouncer } from "./JobAnnouncer";
import { Notices } from "./Notices";
import { Overlay, type OverlayName } from "./Overlay";
import { hasMod, inTextField } from "./platform-keys";
import { preferences } from "./preferences";
import { Rail } from "./Rail";
import { goBack, navigate, PLACES, useRoute, type View } from "./route";
import { StatusBar } from "./StatusBar";
import { focusScreen, useKeptFocus, useScreenFocus } from "./screen-focus";
import { preloadScreens, screenOf } from "./screens";
import { lastRoute, session } from "./session";
import { holdKeys } from "./typed-ahead";
import { useLinks } from "./useLinks";
import { useUpdates } from "./useUpdates";
import { useWindowLook } from "./useWindowLook";
import { zoomBy, zoomKey } from "./zoom";

export function App() {
  const { view, id } = useRoute();
  const [overlay, setOverlay] = useState<OverlayName | null>(null);
  const openPalette = useCallback(() => {
    holdKeys(() => setOverlay(null));
    setOverlay("palette");
  }, []);
  const onRepoOpened = useCallback((repo: string, bySecondLaunch: boolean) => {
    session.set({ repo });
    if (bySecondLaunch) navigate({ view: "repositories" });
  }, []);
  useEngineEvents(onRepoOpened);
  useNotifications(preferences.use().notify);
  useUpdates();
  useLinks(openPalette);
  useChosenRepo();
  useFirstScreen(view);
  useLookOnArrival(view);
  useGlobalKeys(view, openPalette, setOverlay);
  useScreenFocus(view, id);
  useKeptFocus();
  useWindowLook();
  const isHovering = useDroppedPath(addDropped);

  useEffect(() => {
    const gone = new AbortController();
    void preloadScreens(gone.signal);
    return () => gone.abort();
  }, []);
  useEffect(copyPathsWhole, []);
  return (
    <div className="app" data-drop={isHovering || undefined}>
      <Rail view={view} onPalette={openPalette} />
      <main className="main" tabIndex={-1}>
        <Screen key={view} view={view} />
      </main>
      <StatusBar />
      <JobAnnouncer />
      <Notices />
      {isHovering && <p className="drop-hint">Drop a folder to add its repository</p>}
      {overlay && <Overlay key={overlay} name={overlay} onChange={setOverlay} />}
    </div>
  );
}

/** Whatever is in sight, a folder that is dropped is looked at and can be added. */
function addDropped(path: string): void {
  session.set({ dropped: path });
  navigate({ view: "repositories", params: { add: "1" } });
}

/** Chosen once for its time on the page: the chunk's arrival must not draw the screen again. */
function Screen({ view }: { view: View }) {
  const [Chosen] = useState(() => ({ Of: screenOf(view) }));
  return (
    <Suspense fallback={<Loading label="Opening" isLate />}>
      <Chosen.Of />
    </Suspense>
  );
}

/** Who comes to a screen, or back from the editor, sees the files as they are. */
function useLookOnArrival(view: View): void {
  const asked = useAsked();
  const lookAgain = useLookAgain();
  const latest = useRef(asked);
  latest.current = asked;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen is looked at anew
  useEffect(() => {
    const look = () => void lookAgain(latest.current);
    look();
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [view, lookAgain]);
}

/** Keeps a repository chosen as long as there is one. */
function useChosenRepo(): void {
  const { repo } = session.use();
  const { data } = useRepos();
  useEffect(() => {
    if (!data || data.some((one) => one.id === repo)) return;
    session.set({ repo: data[0]?.id ?? "" });
  }, [data, repo]);
}

/** The window begins on Search where something can be searched; after a first start, once it can. Where it
 * began there by what was chosen last, and nothing can be searched after all, it begins anew. */
function useFirstScreen(view: View): void {
  const { awaited } = session.use();
  const { data } = useRepos();
  const isFirst = useRef(true);
  useEffect(() => {
    if (!data) return;
    const searchable = data.filter((one) => one.chunks > 0);
    const come = searchable.find((one) => awaited.includes(one.id));
    if (come) session.set({ repo: come.id, awaited: [] });
    // Who has chosen a screen meanwhile stays there.
    const isUnchosen = isFirst.current && location.hash === "";
    if (come ? view === "repositories" : isUnchosen && searchable.length > 0)
      navigate({ view: "search" }, { replace: true });
    else if (isFirst.current && beganOnSearch() && searchable.length === 0)
      navigate({ view: "repositories" }, { replace: true });
    isFirst.current = false;
  }, [data, awaited, view]);
}

/** The screen that is open begins anew; what stands in the search box stays there. */
function goTo(screen: View, open: View): void {
  navigate(screen === open && screen !== "search" ? { view: screen } : lastRoute(screen));
  const main = document.querySelector("main");
  if (screen === open && !main?.contains(document.activeElement)) focusScreen();
}

/** Out of a field to its screen; from a screen to the one before it. */
function stepBack(event: KeyboardEvent): void {
  if (inTextField(event)) focusScreen();
  else goBack();
}

function useGlobalKeys(
  view: View,
  openPalette: () => void,
  setOverlay: (overlay: OverlayName) => void,
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const screen = event.key === "," ? "settings" : PLACES[Number(event.key) - 1];
      if (hasMod(event) && screen) goTo(screen, view);
      else if (hasMod(event) && event.key.toLowerCase() === "k") openPalette();
      else if (hasMod(event) && zoomKey(event)) zoomBy(zoomKey(event));
      else if (event.key === "?" && !inTextField(event)) setOverlay("shortcuts");
      else if (event.key === "Escape" && !document.querySelector(".scrim")) stepBack(event);
      else if (event.altKey && event.key === "ArrowLeft") goBack();
      else if (event.altKey && event.key === "ArrowRight") history.forward();
      else return;
      event.preventDefault();
    };
    // Not the document: there the screen's own keys are heard first (`useKeys`).
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [view, openPalette, setOverlay]);
}
