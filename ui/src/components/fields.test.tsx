import { cleanup, fireEvent, render, screen } from "@testing-library/react";
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

it("writes a moment year first and without am or pm, and clears it", () => {
  const onChange = vi.fn();
  const at = new Date(2026, 4, 1, 16, 30).getTime();
  render(<DateTimeField label="As known at" value={at} onChange={onChange} />);
  const parts = screen.getAllByRole("spinbutton").map((part) => part.textContent);
  expect(parts).toEqual(["2026", "05", "01", "16", "30"]);
  fireEvent.click(screen.getByLabelText("Clear as known at"));
  expect(onChange).toHaveBeenLastCalledWith(null);
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
