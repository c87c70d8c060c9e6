// A labelled select of a few words.

export function Choice(props: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  testid?: string;
}) {
  return (
    <label className="bench-choice">
      <span className="small muted">{props.label}</span>
      <select
        className="input slim"
        data-testid={props.testid}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      >
        {props.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

export function plainOptions(values: readonly string[]) {
  return values.map((value) => ({ value, label: value }));
}
