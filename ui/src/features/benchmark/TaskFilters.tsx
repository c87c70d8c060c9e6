// Narrows the tasks: words, suite, kind, language, and where the main subject loses.

import { Choice } from "../../components/Choice";
import { categoryName } from "./figures";
import { subjectLabel } from "./subjects";
import { type TaskFilter, type TaskRow, valuesOf } from "./tasks";

export function TaskFilters(props: {
  rows: TaskRow[];
  main: string;
  filter: TaskFilter;
  onChange: (filter: TaskFilter) => void;
}) {
  const { rows, filter, onChange } = props;
  const pick = (field: "suite" | "category" | "language", label: string) => {
    const values = valuesOf(rows, field);
    if (values.length < 2) return null;
    return (
      <Choice
        showLabel
        slim
        label={label}
        data-testid={`bench-filter-${field}`}
        value={filter[field]}
        options={[
          { value: "", label: "All" },
          ...values.map((value) => ({
            value,
            label: field === "category" ? categoryName(value) : value,
          })),
        ]}
        onChange={(value) => onChange({ ...filter, [field]: value })}
      />
    );
  };
  return (
    <search className="bench-bar bench-filters">
      <input
        className="input slim"
        type="search"
        aria-label="Filter tasks"
        placeholder="Filter tasks"
        data-testid="bench-filter"
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
      />
      {pick("suite", "Suite")}
      {pick("category", "Category")}
      {pick("language", "Language")}
      <label className="check">
        <input
          type="checkbox"
          data-testid="bench-filter-losses"
          checked={filter.onlyLosses}
          onChange={(event) => onChange({ ...filter, onlyLosses: event.target.checked })}
        />
        Lost by {subjectLabel(props.main)}
      </label>
    </search>
  );
}
