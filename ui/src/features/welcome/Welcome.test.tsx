import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { session } from "../../app/session";
import { commands } from "../../ipc/bindings";
import { installRecorded } from "../../ipc/recorded";
import { answer, said } from "../../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { Welcome } from "./Welcome";

cleanUpAfterEach();

const root = (name: string) => `/home/me/code/${name}`;

/** One more than are ticked at first; the demo's home has fewer. */
const FOUND = ["switchyard", "ledger", "switchyard-before", "dotfiles"];

async function opened() {
  answer(
    "findRepositories",
    FOUND.map((name, at) => ({ name, root: root(name), used_at_s: 1_779_960_600 - at })),
  );
  showRecorded(<Welcome onAdd={() => undefined} />, "", "first");
  await screen.findByText("dotfiles");
  await screen.findByText("Set up Cursor");
  return screen.getByTestId("welcome-begin");
}

it("ticks what was worked in last, and the button says all that it does", async () => {
  const button = await opened();
  expect(button.textContent).toBe("Index 3 repositories");
  expect(screen.getByText(/^It works right away, with the static vectors/)).toBeTruthy();
  fireEvent.click(screen.getByTestId("welcome-model"));
  expect(button.textContent).toBe("Index 3 repositories and download the model");
  fireEvent.click(screen.getByLabelText(/Set up Cursor/));
  expect(button.textContent).toBe("Index 3 repositories, download the model and set up Cursor");
  for (const name of [/^switchyard(?!-)/, /^ledger/, /^switchyard-before/])
    fireEvent.click(screen.getByLabelText(name));
  expect(button.textContent).toBe("Choose a repository to begin");
  expect(button).toHaveProperty("disabled", true);
});

it("adds all with one question, indexes, and waits for the first that can be searched", async () => {
  installRecorded("first");
  const [yard] = await said(commands.addRepos([root("switchyard")]));
  if (!yard) throw new Error("nothing was added");
  const ledger = { ...yard, id: "b2c3d4e5f6a1", name: "ledger", root: root("ledger") };
  const add = answer("addRepos", [yard, ledger]);
  const index = vi.spyOn(commands, "startIndex");
  const setUp = vi.spyOn(commands, "agentsApply");
  const pull = vi.spyOn(commands, "pullModel");
  const button = await opened();
  fireEvent.click(screen.getByLabelText(/^switchyard-before/));
  fireEvent.click(button);
  const roots = [root("switchyard"), root("ledger")];
  await waitFor(() => expect(index).toHaveBeenCalledTimes(2));
  expect(add.mock.calls).toEqual([[roots]]);
  expect(session.get().awaited).toEqual([yard.id, ledger.id]);
  expect(setUp).not.toHaveBeenCalled();
  expect(pull).not.toHaveBeenCalled();
});

it("says what failed, and nothing is begun", async () => {
  const error = {
    code: "not-agreed",
    message: "Nothing was done, as you did not agree.",
    hint: "",
  };
  vi.spyOn(commands, "addRepos").mockResolvedValue({ status: "error", error });
  const index = vi.spyOn(commands, "startIndex");
  fireEvent.click(await opened());
  await screen.findByText("Nothing was done, as you did not agree.");
  expect(index).not.toHaveBeenCalled();
});
