import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { Choice } from "./Choice";
import { DateTimeField } from "./DateTimeField";
import { NumberField } from "./NumberField";

afterEach(cleanup);

it("takes a number while it is typed, between steps too, and nothing out of bounds", () => {
  const onChange = vi.fn();
  render(
    <NumberField label="Entropy" value={0.5} min={0} max={1} step={0.05} onChange={onChange} />,
  );
  const box = screen.getByRole("textbox", { name: "Entropy" });
  fireEvent.input(box, { target: { value: "0.83" } });
  expect(onChange).toHaveBeenLastCalledWith(0.83);
  fireEvent.input(box, { target: { value: "7" } });
  expect(onChange).toHaveBeenCalledTimes(1);
});

const AT = new Date(2026, 4, 1, 16, 30).getTime();

function MomentField({ onChange }: { onChange: (value: number | null) => void }) {
  const [value, setValue] = useState<number | null>(AT);
  const take = (next: number | null) => {
    onChange(next);
    setValue(next);
  };
  return <DateTimeField label="As known at" value={value} onChange={take} />;
}

const momentBox = () => screen.getByRole<HTMLInputElement>("textbox", { name: "As known at" });

it("writes a moment year first and without am or pm, and clears it", () => {
  const onChange = vi.fn();
  render(<MomentField onChange={onChange} />);
  expect(momentBox().value).toBe("2026-05-01 16:30");
  fireEvent.click(screen.getByLabelText("Clear as known at"));
  expect(onChange).toHaveBeenLastCalledWith(null);
  expect(momentBox().value).toBe("");
});

it("takes a moment once it is written, and says where there is no such one", () => {
  const onChange = vi.fn();
  render(<MomentField onChange={onChange} />);
  fireEvent.change(momentBox(), { target: { value: "2026-06-31 12:00" } });
  fireEvent.keyDown(momentBox(), { key: "Enter" });
  expect(onChange).not.toHaveBeenCalled();
  expect(screen.getByRole("alert").textContent).toContain("No such moment");
  expect(momentBox().getAttribute("aria-invalid")).toBe("true");
  fireEvent.change(momentBox(), { target: { value: "2026-6-3" } });
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.blur(momentBox());
  expect(onChange).toHaveBeenLastCalledWith(new Date(2026, 5, 3).getTime());
  expect(momentBox().value).toBe("2026-06-03 00:00");
});

it("steps the part of a moment that the caret is in", () => {
  const onChange = vi.fn();
  render(<MomentField onChange={onChange} />);
  for (const [caret, key, written] of [
    [16, "ArrowUp", "2026-05-01 16:31"],
    [12, "ArrowDown", "2026-05-01 15:31"],
    [9, "ArrowDown", "2026-04-30 15:31"],
    [6, "ArrowDown", "2026-03-30 15:31"],
    [6, "ArrowDown", "2026-02-28 15:31"],
    [0, "ArrowUp", "2027-02-28 15:31"],
  ] as const) {
    momentBox().setSelectionRange(caret, caret);
    fireEvent.keyDown(momentBox(), { key });
    expect(momentBox().value).toBe(written);
    expect(onChange).toHaveBeenLastCalledWith(new Date(written.replace(" ", "T")).getTime());
  }
});

it("offers the days of a month, walked by keys, and keeps the time of day", async () => {
  const onChange = vi.fn();
  const user = userEvent.setup();
  render(<MomentField onChange={onChange} />);
  await user.click(screen.getByRole("button", { name: "Calendar, as known at" }));
  const days = screen.getByRole("grid", { name: "May 2026" });
  expect(days.textContent).toContain("MonTueWedThuFriSatSun123");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("1"));
  await user.keyboard("{PageDown}{ArrowDown}{ArrowRight}");
  expect(screen.getByRole("grid", { name: "June 2026" })).toBe(days);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Tuesday, June 9, 2026");
  await user.keyboard("{Enter}");
  expect(onChange).toHaveBeenLastCalledWith(new Date(2026, 5, 9, 16, 30).getTime());
  await waitFor(() => expect(screen.queryByRole("grid")).toBeNull());
});

it("chooses the option that means nothing", () => {
  const onChange = vi.fn();
  const options = [
    { value: "", label: "All kinds" },
    { value: "todo", label: "todo" },
  ];
  render(
    <Choice label="Kind" data-testid="kind" value="todo" options={options} onChange={onChange} />,
  );
  const list = screen.getByTestId("kind").querySelector("select") as HTMLSelectElement;
  fireEvent.change(list, { target: { value: list.options[1]?.value } });
  expect(onChange).toHaveBeenLastCalledWith("");
});
