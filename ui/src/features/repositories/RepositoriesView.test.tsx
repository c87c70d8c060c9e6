import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { Notices } from "../../app/Notices";
import { StatusBar } from "../../app/StatusBar";
import type { ModelSummary, Settings } from "../../ipc";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { RepositoriesView } from "./RepositoriesView";

cleanUpAfterEach();

const row = async (name: string) => {
  const rows = await screen.findAllByTestId("repo-row");
  return rows.find((one) => within(one).queryByText(name)) as HTMLElement;
};

it("offers to remove a repository whose folder is gone, and nothing that needs the folder", async () => {
  showRecorded(<RepositoriesView />, "#/repositories");
  const archive = await row("archive");
  expect(archive.textContent).toContain(
    "/home/me/code/archive does not exist. Bring the folder back",
  );
  expect(within(archive).queryByTestId("repo-search")).toBeNull();
  expect(within(archive).queryByRole("switch")).toBeNull();
  within(archive).getByTestId("repo-row-remove").click();
  expect(await screen.findByRole("dialog")).toBeTruthy();
});

it("says that the figures beside a running job are those of the index so far", async () => {
  showRecorded(<RepositoriesView />, "#/repositories", "indexing");
  await screen.findByTestId("index-progress");
  expect((await row("switchyard")).textContent).toContain("Searchable now");
  expect((await row("ledger")).textContent).not.toContain("Searchable now");
});

it("opens health with the focus in it, and no tooltip over the screen", async () => {
  showRecorded(<RepositoriesView />, "#/repositories/a1b2c3d4e5f6");
  const close = await screen.findByRole("button", { name: "Close" });
  expect(document.activeElement).toBe(close);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(screen.queryByRole("tooltip")).toBeNull();
});

it("says that the model is on its way, with how much of it is here", async () => {
  const shown = (
    <>
      <RepositoriesView />
      <StatusBar />
    </>
  );
  const client = showRecorded(shown, "#/repositories");
  await row("switchyard");
  expect(screen.queryByTestId("model-coming")).toBeNull();
  const come = (done_bytes: number, stage: string) =>
    act(() => {
      client.setQueryData<ModelSummary[]>(["models"], (old) =>
        old?.map((one) => (one.chosen ? { ...one, state: "absent" } : one)),
      );
      const progress = {
        model: "minilm-l6",
        source: "",
        stage,
        done_bytes,
        total_bytes: 91.3e6,
      };
      client.setQueryData(["model-progress"], { "minilm-l6": { ...progress, error: null } });
    });
  come(39.259e6, "fetch");
  const status = await screen.findByTestId("status-model");
  expect(status.textContent).toBe("Model 43%");
  const words = "minilm-l6: 43% of 91.3 MB";
  expect(status.querySelector("[title]")?.getAttribute("title")).toBe(words);
  expect(screen.getByTestId("model-coming").textContent).toContain(words);
  come(91.3e6, "done");
  await waitFor(() => expect(screen.queryByTestId("model-coming")).toBeNull());
});

it("tells of static vectors where no model made any", async () => {
  const client = showRecorded(
    <>
      <RepositoriesView />
      <StatusBar />
    </>,
    "#/repositories/a1b2c3d4e5f6",
  );
  expect((await row("ledger")).textContent).toContain("static vectors 100%");
  const health = within(screen.getByLabelText("Health of switchyard"));
  const facts = await health.findAllByText("static vectors");
  expect(facts.map((fact) => fact.nextSibling?.textContent)).toContain("100% of chunks");
  const words = await screen.findByText("static vectors", { selector: ".status-bar *" });
  const offer = "under a minute for 2 repositories.";
  expect(words.closest("[title]")?.getAttribute("title")).toContain(offer);
  expect((await screen.findByTitle(/under a minute for ledger/)).textContent).toContain("static");
  act(() => {
    client.setQueryData<Settings>(
      ["settings"],
      (old) => old && { ...old, off: ["static-vectors"] },
    );
  });
  expect(await screen.findByText("no embedding model: text search only")).toBeTruthy();
});

it("brings a removed repository back from the notice", async () => {
  showRecorded(
    <>
      <RepositoriesView />
      <Notices />
    </>,
    "#/repositories",
    "full",
  );
  fireEvent.click(within(await row("switchyard")).getByTestId("repo-health"));
  fireEvent.click(await screen.findByTestId("repo-remove"));
  fireEvent.click(await screen.findByTestId("remove-confirm"));
  const notice = await screen.findByTestId("notice");
  expect(notice.textContent).toContain("Removed switchyard");
  await waitFor(() =>
    expect(screen.queryAllByTestId("repo-row").map((one) => one.textContent)).not.toContain(
      "switchyard",
    ),
  );
  fireEvent.click(screen.getByTestId("notice-undo"));
  await waitFor(async () => expect(await row("switchyard")).toBeTruthy());
});

it("says that a repository is here already, and opens it instead of adding it twice", async () => {
  showRecorded(<RepositoriesView />, "#/repositories?add=1");
  const field = await screen.findByTestId("add-path");
  await row("switchyard");
  fireEvent.change(field, { target: { value: "/home/me/code/switchyard" } });
  fireEvent.click(screen.getByTestId("add-scan"));
  expect((await screen.findByTestId("add-there")).textContent).toBe("switchyard is here already.");
  expect(screen.queryByTestId("add-confirm")).toBeNull();
  fireEvent.click(screen.getByTestId("add-open"));
  expect(location.hash).toBe("#/search");
});
