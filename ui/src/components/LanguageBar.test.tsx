import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { LanguageBar } from "./LanguageBar";

const share = (language: string, lines: number) => ({ language, lines, files: 1 });

it("rounds shares that stand side by side alike", () => {
  render(<LanguageBar languages={[share("rust", 975), share("markdown", 24), share("toml", 1)]} />);
  expect(screen.getByText("rust 98% · markdown 2% · toml < 1%")).toBeDefined();
});
