// Numbers as people read them: three significant digits, units always.

/** Three significant digits, without an exponent: `0.0159`, `12.3`. */
export function sig3(value: number): string {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return "–";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.max(0, Math.min(12, 2 - magnitude)));
}

/** A weight as written in formulas: `1.0`, `0.75`. */
export function weight(value: number): string {
  const short = String(Number(value.toFixed(3)));
  return short.includes(".") ? short : `${short}.0`;
}

/** With its sign: `+0.0100`, `−0.0050`. */
export function signed(value: number): string {
  if (value === 0) return "0";
  return value > 0 ? `+${sig3(value)}` : `−${sig3(-value)}`;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function bytes(value: number): string {
  if (value < 1000) return `${Math.round(value)} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let scaled = value;
  let unit = -1;
  while (scaled >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${sig3(scaled)} ${units[unit]}`;
}

export function ms(value: number): string {
  if (value >= 1000) return `${sig3(value / 1000)} s`;
  return value < 0.01 ? "<0.01 ms" : `${sig3(value)} ms`;
}

export function seconds(value: number): string {
  if (value < 1) return "under 1 s";
  if (value < 60) return `${Math.round(value)} s`;
  if (value < 3600) return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
  return `${Math.floor(value / 3600)} h ${Math.round((value % 3600) / 60)} min`;
}

export function percent(share: number): string {
  if (share >= 1) return "100%";
  return `${Math.min(99.9, share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}

/** A text of the engine, which has no capital and no full stop, as a sentence. */
export function sentence(text: string): string {
  const begun = /^[a-z][a-z']*[ ,:]/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
  return begun === "" || /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** `2026-05-01 12:30`, in the zone of the window. */
export function dateTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** How long ago a moment was, in words. */
export function ago(epochSeconds: number, now = Date.now() / 1000): string {
  const passed = Math.max(0, now - epochSeconds);
  if (passed < 60) return "just now";
  if (passed < 3600) return `${Math.floor(passed / 60)} min ago`;
  if (passed < 86400) return `${Math.floor(passed / 3600)} h ago`;
  return `${Math.floor(passed / 86400)} d ago`;
}
