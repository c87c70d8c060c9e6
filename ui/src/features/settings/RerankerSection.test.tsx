import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { answer } from "../../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { RerankerSection } from "./RerankerSection";

beforeEach(() => {
  showRecorded(<RerankerSection />);
});

cleanUpAfterEach();

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
  answer("testReranker", {
    backend: "qwen2.5-coder at localhost:11434",
    ok: true,
    sentence: "it answers in the right form, with the right snippet first",
    answer: "[2] > [1]",
    elapsed_ms: 1840,
  });
  fireEvent.click(screen.getByTestId("reranker-test"));
  await waitFor(() => expect(screen.getByRole("status").textContent).toMatch(/right snippet/));
});
