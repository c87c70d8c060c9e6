import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installDevMock } from "../../ipc/dev-mock";
import { RerankerSection } from "./RerankerSection";

beforeEach(() => {
  installDevMock("full");
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RerankerSection />
    </QueryClientProvider>,
  );
});

afterEach(cleanup);

it("is off, says that code is sent to an endpoint, and tells what a test found", async () => {
  const off = await screen.findByLabelText<HTMLInputElement>("Off");
  expect(off.checked).toBe(true);
  expect(screen.queryByTestId("reranker-test")).toBeNull();
  fireEvent.click(screen.getByLabelText("Endpoint"));
  expect(screen.getByRole("note").textContent).toMatch(/snippets of code .* are sent/);
  fireEvent.click(screen.getByTestId("reranker-test"));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/no endpoint/));
  fireEvent.change(screen.getByLabelText("Base URL"), {
    target: { value: "http://localhost:11434/v1" },
  });
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.click(screen.getByTestId("reranker-test"));
  await waitFor(() => expect(screen.getByRole("status").textContent).toMatch(/right snippet/));
});
