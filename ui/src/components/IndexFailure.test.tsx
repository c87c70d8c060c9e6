import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { cleanUpAfterEach, showRecorded } from "../testing/show";
import { IndexFailure } from "./IndexFailure";

cleanUpAfterEach();

const failureOf = (code: string) => ({
  code,
  message: "a part of the symbol graph is damaged",
  hint: "ask again; `whyrank index` makes it again",
});

const show = (code: string) =>
  showRecorded(<IndexFailure repo="c3" error={failureOf(code)} onRetry={() => undefined} />);

it("repairs a damaged index from where it failed", async () => {
  show("index-damaged");
  const says = screen.getByRole("alert").textContent;
  expect(says).toContain("A part of the symbol graph is damaged. Ask again.");
  screen.getByTestId("index-repair").click();
  await waitFor(() =>
    expect(screen.getByTestId("index-repair").textContent).toBe("Repairing the index"),
  );
});

it("offers no repair for what it would not mend, and says what the engine says", () => {
  show("io");
  expect(screen.queryByTestId("index-repair")).toBeNull();
  expect(screen.getByRole("alert").textContent).toContain("`whyrank index` makes it again.");
});
