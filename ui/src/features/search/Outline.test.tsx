import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as dock from "../../app/dock-state";
import { preferences } from "../../app/preferences";
import { session } from "../../app/session";
import { DEMO } from "../../ipc/recorded";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { PreviewPane, type PreviewPlace } from "./PreviewPane";

cleanUpAfterEach();
beforeEach(() => session.set({ repo: DEMO }));
afterEach(() => preferences.set({ outline: false }));

const PLACE: PreviewPlace = {
  path: "src/app.ts",
  start_line: 1,
  end_line: 1,
  signature: "",
  more_in_file: 0,
};

/** Where there is room, or not. */
async function show(isWide = true, asOf: string | null = null) {
  vi.spyOn(dock, "useTight").mockReturnValue(!isWide);
  const nothing = () => undefined;
  showRecorded(
    <main>
      <h1>Code</h1>
      <PreviewPane
        {...{ repo: DEMO, asOf, place: PLACE, spans: [], wordsIn: () => [] }}
        onGraph={nothing}
        onPin={nothing}
      />
    </main>,
    "#/search",
  );
  await waitFor(() => expect(screen.getByTestId("preview").dataset.path).toBe("src/app.ts"));
  await waitFor(() => expect(document.querySelector(".cm-content")).toBeTruthy());
  return userEvent.setup();
}

const rows = () => screen.queryAllByTestId("outline-row").map((one) => one.firstChild?.textContent);
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

it("opens by its key with the focus in it, and stays for the next time", async () => {
  await show();
  expect(screen.queryByTestId("outline")).toBeNull();
  press("O");
  const list = await screen.findByTestId("outline");
  expect(document.activeElement).toBe(list);
  expect(rows().length).toBeGreaterThan(1);
  expect(preferences.get().outline).toBe(true);
  press("Escape");
  expect(screen.getByTestId("preview").contains(document.activeElement)).toBe(true);
  expect(document.activeElement).not.toBe(list);
  press("O");
  expect(document.activeElement).toBe(list);
  press("O");
  expect(screen.queryByTestId("outline")).toBeNull();
  expect(preferences.get().outline).toBe(false);
});

it("goes to a definition, and keeps its keys from the list of hits", async () => {
  await show();
  press("O");
  const list = await screen.findByTestId("outline");
  const heard = vi.fn();
  document.addEventListener("keydown", heard);
  press("End");
  press("k");
  press("j");
  document.removeEventListener("keydown", heard);
  expect(heard).not.toHaveBeenCalled();
  const last = screen.getAllByTestId("outline-row").at(-1) as HTMLElement;
  expect(last.getAttribute("aria-selected")).toBe("true");
  expect(list.getAttribute("aria-activedescendant")).toBe(last.id);
  const line = /line (\d+)/.exec(last.title)?.[1];
  press("Enter");
  expect(decodeURIComponent(location.hash)).toBe(`#/search?at=src/app.ts:${line}`);
});

it("lies over the code where there is no room, until it is left, and is not remembered", async () => {
  const user = await show(false);
  preferences.set({ outline: true });
  expect(screen.queryByTestId("outline")).toBeNull();
  await user.click(screen.getByTestId("preview-outline"));
  expect((await screen.findByRole("navigation", { name: "Outline" })).dataset.over).toBe("true");
  screen.getByTestId("outline").focus();
  press("Escape");
  expect(screen.queryByTestId("outline")).toBeNull();
});

it("goes to a line of an older state without leaving it", async () => {
  const user = await show(true, "HEAD");
  press("O");
  const [row] = await screen.findAllByTestId("outline-row");
  // happy-dom tells of the selection within the focus itself, in which CodeMirror takes no new lines.
  const code = document.querySelector(".cm-content") as HTMLElement;
  vi.spyOn(code, "focus").mockReturnValue();
  await user.click(row as HTMLElement);
  expect(location.hash).toBe("#/search");
  expect(screen.getByTestId("outline")).toBeTruthy();
});

it("has nothing that a reader of the screen stumbles over", async () => {
  await show();
  press("O");
  await screen.findByTestId("outline");
  const { violations } = await axe.run(document.body, {
    rules: { "color-contrast": { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html)}`)).toEqual([]);
});
