import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
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
  expect((await row("hono")).textContent).toContain("the index so far answers");
  expect((await row("tokio")).textContent).not.toContain("the index so far answers");
});

it("opens health with the focus in it, and no tooltip over the screen", async () => {
  showView(<RepositoriesView />, "#/repositories/a1b2c3d4e5f6");
  const close = await screen.findByRole("button", { name: "Close" });
  expect(document.activeElement).toBe(close);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(screen.queryByRole("tooltip")).toBeNull();
});
