import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { cleanUpAfterEach } from "../../testing/show";
import { ReportsSection } from "./ReportsSection";

cleanUpAfterEach();

const report = (path: string, is_used: boolean, note = "") => ({
  path,
  kind: "lcov",
  is_used,
  note,
});

it("an unused report says how it is used", () => {
  const reports = [report("a.info", true), report("b.info", false, "changed since it was named")];
  render(<ReportsSection found={{ reports, n_more: 2 }} />);
  const text = screen.getByTestId("reports").textContent ?? "";
  expect(text).toContain("a.info lcov, used");
  expect(text).toContain("b.info lcov, changed since it was named");
  expect(text).toContain("whyrank reports use b.info");
  expect(text).toContain("and 2 more");
});

it("where all are used there is nothing to do", () => {
  render(<ReportsSection found={{ reports: [report("a.info", true)], n_more: 0 }} />);
  expect(screen.getByTestId("reports").textContent).not.toContain("whyrank reports use");
});
