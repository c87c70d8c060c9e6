import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { drag } from "../ipc/recorded";
import { cleanUpAfterEach, showRecorded } from "../testing/show";
import { App } from "./App";
import { beginOnSearch } from "./begin";
import { preferences } from "./preferences";
import { navigate } from "./route";
import { session } from "./session";

cleanUpAfterEach();

it("begins on Search where something can be searched", async () => {
  showRecorded(<App />);
  await waitFor(() => expect(location.hash).toBe("#/search"));
});

it("leaves whoever chose a screen meanwhile where they are", async () => {
  showRecorded(<App />);
  navigate({ view: "repositories" });
  await screen.findAllByTestId("repo-row");
  expect(location.hash).toBe("#/repositories");
});

it("begins with the first start where there is no repository", async () => {
  showRecorded(<App />, "", "first");
  await screen.findByTestId("welcome");
  expect(location.hash).not.toBe("#/search");
});

it("takes a folder that is dropped on whatever screen is open", async () => {
  showRecorded(<App />);
  navigate({ view: "settings" });
  await screen.findByTestId("desktop-key");
  await drag("enter", "/home/me/code/axum");
  await screen.findByText("Drop a folder to add its repository");
  await drag("drop", "/home/me/code/axum");
  const field = await screen.findByTestId<HTMLInputElement>("add-path");
  expect(field.value).toBe("/home/me/code/axum");
  expect(screen.queryByText("Drop a folder to add its repository")).toBeNull();
  expect(location.hash).toBe("#/repositories?add=1");
});

it("draws larger and smaller by keys", async () => {
  showRecorded(<App />);
  await waitFor(() => expect(location.hash).toBe("#/search"));
  fireEvent.keyDown(window, { key: "+", ctrlKey: true });
  await screen.findByText("Zoom 110%");
  fireEvent.keyDown(window, { key: "0", ctrlKey: true });
  await screen.findByText("Zoom 100%");
  expect(preferences.get().zoom).toBe(1);
});

it("keeps what is typed before the palette's box is there", async () => {
  const user = userEvent.setup({ delay: null });
  showRecorded(<App />);
  await waitFor(() => expect(location.hash).toBe("#/search"));
  const palette = () => screen.queryByRole<HTMLInputElement>("combobox", { name: /^Command/ });
  await user.keyboard("{Control>}k{/Control}sex{Backspace}t");
  await waitFor(() => expect(palette()?.value).toBe("set"));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(palette()).toBeNull());
  await user.keyboard("{Control>}k{/Control}s{Escape}");
  await waitFor(() => expect(palette()).toBeNull());
});

it("leaves an empty search box for its screen, never for the page behind it", async () => {
  const user = userEvent.setup({ delay: null });
  showRecorded(<App />);
  const box = await screen.findByTestId("search-input");
  await waitFor(() => expect(document.activeElement).toBe(box));
  await user.keyboard("{Escape}");
  expect(document.querySelector("main")?.contains(document.activeElement)).toBe(true);
  expect(document.activeElement).not.toBe(box);
});

it("can be typed into before the engine has opened the repository chosen last", async () => {
  session.set({ repo: "a1b2c3d4e5f6" });
  location.hash = "";
  beginOnSearch();
  expect(location.hash).toBe("#/search");
  showRecorded(<App />, "#/search", "slow");
  const box = await screen.findByTestId("search-input");
  await waitFor(() => expect(document.activeElement).toBe(box));
});

it("goes where a repository can be added when the one chosen last is gone", async () => {
  session.set({ repo: "a1b2c3d4e5f6" });
  location.hash = "";
  beginOnSearch();
  showRecorded(<App />, "#/search", "first");
  await screen.findByTestId("welcome");
  expect(location.hash).toBe("#/repositories");
});

it("keeps the question when its screen is chosen once more, by key or by command", async () => {
  const user = userEvent.setup({ delay: null });
  showRecorded(<App />);
  navigate({ view: "search", params: { q: "trie router" } });
  const box = await screen.findByTestId<HTMLInputElement>("search-input");
  await waitFor(() => expect(box.value).toBe("trie router"));
  fireEvent.keyDown(window, { key: "1", ctrlKey: true });
  await waitFor(() => expect(location.hash).toBe("#/search?q=trie+router"));
  await user.keyboard("{Control>}k{/Control}");
  await user.click(await screen.findByRole("option", { name: /^Go to code/ }));
  await waitFor(() => expect(screen.queryByRole("combobox", { name: /^Command/ })).toBeNull());
  expect(location.hash).toBe("#/search?q=trie+router");
  expect(box.value).toBe("trie router");
});

it("takes the focus into the health of an index, and back to what opened it", async () => {
  const user = userEvent.setup({ delay: null });
  showRecorded(<App />);
  navigate({ view: "repositories" });
  const [button] = await screen.findAllByTestId("repo-health");
  button?.focus();
  await user.keyboard("{Enter}");
  const panel = await screen.findByRole("complementary", { name: /^Health of/ });
  expect(panel.contains(document.activeElement)).toBe(true);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("complementary", { name: /^Health/ })).toBeNull());
  expect(document.activeElement).toBe(screen.getAllByTestId("repo-health")[0]);
});

it("goes from the rail into the screen that is open by its key", async () => {
  showRecorded(<App />);
  navigate({ view: "agents" });
  const heading = await screen.findByRole("heading", { name: "Agents" });
  const rail = await screen.findByTestId("nav-agents");
  rail.focus();
  fireEvent.keyDown(rail, { key: "3", ctrlKey: true });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

it("has five places with a key each, and the settings at its foot", async () => {
  showRecorded(<App />);
  await waitFor(() => expect(location.hash).toBe("#/search"));
  const rail = screen.getByRole("navigation", { name: "Places" });
  const named = [...rail.querySelectorAll("[data-testid^=nav-]")].map((one) => one.textContent);
  expect(named).toEqual(["Code", "Changes", "Agents", "Memory", "Measure", "Settings"]);
  for (const [key, hash] of [
    ["2", "#/changes"],
    ["5", "#/benchmark"],
    [",", "#/settings"],
    ["1", "#/search"],
  ]) {
    fireEvent.keyDown(window, { key, ctrlKey: true });
    expect(location.hash).toBe(hash);
  }
});

it("counts Explain and Graph to Code, and reaches the repositories from switcher and foot", async () => {
  const user = userEvent.setup({ delay: null });
  showRecorded(<App />);
  navigate({ view: "graph" });
  await waitFor(() =>
    expect(screen.getByTestId("nav-search").getAttribute("aria-current")).toBe("page"),
  );
  await user.click(screen.getByTestId("nav-repositories"));
  expect(location.hash).toBe("#/repositories");
  await screen.findAllByTestId("repo-row");
  expect(screen.getByTestId("nav-search").getAttribute("aria-current")).toBeNull();
  navigate({ view: "changes" });
  await user.click(screen.getByTestId("repo-switcher"));
  await user.click(await screen.findByRole("menuitem", { name: "Repositories…" }));
  expect(location.hash).toBe("#/repositories");
});

it("finds a place by what it was called before", async () => {
  const user = userEvent.setup({ delay: null });
  showRecorded(<App />);
  await waitFor(() => expect(location.hash).toBe("#/search"));
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox", { name: /^Command/ }), "bench");
  expect(await screen.findByRole("option", { name: /^Go to measure/ })).toBeTruthy();
});

it("never says that there is no repository before it has read the list", async () => {
  showRecorded(<App />, "", "slow");
  expect((await screen.findByTestId("repo-switcher")).textContent).toContain("Loading…");
  expect(screen.getByRole("contentinfo").textContent).toContain("loading…");
  cleanup();
  showRecorded(<App />, "", "failing");
  await waitFor(() =>
    expect(screen.getByTestId("repo-switcher").textContent).toContain("Unavailable"),
  );
  expect(screen.getByRole("contentinfo").textContent).toContain("repositories unavailable");
});
