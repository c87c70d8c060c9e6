import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { commands } from "../../ipc/bindings";
import { installDevMock } from "../../ipc/dev-mock";
import * as platform from "../../ipc/platform";
import { ModelsSection } from "./ModelsSection";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

async function absent() {
  installDevMock("full");
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ModelsSection />
    </QueryClientProvider>,
  );
  const rows = await screen.findAllByTestId("model");
  const row = rows.find((one) => one.dataset.state === "absent");
  if (!row) throw new Error("every model of the scene is here");
  return row;
}

it("says why a folder was not taken, and does nothing when none is chosen", async () => {
  const row = await absent();
  const choose = vi.spyOn(platform, "chooseFolder").mockResolvedValue(null);
  const error = { code: "model", message: "model.safetensors is missing", hint: "copy it there" };
  const asked = vi.spyOn(commands, "importModel").mockResolvedValue({ status: "error", error });
  fireEvent.click(within(row).getByTestId("model-import"));
  await waitFor(() => expect(choose).toHaveBeenCalled());
  expect(asked).not.toHaveBeenCalled();
  choose.mockResolvedValue("/models/wrong");
  fireEvent.click(within(row).getByTestId("model-import"));
  await waitFor(() => expect(within(row).getByText(/model.safetensors is missing/)).toBeTruthy());
});

// Last: the scene keeps what was imported.
it("imports a model from a folder", async () => {
  const row = await absent();
  vi.spyOn(platform, "chooseFolder").mockResolvedValue("/models/mine");
  const asked = vi.spyOn(commands, "importModel");
  fireEvent.click(within(row).getByTestId("model-import"));
  await waitFor(() => expect(asked).toHaveBeenCalledWith(row.dataset.name, "/models/mine"));
  await waitFor(() => expect(within(row).getByText(/every file was checked/)).toBeTruthy());
});
