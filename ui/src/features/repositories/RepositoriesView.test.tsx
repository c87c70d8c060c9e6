import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { Notices } from "../../app/Notices";
import { StatusBar } from "../../app/StatusBar";
import type { ModelSummary, Settings } from "../../ipc";
import { cleanUpAfterEach, showView } from "../../testing/show";
import { RepositoriesView } from "./RepositoriesView";

cleanUpAfterEach();

const row = async (name: string) => {
  const rows = await screen.findAllByTestId("repo-row");
  return rows.find((one) => within(one).queryByText(name)) as HTMLElement;
};

it("offers to remove a repository whose folder is gone, and nothing that needs the folder", async () => {
  showView(<RepositoriesView />, "#/repositories");
  const flask = await row("flask");
  expect(flask.textContent).toContain("/mnt/usb/flask does not exist. Bring the folder back");
  expect(within(flask).queryByTestId("repo-search")).toBeNull();
  expect(within(flask).queryByRole("switch")).toBeNull();
  within(flask).getByTestId("repo-row-remove").click();
  expect(await screen.findByRole("dialog")).toBeTruthy();
});

it("says that the figures beside a running job are those of the index so far", async () => {
  showView(<RepositoriesView />, "#/repositories", "indexing");
  await screen.findByTestId("index-progress");
  expect((await row("hono")).textContent).toContain("Searchable now");
  expect((await row("tokio")).textContent).not.toContain("Searchable now");
});

it("opens health with the focus in it, and no tooltip over the screen", async () => {
  showView(<RepositoriesView />, "#/repositories/a1b2c3d4e5f6");
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
  const client = showView(shown, "#/repositories");
  await row("hono");
  expect(screen.queryByTestId("model-coming")).toBeNull();
  await screen.findByText("all-minilm-l6-v2");
  const come = (done_bytes: number, stage: string) =>
    act(() => {
      client.setQueryData<ModelSummary[]>(["models"], (old) =>
        old?.map((one) => (one.chosen ? { ...one, state: "absent" } : one)),
      );
      const progress = {
        model: "all-minilm-l6-v2",
        source: "",
        stage,
        done_bytes,
        total_bytes: 91.3e6,
      };
      client.setQueryData(["model-progress"], { "all-minilm-l6-v2": { ...progress, error: null } });
    });
  come(39.259e6, "fetch");
  const status = await screen.findByTestId("status-model");
  expect(status.textContent).toBe("Model 43%");
  const words = "all-minilm-l6-v2: 43% of 91.3 MB";
  expect(status.querySelector("[title]")?.getAttribute("title")).toBe(words);
  expect(screen.getByTestId("model-coming").textContent).toContain(words);
  come(91.3e6, "done");
  await waitFor(() => expect(screen.queryByTestId("model-coming")).toBeNull());
});

it("tells of static vectors where no model made any", async () => {
  const client = showView(
    <>
      <RepositoriesView />
      <StatusBar />
    </>,
    "#/repositories/a1b2c3d4e5f6",
  );
  expect((await row("tokio")).textContent).toContain("static vectors 100%");
  expect((await row("hono")).textContent).not.toContain("static vectors");
  const health = within(screen.getByLabelText("Health of hono"));
  expect((await health.findByText("static vectors")).nextSibling?.textContent).toBe(
    "100% of chunks",
  );
  await screen.findByText("all-minilm-l6-v2", { selector: ".status-bar *" });
  act(() => {
    client.setQueryData<ModelSummary[]>(["models"], (old) =>
      old?.map((one) => ({ ...one, state: "absent" })),
    );
  });
  const words = await screen.findByText("static vectors", { selector: ".status-bar *" });
  const offer = "about 5 minutes for 2 repositories.";
  expect(words.closest("[title]")?.getAttribute("title")).toContain(offer);
  expect((await screen.findByTitle(/about 4 minutes for tokio/)).textContent).toContain("static");
  act(() => {
    client.setQueryData<Settings>(
      ["settings"],
      (old) => old && { ...old, off: ["static-vectors"] },
    );
  });
  expect(await screen.findByText("no embedding model: text search only")).toBeTruthy();
});

it("brings a removed repository back from the notice", async () => {
  showView(
    <>
      <RepositoriesView />
      <Notices />
    </>,
    "#/repositories",
    "full",
  );
  fireEvent.click(within(await row("hono")).getByTestId("repo-health"));
  fireEvent.click(await screen.findByTestId("repo-remove"));
  fireEvent.click(await screen.findByTestId("remove-confirm"));
  const notice = await screen.findByTestId("notice");
  expect(notice.textContent).toContain("Removed hono");
  await waitFor(() =>
    expect(screen.queryAllByTestId("repo-row").map((one) => one.textContent)).not.toContain("hono"),
  );
  fireEvent.click(screen.getByTestId("notice-undo"));
  await waitFor(async () => expect(await row("hono")).toBeTruthy());
});

it("says that a repository is here already, and opens it instead of adding it twice", async () => {
  showView(<RepositoriesView />, "#/repositories?add=1");
  const field = await screen.findByTestId("add-path");
  await row("hono");
  fireEvent.change(field, { target: { value: "/home/me/code/hono" } });
  fireEvent.click(screen.getByTestId("add-scan"));
  expect((await screen.findByTestId("add-there")).textContent).toBe("hono is here already.");
  expect(screen.queryByTestId("add-confirm")).toBeNull();
  fireEvent.click(screen.getByTestId("add-open"));
  expect(location.hash).toBe("#/search");
});
