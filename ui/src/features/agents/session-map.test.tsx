import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { AgentsView } from "./AgentsView";

cleanUpAfterEach();

const ADDRESS = "#/graph?over=session&session=s-claude";

it("shows the files of a session on the map", async () => {
  showRecorded(<AgentsView />, "#/agents?tab=sessions&session=s-claude");
  fireEvent.click(await screen.findByTestId("session-map"));
  expect(location.hash).toBe(ADDRESS);
});

it("shows them by key, too", async () => {
  showRecorded(<AgentsView />, "#/agents?tab=sessions&session=s-claude");
  await screen.findByTestId("session-map");
  fireEvent.keyDown(document.body, { key: "g" });
  expect(location.hash).toBe(ADDRESS);
});
