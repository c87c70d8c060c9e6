import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { commands } from "../../ipc/bindings";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { TokenVectorsChoice } from "./TokenVectorsChoice";

cleanUpAfterEach();

it("saves the choice and says what it costs", async () => {
  showRecorded(<TokenVectorsChoice />);
  await screen.findByText(/rescores the top candidates/);
  fireEvent.click(screen.getByText("None"));
  await waitFor(async () => {
    const answer = await commands.settings();
    expect(answer.status === "ok" && answer.data.token_vectors).toBe("off");
  });
  await screen.findByText(/5 kB per chunk/);
});
