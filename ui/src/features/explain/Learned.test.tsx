import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Trace } from "../../ipc";
import { installDevMock } from "../../ipc/dev-mock";
import { GATE, gateOf, gateVerdict, LEARNED_GATE } from "../../ipc/dev-mock-late";
import { GatePanel } from "./GatePanel";

afterEach(cleanup);

it("shows what each input adds to the learned gate's odds, and the rules again on request", async () => {
  installDevMock("full");
  const settings = { ...GATE, learned: LEARNED_GATE };
  const record = gateOf();
  const gate = { ...record, settings, verdict: gateVerdict(settings, record.features, null) };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <GatePanel trace={{ gate, refine: null } as unknown as Trace} />
    </QueryClientProvider>,
  );
  const learned = within(screen.getByTestId("gate-learned"));
  expect(screen.getByTestId("gate-verdict").textContent).toMatch(/by the learned gate/);
  // Intercept, seven inputs, the sum, and the head.
  expect(learned.getAllByRole("row")).toHaveLength(10);
  fireEvent.click(learned.getByRole("button", { name: /by the marks/ }));
  await waitFor(() => expect(screen.getByTestId("gate-what-if").textContent).toMatch(/entropy/));
});
