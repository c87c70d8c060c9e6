import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, it, vi } from "vitest";
import { type JobProgress, type ModelSummary, useEngineEvents } from "../ipc";
import { commands } from "../ipc/bindings";
import { DEMO } from "../ipc/recorded";
import { cleanUpAfterEach, showRecorded } from "../testing/show";
import { App } from "./App";
import { StatusBar } from "./StatusBar";
import { session } from "./session";

cleanUpAfterEach();

function Window() {
  useEngineEvents(() => undefined);
  return (
    <>
      <main>
        <h1>A screen</h1>
        <button type="button">on the screen</button>
      </main>
      <StatusBar />
    </>
  );
}

const drawer = () => screen.queryByRole("region", { name: "Repositories, jobs and models" });

const JOB: JobProgress = {
  job_id: "job-1",
  repo: DEMO,
  lane: "lexical",
  stage: "parse",
  done: 12,
  total: 33,
  rate: 4,
  eta_s: 5,
  current: "src/app.ts",
  state: "running",
  error: null,
};

async function opened(jobs: JobProgress[] = []) {
  session.set({ repo: DEMO });
  vi.spyOn(commands, "jobs").mockResolvedValue({ status: "ok", data: jobs });
  const client = showRecorded(<Window />, "#/search");
  const user = userEvent.setup();
  await screen.findByText(/switchyard/);
  await user.click(screen.getByTestId("status-toggle"));
  await waitFor(() => expect(drawer()).toBeTruthy());
  return { client, user, box: within(drawer() as HTMLElement) };
}

it("opens by a key from anywhere, and Escape gives the focus back", async () => {
  session.set({ repo: DEMO });
  showRecorded(<Window />, "#/search");
  const user = userEvent.setup();
  const button = screen.getByText("on the screen");
  button.focus();
  await user.keyboard("{Control>}j{/Control}");
  await waitFor(() => expect(drawer()?.contains(document.activeElement)).toBe(true));
  expect(screen.getByTestId("status-toggle").getAttribute("aria-expanded")).toBe("true");
  await user.keyboard("{Escape}");
  expect(drawer()).toBeNull();
  expect(document.activeElement).toBe(button);
  await user.keyboard("{Control>}j{/Control}");
  await waitFor(() => expect(drawer()).toBeTruthy());
  await user.keyboard("{Control>}j{/Control}");
  expect(drawer()).toBeNull();
  expect(document.activeElement).toBe(button);
});

it("keeps the keys of the screen behind from what is pressed in it", async () => {
  const { user } = await opened();
  const heard = vi.fn();
  document.addEventListener("keydown", heard);
  await user.keyboard("jd{ArrowDown}");
  document.removeEventListener("keydown", heard);
  expect(heard).not.toHaveBeenCalled();
});

it("closes by Escape before the screen behind hears of it", async () => {
  session.set({ repo: DEMO });
  showRecorded(<App />, "#/search");
  const user = userEvent.setup();
  const box = await screen.findByTestId("search-input");
  await user.keyboard("{Control>}j{/Control}");
  await waitFor(() => expect(drawer()?.contains(document.activeElement)).toBe(true));
  // As when a job ends whose button had the focus.
  (document.activeElement as HTMLElement).blur();
  await user.keyboard("{Escape}");
  expect(drawer()).toBeNull();
  expect(document.activeElement).toBe(box);
  expect(location.hash).toBe("#/search");
});

it("says how the repository in use is, and leads to its health and to all repositories", async () => {
  const { user, box } = await opened();
  expect(await box.findByText("The check of the index found no problem.")).toBeTruthy();
  expect(box.getByText(/33 files · 92 chunks/)).toBeTruthy();
  expect(box.getByText("Nothing is being indexed.")).toBeTruthy();
  await user.click(box.getByTestId("drawer-health"));
  expect(location.hash).toBe(`#/repositories/${DEMO}`);
  expect(drawer()).toBeNull();
  await user.click(screen.getByTestId("status-toggle"));
  await user.click(await screen.findByTestId("drawer-repositories"));
  expect(location.hash).toBe("#/repositories");
});

it("goes over to another repository and stays open", async () => {
  const { user, box } = await opened();
  const ledger = (await box.findAllByTestId("drawer-repo")).find((one) =>
    one.textContent?.includes("ledger"),
  ) as HTMLElement;
  await user.click(ledger);
  expect(session.get().repo).not.toBe(DEMO);
  expect(await box.findByRole("heading", { name: "ledger" })).toBeTruthy();
});

it("shows a job at work, and pauses and cancels it", async () => {
  const { user, box } = await opened([JOB]);
  const job = within(await box.findByTestId("drawer-job"));
  expect(job.getByRole("heading").textContent).toBe("switchyard");
  const bar = job.getByRole("progressbar", { name: "Text index" });
  expect(bar.getAttribute("aria-valuetext")).toBe("parse · 12 of 33 files");
  const pause = vi.spyOn(commands, "pauseJob");
  await user.click(job.getByTestId("job-pause"));
  expect(pause).toHaveBeenCalledWith("job-1");
  const cancel = vi.spyOn(commands, "cancelJob");
  await user.click(job.getByTestId("job-cancel"));
  expect(cancel).toHaveBeenCalledWith("job-1");
});

it("says why a job failed", async () => {
  const error = { code: "io", message: "the disk is full", hint: "make room and try again" };
  const { box } = await opened([{ ...JOB, state: "failed", error }]);
  const said = await box.findByRole("alert");
  expect(said.textContent).toBe("The disk is full. Make room and try again.");
});

it("offers the model that is chosen, and cancels its download", async () => {
  const { client, user, box } = await opened();
  await box.findAllByTestId("drawer-model");
  act(() => {
    client.setQueryData<ModelSummary[]>(["models"], (old) =>
      old?.map((one) => (one.chosen ? { ...one, state: "absent" } : one)),
    );
  });
  vi.spyOn(commands, "pullModel").mockReturnValue(new Promise(() => undefined));
  const cancel = vi.spyOn(commands, "cancelPull");
  await user.click(await box.findByTestId("drawer-pull"));
  expect(await box.findByRole("progressbar", { name: "Downloading" })).toBeTruthy();
  await user.click(within(box.getByTestId("drawer-models")).getByText("Cancel"));
  expect(cancel).toHaveBeenCalledWith("minilm-l6");
});

it("has nothing that a reader of the screen stumbles over", async () => {
  const { box } = await opened([JOB]);
  await box.findByTestId("drawer-job");
  const { violations } = await axe.run(document.body, {
    rules: { "color-contrast": { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html)}`)).toEqual([]);
});
