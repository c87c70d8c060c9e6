// The plot of a day of work: resident memory, handles and threads of each process over time, as an SVG.

const WIDTH = 720;
const PANEL = 150;
const GAP = 42;
const LEFT = 58;

export function curve(samples, seconds) {
  const names = (samples[0]?.of ?? []).map((one) => one.name);
  const panels = [
    ["resident memory, MiB", (one) => one.rss_kb / 1024],
    ["handles", (one) => one.handles],
    ["threads", (one) => one.threads],
  ];
  const height = panels.length * (PANEL + GAP) + 30;
  const x = (at) => LEFT + (at / seconds) * (WIDTH - LEFT - 10);
  const parts = panels.map(([title, value], row) => {
    const top = row * (PANEL + GAP) + 24;
    const most = Math.max(1, ...samples.flatMap(({ of }) => of.map(value))) * 1.1;
    const y = (number) => top + PANEL - (number / most) * PANEL;
    const lines = names.map((name, at) => {
      const points = samples.map((sample) => `${x(sample.at).toFixed(1)},${y(value(sample.of[at])).toFixed(1)}`).join(" ");
      const colour = name === "window" ? "#c2410c" : `hsl(${205 + at * 6} 55% ${30 + at * 4}%)`;
      return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="1"><title>${name}</title></polyline>`;
    });
    const ticks = [0, 0.5, 1].map((share) => {
      const number = Math.round((most / 1.1) * share);
      return `<line x1="${LEFT}" x2="${WIDTH - 10}" y1="${y(number)}" y2="${y(number)}" stroke="#ddd"/><text x="${LEFT - 6}" y="${y(number) + 4}" text-anchor="end">${number}</text>`;
    });
    return [`<text x="${LEFT}" y="${top - 8}">${title}</text>`, ...ticks, ...lines].join("\n");
  });
  const minutes = [0, 1 / 6, 0.5, 1].map((share) => `<text x="${x(share * seconds)}" y="${height - 8}" text-anchor="middle">${((share * seconds) / 60).toFixed(seconds < 600 ? 1 : 0)} min</text>`);
  const warm = `<line x1="${x(seconds / 6)}" x2="${x(seconds / 6)}" y1="14" y2="${height - 24}" stroke="#999" stroke-dasharray="3 3"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" fill="#fff"/>\n${parts.join("\n")}\n${warm}\n${minutes.join("\n")}\n</svg>\n`;
}
