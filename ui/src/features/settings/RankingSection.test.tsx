import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { commands } from "../../ipc/bindings";
import { installRecorded } from "../../ipc/recorded";
import { RankingSection } from "./RankingSection";

afterEach(cleanup);

async function settings() {
  const answer = await commands.settings();
  if (answer.status !== "ok") throw new Error("no settings");
  return answer.data;
}

it("saves weights and leaves the settings that it does not show as they were", async () => {
  installRecorded("full");
  const before = {
    ...(await settings()),
    evidence: { "exact-name": 0.4 },
    off: ["shape-rules" as const, "within-file" as const],
  };
  await commands.setSettings(before);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RankingSection />
    </QueryClientProvider>,
  );
  fireEvent.change(await screen.findByTestId("weight-slider-path"), { target: { value: "0.2" } });
  fireEvent.click(screen.getByTestId("settings-save"));
  await waitFor(async () => expect((await settings()).weights).not.toEqual(before.weights));
  const { evidence, off, model, index_threads } = await settings();
  expect({ evidence, off, model, index_threads }).toEqual({
    evidence: before.evidence,
    off: before.off,
    model: before.model,
    index_threads: before.index_threads,
  });
});
