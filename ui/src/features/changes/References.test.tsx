import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { TimelineCommit } from "../../ipc";
import { commands } from "../../ipc/bindings";
import { DEMO } from "../../ipc/recorded";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { References } from "./References";

cleanUpAfterEach();

const commit = (n: number): TimelineCommit => ({
  sha: `${String(n).padStart(2, "0")}abcdef0123`,
  at: 0,
  summary: n % 2 ? `routes: step ${n}` : `docs: page ${n}`,
});

function show(reference = "", commits = Array.from({ length: 40 }, (_, n) => commit(n))) {
  vi.spyOn(commands, "recentCommits").mockResolvedValue({ status: "ok", data: commits });
  const onChange = vi.fn();
  const main = { name: "main", base: "4f2a91c", n_ahead: 3 };
  showRecorded(
    <References repo={DEMO} reference={reference} main={main} onChange={onChange} />,
    "#/changes",
  );
  return onChange;
}

const offered = () => screen.queryAllByRole("option").map((one) => one.textContent);

it("offers the main branch and recent commits, and says that there are more", async () => {
  show();
  await waitFor(() => expect(offered()).toHaveLength(32));
  expect(offered().slice(0, 3)).toEqual([
    "Uncommitted, against HEAD",
    "Since it left main 3 commits ahead",
    "00abcdefdocs: page 0",
  ]);
  expect(screen.getByRole("status").textContent).toContain("10 more commits");
});

it("compares with all since a commit, or with one commit alone", async () => {
  const onChange = show();
  const user = userEvent.setup();
  await waitFor(() => expect(offered()).toHaveLength(32));
  await user.click(screen.getByText("routes: step 1"));
  expect(onChange).toHaveBeenLastCalledWith("01abcdef01");
  await user.click(screen.getByRole("radio", { name: "One commit alone" }));
  await user.click(screen.getByText("routes: step 1"));
  expect(onChange).toHaveBeenLastCalledWith("01abcdef01^!");
});

it("narrows by what is written, and goes into the list by arrow key", async () => {
  const onChange = show();
  const user = userEvent.setup();
  await waitFor(() => expect(offered()).toHaveLength(32));
  const box = screen.getByTestId("changes-reference");
  await user.type(box, "step 3");
  expect(offered()).toEqual(
    [1, 3, 5, 7, 9]
      .map((n) => `3${n}abcdefroutes: step 3${n}`)
      .toSpliced(0, 0, "03abcdefroutes: step 3"),
  );
  await user.keyboard("{ArrowDown}{Enter}");
  expect(onChange).toHaveBeenLastCalledWith("03abcdef01");
});

it("takes what is written where nothing of it is listed", async () => {
  const onChange = show();
  await waitFor(() => expect(offered()).toHaveLength(32));
  const box = screen.getByTestId("changes-reference");
  fireEvent.change(box, { target: { value: "v1..v2" } });
  expect(offered()).toEqual([]);
  expect(screen.getByRole("status").textContent).toContain("Enter compares with what is written");
  fireEvent.submit(box);
  expect(onChange).toHaveBeenLastCalledWith("v1..v2");
});

it("narrows nothing by what is compared already", async () => {
  show("01abcdef01^!");
  await waitFor(() => expect(offered()).toHaveLength(32));
  const alone = screen.getByRole<HTMLInputElement>("radio", { name: "One commit alone" });
  expect(alone.checked).toBe(true);
});
