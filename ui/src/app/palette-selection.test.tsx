import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Hit } from "../ipc";
import { cleanUpAfterEach, showRecorded } from "../testing/show";
import { useSelect } from "./dock-state";
import { Palette } from "./Palette";
import { parseRoute } from "./route";
import type { Selection } from "./selection";
import { session } from "./session";

cleanUpAfterEach();

const CHOSEN: Selection = {
  repo: "a1b2c3d4e5f6",
  asOf: null,
  path: "src/router.ts",
  line: 16,
  endLine: 23,
  symbol: "Router.match",
  hit: { rank: 2 } as Hit,
  queryId: "q-asked",
};

function Code({ selection }: { selection: Selection | undefined }) {
  useSelect(selection);
  return <Palette onClose={() => undefined} onShortcuts={() => undefined} />;
}

function open(selection?: Selection) {
  session.set({ repo: "a1b2c3d4e5f6" });
  showRecorded(<Code selection={selection} />);
}

const items = () =>
  screen.getAllByTestId("palette-item").map((one) => ({
    group: one.dataset.group,
    text: one.textContent,
  }));
const press = (text: string) => {
  const box = screen.getByRole("combobox");
  fireEvent.change(box, { target: { value: text } });
  fireEvent.keyDown(box, { key: "Enter" });
};
const route = () => parseRoute(location.hash);

it("puts what can be done with the selection first, with its keys", async () => {
  open(CHOSEN);
  await waitFor(() => expect(items()[0]).toMatchObject({ group: "Selection" }));
  const first = items().filter(({ group }) => group === "Selection");
  expect(items().slice(0, first.length)).toEqual(first);
  expect(first.map(({ text }) => text)).toContain("Lens: ImpactRouter.matchi");
  expect(first.map(({ text }) => text)).toContain("Pin a memo to itRouter.matchm");
  expect(first.some(({ text }) => text?.startsWith("Open in "))).toBe(true);
});

it("pins a memo to the selection's lines", async () => {
  open(CHOSEN);
  await waitFor(() => expect(items()[0]?.group).toBe("Selection"));
  press("memo to");
  await waitFor(() => expect(route().view).toBe("memory"));
  expect(route().params).toMatchObject({ new: "1", path: "src/router.ts", from: "16", to: "23" });
});

it("shows the selection's file on the map, and its rank in Explain", async () => {
  open(CHOSEN);
  await waitFor(() => expect(items()[0]?.group).toBe("Selection"));
  press("map");
  await waitFor(() => expect(route()).toMatchObject({ view: "graph" }));
  expect(route().params).toEqual({ over: "file", file: "src/router.ts" });
  press("explain in the");
  await waitFor(() => expect(route()).toMatchObject({ view: "explain", id: "q-asked" }));
});

it("explains no rank of what no search found", async () => {
  open({ ...CHOSEN, hit: null, queryId: null });
  await waitFor(() => expect(items()[0]?.group).toBe("Selection"));
  expect(items().some(({ text }) => text?.startsWith("Explain in"))).toBe(false);
});

it("offers lenses as commands like any other where nothing is chosen", async () => {
  open();
  await waitFor(() => expect(items().length).toBeGreaterThan(5));
  expect(items().some(({ group }) => group === "Selection")).toBe(false);
  expect(items().find(({ text }) => text?.startsWith("Lens: Why"))?.group).toBe("Actions");
});
