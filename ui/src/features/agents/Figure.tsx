// A number of a session or a day, and what it counts; within a list of such.

export function Figure({ value, name, isBad }: { value: string; name: string; isBad?: boolean }) {
  return (
    <div data-bad={isBad || undefined}>
      <dt className="small muted">{name}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}
