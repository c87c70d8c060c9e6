import { act, screen, waitFor } from "@testing-library/react";
import { Suspense } from "react";
import { expect, it } from "vitest";
import type { Hit } from "../ipc";
import { cleanUpAfterEach, showRecorded } from "../testing/show";
import { LENSES } from "./lenses";
import type { Selection } from "./selection";

cleanUpAfterEach();

const selection: Selection = {
  repo: "a1b2c3d4e5f6",
  asOf: null,
  path: "src/router/smart-router/router.ts",
  line: 22,
  endLine: 30,
  symbol: "SmartRouter.match",
  hit: { rank: 2 } as Hit,
  queryId: "q-demo",
};

async function show(id: string, scene: "full" | "failing" | "slow", of = selection) {
  const Lens = await LENSES.find((one) => one.id === id)?.chunk.load();
  if (!Lens) throw new Error(`no lens ${id}`);
  showRecorded(
    <Suspense>
      <Lens selection={of} />
    </Suspense>,
    "",
    scene,
  );
}

it("has a key and a name of its own for each", () => {
  expect(new Set(LENSES.map(({ key }) => key)).size).toBe(LENSES.length);
  expect(new Set(LENSES.map(({ label }) => label)).size).toBe(LENSES.length);
});

for (const { id } of LENSES) {
  it(`${id} says what it waits for`, async () => {
    await act(() => show(id, "slow"));
    expect(screen.getByRole("status").textContent).not.toBe("");
  });
}

for (const id of ["graph", "memos"]) {
  it(`${id} says what failed, with a way on`, async () => {
    await show(id, "failing");
    await waitFor(() => expect(screen.getAllByText("Try again").length).toBeGreaterThan(0));
  });
}

it("says that an answer's trace is gone", async () => {
  await show("why", "full", { ...selection, queryId: "q-gone" });
  expect((await screen.findByRole("alert")).textContent).toContain("Try again");
});

it("tells memos of the chosen code before others, and what became of their code", async () => {
  await show("memos", "full");
  const memos = await screen.findAllByTestId("memos-lens-memo");
  expect(memos.length).toBeGreaterThan(0);
  expect(screen.getByText(/^About this (code|file)$/)).toBeTruthy();
});
