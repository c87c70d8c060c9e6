// The shape of what is coming, while it is read.

export function Skeleton({ label, rows = 6 }: { label: string; rows?: number }) {
  const widths = ["62%", "88%", "74%", "93%", "55%", "81%"];
  return (
    <div className="bench-skeleton" role="status">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are alike and never move
        <i key={index} style={{ width: widths[index % widths.length] }} />
      ))}
    </div>
  );
}
