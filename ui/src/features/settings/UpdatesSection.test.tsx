import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { preferences } from "../../app/preferences";
import { commands } from "../../ipc/bindings";
import { installRecorded } from "../../ipc/recorded";
import { UpdatesSection } from "./UpdatesSection";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  preferences.set({ updates: false });
});

function show(by: "itself" | "package-manager" | "builder", failed: string | null = null) {
  installRecorded("full");
  vi.spyOn(commands, "updateState").mockResolvedValue({ status: "ok", data: { by, failed } });
  const asked = vi.spyOn(commands, "checkForUpdate");
  asked.mockResolvedValue({ status: "ok", data: { version: "9.1.0", notes: "Faster" } });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UpdatesSection />
    </QueryClientProvider>,
  );
  return asked;
}

it("asks for a new version when it is told to, and never before", async () => {
  const asked = show("itself");
  const check = await screen.findByRole("button", { name: "Check for updates" });
  expect(asked).not.toHaveBeenCalled();
  fireEvent.click(check);
  await screen.findByText("9.1.0");
  expect(asked).toHaveBeenCalledTimes(1);
});

it("asks by itself once the person chose so", async () => {
  const asked = show("itself");
  fireEvent.click(await screen.findByRole("switch"));
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
});

it("installs nothing that a package manager installed, and offers nothing to who built it", async () => {
  show("package-manager");
  fireEvent.click(await screen.findByRole("button", { name: "Check for updates" }));
  await screen.findByText("9.1.0");
  expect(screen.queryByRole("button", { name: "Install and restart" })).toBeNull();
  cleanup();
  show("builder");
  await screen.findByText(/built from source/);
  expect(screen.queryByRole("button")).toBeNull();
});

it("says that a version did not start, and what an installation failed of", async () => {
  show("itself", "9.1.0");
  await screen.findByText(/9\.1\.0 did not start/);
  const error = { code: "update-signature", message: "no update: wrong key", hint: "" };
  vi.spyOn(commands, "installUpdate").mockResolvedValue({ status: "error", error });
  fireEvent.click(screen.getByRole("button", { name: "Check for updates" }));
  fireEvent.click(await screen.findByRole("button", { name: "Install and restart" }));
  await screen.findByText(/wrong key/);
});
