import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { commands } from "../../ipc/bindings";
import { installDevMock } from "../../ipc/dev-mock";
import { TokenVectorsChoice } from "./TokenVectorsChoice";

afterEach(cleanup);

it("saves the choice and says what it costs", async () => {
  installDevMock("full");
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TokenVectorsChoice />
    </QueryClientProvider>,
  );
  await screen.findByText(/rescores the top candidates/);
  fireEvent.click(screen.getByText("None"));
  await waitFor(async () => {
    const answer = await commands.settings();
    expect(answer.status === "ok" && answer.data.token_vectors).toBe("off");
  });
  await screen.findByText(/5 kB per chunk/);
});
