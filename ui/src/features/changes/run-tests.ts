// The command that runs some tests, in the words of the runner that their language has.

import type { TestMapResponse, TestPlace } from "../../ipc";

/** The tests that reach what changed, each once: the surest and nearest first. */
export function testsOf({ symbols }: TestMapResponse): TestPlace[] {
  const seen = new Set<string>();
  return symbols
    .flatMap((one) => one.tests)
    .sort((one, other) => Number(other.sure) - Number(one.sure) || one.depth - other.depth)
    .filter(({ path, line }) => {
      const place = `${path}:${line}`;
      return !seen.has(place) && seen.add(place);
    });
}

/** Languages that have one runner for all; the tests of others are copied as places. */
const RUNNERS: Record<string, (tests: TestPlace[]) => string> = {
  py: (tests) => `pytest ${unique(tests.map(pytestPlace)).join(" ")}`,
  go: (tests) => {
    const names = unique(tests.flatMap(({ name }) => (name ? [last(name, ".")] : [])));
    const folders = unique(tests.map(({ path }) => quoted(`./${folderOf(path)}`)));
    const only = names.length > 0 ? ` -run ${quoted(`^(${names.join("|")})$`)}` : "";
    return `go test ${folders.join(" ")}${only}`;
  },
  rs: (tests) => {
    const names = unique(tests.flatMap(({ name }) => (name ? [quoted(last(name, "::"))] : [])));
    return names.length > 0 ? `cargo test -- ${names.join(" ")}` : "cargo test";
  },
};

/** One line for each runner; none where a test's runner is not known. */
export function commandOf(tests: readonly TestPlace[]): string | null {
  const byEnding = new Map<string, TestPlace[]>();
  for (const test of tests.filter(isPlain)) {
    const ending = last(test.path, ".");
    byEnding.set(ending, [...(byEnding.get(ending) ?? []), test]);
  }
  const lines = [...byEnding].map(([ending, some]) => RUNNERS[ending]?.(some));
  const isWhole = lines.length > 0 && tests.every(isPlain);
  return isWhole && lines.every((line) => line !== undefined) ? lines.join("\n") : null;
}

/** `path:line name`, one a line. */
export function placesOf(tests: readonly TestPlace[]): string {
  return tests.map(({ path, line, name }) => `${path}:${line}${name ? ` ${name}` : ""}`).join("\n");
}

/** A name from a repository that could end a line of a shell is put in no command. */
function isPlain({ path, name }: TestPlace): boolean {
  return !/\p{C}/u.test(`${path}${name ?? ""}`);
}

function pytestPlace({ path, name }: TestPlace): string {
  return quoted(name ? `${path}::${name.replaceAll(".", "::")}` : path);
}

const unique = (texts: string[]) => [...new Set(texts)];
const last = (text: string, sign: string) => text.split(sign).at(-1) ?? text;
const folderOf = (path: string) => path.split("/").slice(0, -1).join("/");

/** As one word of a shell, and no option. */
function quoted(text: string): string {
  const safe = text.startsWith("-") ? `./${text}` : text;
  return /^[\w./:@=+-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
