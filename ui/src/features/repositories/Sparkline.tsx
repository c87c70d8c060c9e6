// The last rates as a line; decoration beside the figure it illustrates.

const WIDTH = 64;
const HEIGHT = 16;

export function Sparkline({ values }: { values: number[] }) {
  if (values.length < 2) return null;
  const top = Math.max(...values, 1e-9);
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1)}`;
  });
  return (
    <svg className="sparkline" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polyline points={points.join(" ")} fill="none" stroke="var(--accent)" strokeWidth="1.2" />
    </svg>
  );
}
