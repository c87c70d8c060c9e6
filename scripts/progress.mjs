// How far a build is: cargo's own bar, read from its stderr, as "120 of 488 parts, about 4 min left: tantivy".
//
// cargo knows the number of parts only in that bar, which it draws on request where no terminal is.

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { StepError, root, say, showStatus } from "./steps.mjs";

// A first build of both programs: 18 minutes of a processor for 824 parts.
const secondsOfPart = (18 * 60) / 824;
// Small parts come first: for this many more, what was measured counts less than that.
const partsOfGuess = 150;
// What the status says, a line for each part; and what has no bar and takes the status's place.
const isNoise = /^\s*(Compiling|Downloaded|Adding|Locking)\b/;
const isWait = /^\s*(Updating|Downloading|Blocking)\b/;
const escapes = /\u001b\[[0-9;]*[A-Za-z]/g;

/** Runs cargo with a status in place of its lines; warnings and errors are shown as they come. */
export async function cargo(args, next) {
  say(`$ cargo ${args.join(" ")}`);
  const env = { ...process.env, CARGO_TERM_PROGRESS_WHEN: "always", CARGO_TERM_PROGRESS_WIDTH: "160" };
  if (process.stderr.isTTY && !process.env.NO_COLOR) env.CARGO_TERM_COLOR = "always";
  const child = spawn("cargo", args, { cwd: root, env, stdio: ["inherit", "inherit", "pipe"] });
  const started = Date.now();
  const read = reader(say, (state) => showStatus(describe(state, (Date.now() - started) / 1000)));
  child.stderr.setEncoding("utf8").on("data", read);
  const status = await new Promise((done) => {
    child.on("error", () => done("no start"));
    child.on("close", (code, signal) => done(signal ?? code));
  });
  showStatus("");
  if (status !== 0) throw new StepError(`cargo ended with ${status}`, next);
}

/** Takes what cargo writes, in any pieces; hands on its lines, and how far it is. */
export function reader(onLine, onState) {
  let rest = "";
  return (piece) => {
    const parts = (rest + piece).split(/[\r\n]/);
    rest = parts.pop();
    for (const part of parts) {
      const plain = part.replace(escapes, "");
      const state = readBar(plain) ?? (isWait.test(plain) ? { waits: plain.trim() } : undefined);
      if (state) onState(state);
      else if (plain.trim() !== "" && !isNoise.test(plain)) onLine(part.replace(/\u001b\[K/g, ""));
    }
  };
}

/** What a bar says, undefined for any other text. */
export function readBar(text) {
  const [, done, total, names = ""] = text.match(/^\s*Building \[[=> ]*\] (\d+)\/(\d+)(?:: (.*))?$/) ?? [];
  return total && { done: Number(done), total: Number(total), names: names.trim() };
}

/** The status after so many seconds. */
export function describe({ waits, done, total, names }, seconds, processors = availableParallelism()) {
  if (waits) return waits;
  const guess = (partsOfGuess * secondsOfPart) / processors;
  const left = ((guess + seconds) / (partsOfGuess + done)) * (total - done);
  const time = left < 60 ? "less than a minute" : `about ${Math.round(left / 60)} min`;
  return `${done} of ${total} parts, ${time} left${names && `: ${names}`}`;
}
