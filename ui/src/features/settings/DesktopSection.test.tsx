import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { setDesktop } from "../../ipc/recorded";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { DesktopSection } from "./DesktopSection";

cleanUpAfterEach();

const SETTINGS = { tray: true, keep_in_tray: false, palette_key: null };

function opened(state: Parameters<typeof setDesktop>[0]) {
  setDesktop(state);
  showRecorded(<DesktopSection />);
}

it("sets a key that is pressed, changes it and removes it", async () => {
  opened({
    settings: SETTINGS,
    tray_missing: null,
    key: { unavailable: null, refused: null },
  });
  fireEvent.click(await screen.findByTestId("desktop-key-set"));
  const field = screen.getByTestId("desktop-key-press");
  expect(document.activeElement).toBe(field);
  fireEvent.keyDown(field, { key: "w", code: "KeyW" });
  fireEvent.keyDown(field, { key: "w", code: "KeyW", ctrlKey: true, altKey: true });
  await screen.findByText("Ctrl+Alt+W");
  fireEvent.click(screen.getByTestId("desktop-key-remove"));
  await waitFor(() => expect(screen.queryByText("Ctrl+Alt+W")).toBeNull());
});

it("says why there is no tray and no key, and offers the command instead", async () => {
  opened({
    settings: SETTINGS,
    tray_missing: "this desktop shows none",
    key: { unavailable: "Wayland lets no program take a key", refused: null },
  });
  expect((await screen.findByTestId("desktop-tray")).textContent).toBe(
    "Tray icon: this desktop shows none.",
  );
  const key = screen.getByTestId("desktop-key").textContent ?? "";
  expect(key).toContain("Wayland lets no program take a key");
  expect(key).toContain("whyrank-desktop --palette");
  expect(screen.queryByTestId("desktop-key-set")).toBeNull();
});

it("says that a key is another program's", async () => {
  opened({
    settings: { ...SETTINGS, palette_key: "Control+Alt+KeyW" },
    tray_missing: null,
    key: { unavailable: null, refused: "another program has it" },
  });
  await screen.findByText("Ctrl+Alt+W does not work: another program has it.");
});
