import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { session } from "../../app/session";
import { commands } from "../../ipc/bindings";
import { cleanUpAfterEach, showView } from "../../testing/show";
import { Welcome } from "./Welcome";

cleanUpAfterEach();

async function opened() {
  showView(<Welcome onAdd={() => undefined} />, "", "first");
  await screen.findByText("dotfiles");
  await screen.findByText("Set up Cursor");
  return screen.getByTestId("welcome-begin");
}

it("ticks what was worked in last, and the button says all that it does", async () => {
  const button = await opened();
  expect(button.textContent).toBe("Index 3 repositories");
  expect(screen.getByText(/^It works at once, by static vectors/)).toBeTruthy();
  fireEvent.click(screen.getByTestId("welcome-model"));
  expect(button.textContent).toBe("Index 3 repositories and download the model");
  fireEvent.click(screen.getByLabelText(/Set up Cursor/));
  expect(button.textContent).toBe("Index 3 repositories, download the model and set up Cursor");
  for (const name of [/^hono/, /^checkout-api/, /^design-system/])
    fireEvent.click(screen.getByLabelText(name));
  expect(button.textContent).toBe("Choose a repository to begin");
  expect(button).toHaveProperty("disabled", true);
});

it("adds all with one question, indexes, and waits for the first that can be searched", async () => {
  const add = vi.spyOn(commands, "addRepos");
  const index = vi.spyOn(commands, "startIndex");
  const setUp = vi.spyOn(commands, "agentsApply");
  const pull = vi.spyOn(commands, "pullModel");
  const button = await opened();
  fireEvent.click(screen.getByLabelText(/^design-system/));
  fireEvent.click(button);
  const roots = ["/home/me/code/hono", "/home/me/code/checkout-api"];
  await waitFor(() => expect(index).toHaveBeenCalledTimes(2));
  expect(add.mock.calls).toEqual([[roots]]);
  expect(session.get().awaited).toEqual(roots);
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
