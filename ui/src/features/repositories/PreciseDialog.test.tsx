import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { RepoSummary } from "../../ipc";
import { commands, type IndexerPlan } from "../../ipc/bindings";
import { answer } from "../../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { PreciseDialog } from "./PreciseDialog";

cleanUpAfterEach();

const TOOLS = "/home/me/.local/share/whyrank/tools";

/** The demo has none of the programs. */
const TYPESCRIPT: IndexerPlan = {
  id: "scip-typescript",
  languages: ["typescript"],
  n_files: 28,
  state: "installable",
  program: null,
  commands: [{ line: `npm install --prefix ${TOOLS} scip-typescript`, folder: TOOLS }],
  runs_code: null,
  how_to_get: "",
};
const RUST: IndexerPlan = {
  ...TYPESCRIPT,
  id: "rust-analyzer",
  languages: ["rust"],
  state: "ready",
  program: "/usr/bin/rust-analyzer",
  commands: [{ line: "rust-analyzer scip .", folder: "/home/me/code/switchyard/native" }],
  runs_code: "build scripts and procedural macros",
};
const PYTHON: IndexerPlan = {
  ...TYPESCRIPT,
  id: "scip-python",
  languages: ["python"],
  state: "missing",
  commands: [],
  how_to_get: "install npm, then run this again",
};

async function opened() {
  answer("precisePlan", {
    indexers: [TYPESCRIPT, RUST, PYTHON],
    current: null,
    is_running: false,
  });
  const repo = { id: "hono", name: "hono" } as RepoSummary;
  const client = showRecorded(<PreciseDialog repo={repo} onClose={() => undefined} />);
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
