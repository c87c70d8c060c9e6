// The few icons, drawn on a 16 px grid with one stroke.

const PATHS = {
  repositories: "M2.5 4.5h4l1.5 2h5.5v6.5h-11zM2.5 4.5v-1.5h4",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 14 14",
  code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5M9 3 7 13",
  changes: "M8 2.5v5M5.5 5h5M5.5 10.5h5M2.5 13.5h11",
  outline: "M2.5 3.5h6M5.5 8h8M5.5 12.5h8M3 6v6.5h2.5M3 8h2.5",
  explain: "M2.5 3.5h11M2.5 8h7.5M2.5 12.5h4.5",
  graph:
    "M2.2 8a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M10.2 3.8a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M10.2 12.2a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M5.6 7.2l4.8-2.6M5.6 8.8l4.8 2.6",
  agents:
    "M4.5 5.5h7a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2zM8 5.5v-3M6 9v1M10 9v1",
  memory: "M4 2.5h8v11l-4-3-4 3zM6 5.5h4M6 8h4",
  pin: "M5.5 2.5h5l-.7 4 2 2.5H4.2l2-2.5zM8 9v5",
  benchmark: "M3 13.5v-4M8 13.5v-10M13 13.5v-7M1.5 13.5h13",
  settings: "M2 4.5h6M11 4.5h3M9.5 3v3M2 11.5h3M8 11.5h6M6.5 10v3",
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M5 3.5l7 4.5-7 4.5z",
  stop: "M4.5 4.5h7v7h-7z",
  check: "M3 8.5l3.5 3.5L13 4.5",
  warn: "M8 2.5 14.5 13.5h-13zM8 6.5v3.5M8 11.6v.2",
  fail: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM6 6l4 4M10 6l-4 4",
  copy: "M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1",
  up: "M8 13V3.5M4 7.5l4-4 4 4",
  down: "M8 3v9.5M4 8.5l4 4 4-4",
  left: "M13 8H3.5M7.5 4l-4 4 4 4",
  right: "M3 8h9.5M8.5 4l4 4-4 4",
  star: "M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z",
  starred: "M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z",
  minus: "M3.5 8h9",
  more: "M3.5 8v.1M8 8v.1M12.5 8v.1",
  chevron: "M5 6.5 8 9.5l3-3",
  refresh: "M13 8a5 5 0 1 1-1.5-3.5M13 2.5v3h-3",
  filter: "M2.5 3.5h11L9.5 8.5v4l-3 1.5v-5.5z",
  calendar: "M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5V5M10.5 2.5V5",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.8V8l2.2 1.6",
  download: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10",
  trash: "M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9",
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.2v4M8 4.8v.2",
  folder: "M2 4h4.5L8 6h6v7H2z",
  swap: "M3 5.5h10M10 2.5l3 3-3 3M13 10.5H3M6 7.5l-3 3 3 3",
  path: "M2.2 12a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M10.2 4a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M5.8 12h3c4 0 4-4 0-4h-2c-3 0-3-4 .5-4h2.9",
  focus: "M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M8 1.5v3M8 11.5v3M1.5 8h3M11.5 8h3",
  fit: "M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3",
  share: "M8 10V2.5M5 5.5l3-3 3 3M4.5 8H3v5.5h10V8h-1.5",
  open: "M9 2.5h4.5V7M13.5 2.5 7 9M11.5 9v4.5h-9v-9H7",
  markdown: "M2 4h12v8H2zM4.5 9.8V6.2L6.2 8l1.7-1.8v3.6M11 6.2v3.4M9.6 8.4 11 9.8l1.4-1.4",
  blame:
    "M6 2.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M2.5 12.5c0-2.6 1.5-3.8 3.5-3.8.8 0 1.5.2 2 .5M10 9h3.5M10 12h3.5M10 6h3.5",
  dock: "M2 3h12v10H2zM9.5 3v10",
  file: "M3.5 2h6l3 3v9h-9zM9.5 2v3h3",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill={name === "starred" ? "currentColor" : "none"}
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
