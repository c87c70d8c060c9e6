// Shows a screen in a test, over answers of the real engine.

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach } from "vitest";
import { setDock } from "../app/dock-state";
import { preferences } from "../app/preferences";
import { session } from "../app/session";
import { installRecorded, type Scene } from "../ipc/recorded";

// A busy machine takes its time.
configure({ asyncUtilTimeout: 8_000 });

/** Leaves nothing of a test behind; to be called once in a file. */
export function cleanUpAfterEach(): void {
  afterEach(() => {
    cleanup();
    history.replaceState(null, "", "/");
    session.set({ repo: "", scope: null });
    preferences.set({ lens: "why" });
    setDock(false);
  });
}

/** Renders `view` at `hash`, with what the engine said of the demo. Returns the client with the answers. */
export function showRecorded(view: ReactNode, hash = "", scene: Scene = "full"): QueryClient {
  installRecorded(scene);
  location.hash = hash;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}>{view}</QueryClientProvider>);
  return client;
}
