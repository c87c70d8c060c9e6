import type { QueryClient } from "@tanstack/react-query";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { ModelSummary } from "../../ipc";
import { commands } from "../../ipc/bindings";
import * as platform from "../../ipc/platform";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { ModelsSection } from "./ModelsSection";

cleanUpAfterEach();

let client: QueryClient;

async function absent() {
  client = showRecorded(<ModelsSection />);
  const rows = await screen.findAllByTestId("model");
  const row = rows.find((one) => one.dataset.state === "absent");
  if (!row) throw new Error("every model of the scene is here");
  return row;
}

it("says why a folder was not taken, and does nothing when none is chosen", async () => {
  const row = await absent();
  const choose = vi.spyOn(platform, "choosePath").mockResolvedValue(null);
  const error = { code: "model", message: "model.safetensors is missing", hint: "copy it there" };
  const asked = vi.spyOn(commands, "importModel").mockResolvedValue({ status: "error", error });
  fireEvent.click(within(row).getByTestId("model-import"));
  await waitFor(() => expect(choose).toHaveBeenCalled());
  expect(asked).not.toHaveBeenCalled();
  choose.mockResolvedValue("/models/wrong");
  fireEvent.click(within(row).getByTestId("model-import"));
  await waitFor(() => expect(within(row).getByText(/model.safetensors is missing/)).toBeTruthy());
});

it("shows how far an import is, and cancels it", async () => {
  const row = await absent();
  vi.spyOn(platform, "choosePath").mockResolvedValue("/models/mine");
  vi.spyOn(commands, "importModel").mockReturnValue(new Promise(() => undefined));
  const asked = vi.spyOn(commands, "cancelPull");
  fireEvent.click(within(row).getByTestId("model-import"));
  const bar = await within(row).findByRole("progressbar", { name: "Importing" });
  expect(bar.getAttribute("aria-valuenow")).toBeNull();
  client.setQueryData(["model-progress"], {
    [row.dataset.name ?? ""]: {
      model: row.dataset.name,
      source: "/models/mine/model.safetensors",
      stage: "copy",
      done_bytes: 30_000_000,
      total_bytes: 90_000_000,
      error: null,
    },
  });
  await waitFor(() => expect(bar.getAttribute("aria-valuenow")).toBe("33"));
  expect(row.textContent).toContain("from /models/mine/model.safetensors");
  expect(within(row).queryByTestId("model-import")).toBeNull();
  fireEvent.click(within(row).getByTestId("model-cancel"));
  await waitFor(() => expect(asked).toHaveBeenCalledWith(row.dataset.name));
});

it("takes a cancelled import for no failure, and says what is left of it", async () => {
  const row = await absent();
  vi.spyOn(platform, "choosePath").mockResolvedValue("/models/mine");
  const error = {
    code: "cancelled",
    message: "the import was cancelled",
    hint: "nothing of it was kept",
  };
  vi.spyOn(commands, "importModel").mockResolvedValue({ status: "error", error });
  fireEvent.click(within(row).getByTestId("model-import"));
  await waitFor(() => expect(within(row).getByText(/nothing of it was kept/)).toBeTruthy());
  expect(within(row).queryByRole("alert")).toBeNull();
});

it("offers the model that is chosen, and makes its vectors once it is here", async () => {
  await absent();
  const absentNow = (old: ModelSummary[] | undefined) =>
    old?.map((one) => (one.chosen ? { ...one, state: "absent" as const } : one));
  act(() => {
    client.setQueryData<ModelSummary[]>(["models"], absentNow);
  });
  const offer = await screen.findByTestId("model-offer");
  await waitFor(() => expect(offer.textContent).toContain("under a minute for 2 repositories"));
  const row = within(offer.closest("li") as HTMLElement);
  const chosen = client.getQueryData<ModelSummary[]>(["models"])?.find((one) => one.chosen);
  vi.spyOn(commands, "pullModel").mockResolvedValue({
    status: "ok",
    data: { ...(chosen as ModelSummary), state: "present" },
  });
  const index = vi.spyOn(commands, "startIndex");
  fireEvent.click(row.getByTestId("model-pull"));
  await waitFor(() => expect(index).toHaveBeenCalledTimes(2));
});

it("imports a model from a folder", async () => {
  const row = await absent();
  vi.spyOn(platform, "choosePath").mockResolvedValue("/models/mine");
  const imported = (model: ModelSummary): ModelSummary =>
    model.name === row.dataset.name ? { ...model, state: "present", state_note: "ready" } : model;
  const models = client.getQueryData<ModelSummary[]>(["models"])?.map(imported) ?? [];
  const model = models.find(({ name }) => name === row.dataset.name) as ModelSummary;
  const asked = vi.spyOn(commands, "importModel").mockResolvedValue({ status: "ok", data: model });
  vi.spyOn(commands, "models").mockResolvedValue({ status: "ok", data: models });
  fireEvent.click(within(row).getByTestId("model-import"));
  await waitFor(() => expect(asked).toHaveBeenCalledWith(row.dataset.name, "/models/mine"));
  await waitFor(() => expect(within(row).getByText(/Every file passed/)).toBeTruthy());
});
