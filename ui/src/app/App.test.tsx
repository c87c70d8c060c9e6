import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { cleanUpAfterEach, showView } from "../testing/show";
import { App } from "./App";
import { navigate } from "./route";

cleanUpAfterEach();

it("begins on Search where something can be searched", async () => {
  showView(<App />);
  await waitFor(() => expect(location.hash).toBe("#/search"));
});

it("leaves whoever chose a screen meanwhile where they are", async () => {
  showView(<App />);
  navigate({ view: "repositories" });
  await screen.findAllByTestId("repo-row");
  expect(location.hash).toBe("#/repositories");
});

it("begins with the first start where there is no repository", async () => {
  showView(<App />, "", "first");
  await screen.findByTestId("welcome");
  expect(location.hash).not.toBe("#/search");
});
