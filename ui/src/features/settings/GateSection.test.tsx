import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { commands } from "../../ipc/bindings";
import { installDevMock } from "../../ipc/dev-mock";
import { GATE, LEARNED_GATE } from "../../ipc/dev-mock-late";
import { GateSection } from "./GateSection";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("shows what a fitted gate weighs, and goes back to the thresholds", async () => {
  installDevMock("full");
  const settings = await commands.settings();
  if (settings.status !== "ok") throw new Error("the scene has settings");
  const gate = { ...GATE, mode: "gated" as const, learned: LEARNED_GATE };
  vi.spyOn(commands, "settings").mockResolvedValue({
    status: "ok",
    data: { ...settings.data, gate },
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <GateSection />
    </QueryClientProvider>,
  );
  const weights = within(await screen.findByLabelText("What the fitted gate weighs"));
  expect(weights.getAllByRole("definition")).toHaveLength(8);
  fireEvent.click(screen.getByTestId("gate-revert"));
  expect(screen.queryByLabelText("What the fitted gate weighs")).toBeNull();
  expect(screen.getByText("Left out when all of these hold")).toBeTruthy();
});
