import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { IconButton } from "./controls";

afterEach(cleanup);

it("closes with Escape, which is heard by the screen as well", async () => {
  const heard = vi.fn();
  const onKey = (event: KeyboardEvent) => heard(event.key);
  document.addEventListener("keydown", onKey);
  render(
    <>
      <IconButton icon="copy" label="Copy the path" />
      <input aria-label="elsewhere" />
    </>,
  );
  await userEvent.setup().tab();
  await screen.findByRole("tooltip");
  fireEvent.keyDown(screen.getByLabelText("elsewhere"), { key: "Escape" });
  document.removeEventListener("keydown", onKey);
  expect(heard).toHaveBeenCalledWith("Escape");
  expect(screen.queryByRole("tooltip")).toBeNull();
});
