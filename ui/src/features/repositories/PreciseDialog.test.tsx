import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { RepoSummary } from "../../ipc";
import { commands } from "../../ipc/bindings";
import { cleanUpAfterEach, showView } from "../../testing/show";
import { PreciseDialog } from "./PreciseDialog";

cleanUpAfterEach();

async function opened() {
  const repo = { id: "hono", name: "hono" } as RepoSummary;
  const client = showView(<PreciseDialog repo={repo} onClose={() => undefined} />);
  const rows = await screen.findAllByTestId("indexer");
  const row = (id: string) => {
    const found = rows.find((one) => one.dataset.indexer === id);
    if (!found) throw new Error(`${id} is not shown`);
    return found;
  };
  return { client, row };
}

it("shows every command and whose code runs, and starts nothing by itself", async () => {
  const asked = vi.spyOn(commands, "runIndexers");
  const { row } = await opened();
  expect(row("scip-typescript").textContent).toContain("npm install --prefix");
  expect(row("rust-analyzer").textContent).toContain("build scripts and procedural macros");
  expect(within(row("scip-python")).getByRole("checkbox")).toHaveProperty("disabled", true);
  expect(asked).not.toHaveBeenCalled();
});

it("runs what is left chosen, shows how far it is, and cancels it", async () => {
  const asked = vi.spyOn(commands, "runIndexers").mockReturnValue(new Promise(() => undefined));
  const cancelled = vi.spyOn(commands, "cancelIndexers");
  const { client, row } = await opened();
  fireEvent.click(within(row("rust-analyzer")).getByRole("checkbox"));
  fireEvent.click(screen.getByTestId("precise-run"));
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  const agreed = asked.mock.calls[0]?.[1].map((one) => [one.id, one.commands.length > 0]);
  expect(agreed).toEqual([["scip-typescript", true]]);
  client.setQueryData(["precise-progress", "hono"], {
    "scip-typescript": {
      repo: "hono",
      indexer: "scip-typescript",
      state: "running",
      command: "",
      line: "+ src (2s)",
      elapsed_s: 2,
      log: "/logs/scip-typescript.log",
      error: null,
    },
  });
  await waitFor(() => expect(row("scip-typescript").textContent).toContain("+ src (2s)"));
  fireEvent.click(await screen.findByTestId("precise-cancel"));
  await waitFor(() => expect(cancelled).toHaveBeenCalledWith("hono"));
});
