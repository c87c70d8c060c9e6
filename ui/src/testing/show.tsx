// Shows a screen in a test: over answers of the real engine, or over the stand-in that they take the place of.

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach } from "vitest";
import { setDock } from "../app/dock-state";
import { preferences } from "../app/preferences";
import { session } from "../app/session";
import { installDevMock } from "../ipc/dev-mock";
import { installRecorded, type Scene } from "../ipc/recorded";

// A busy machine takes its time.
configure({ asyncUtilTimeout: 8_000 });

/** Leaves nothing of a test behind; to be called once in a file. */
export function cleanUpAfterEach(): void {
  afterEach(() => {
    cleanup();
    history.replaceState(null, "", "/");
    session.set({ scope: null });
    preferences.set({ lens: "why" });
    setDock(false);
  });
}

/** Renders `view` at `hash`; answers come from `scene`. Returns the client with their cache. */
export function showView(
  view: ReactNode,
  hash = "",
  scene: Parameters<typeof installDevMock>[0] = "full",
): QueryClient {
  installDevMock(scene);
  return rendered(view, hash);
}

/** Renders `view` at `hash`, with what the engine said of the demo. Returns the client with the answers. */
export function showRecorded(view: ReactNode, hash = "", scene: Scene = "full"): QueryClient {
  installRecorded(scene);
  return rendered(view, hash);
}

function rendered(view: ReactNode, hash: string): QueryClient {
  location.hash = hash;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}>{view}</QueryClientProvider>);
  return client;
}
