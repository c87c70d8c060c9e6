import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installDevMock } from "../ipc/dev-mock";
import { App } from "./App";
import { navigate } from "./route";

beforeEach(() => history.replaceState(null, "", "#"));
afterEach(cleanup);

function opened(scene: "full" | "first") {
  installDevMock(scene);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App />
    </QueryClientProvider>,
  );
}

it("begins on Search where something can be searched", async () => {
  opened("full");
  await waitFor(() => expect(location.hash).toBe("#/search"));
});

it("leaves whoever chose a screen meanwhile where they are", async () => {
  opened("full");
  navigate({ view: "repositories" });
  await screen.findAllByTestId("repo-row");
  expect(location.hash).toBe("#/repositories");
});

it("begins with the first start where there is no repository", async () => {
  opened("first");
  await screen.findByTestId("welcome");
  expect(location.hash).not.toBe("#/search");
});
