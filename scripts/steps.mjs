// Steps of the two commands: each prints what it does and how long it took; the first failure ends
// the run with what to do next. Needs nothing but Node: it runs before `npm ci`.

import { spawn, spawnSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text) => (colour ? `\u001b[1m${text}\u001b[0m` : text);

/** A failure that a person can act on: what went wrong, and the next step. */
export class StepError extends Error {
  constructor(message, next = "") {
    super(message);
    this.next = next;
  }
}

/** Counts over the whole run, for the closing line. */
export const tally = { passed: 0, failed: 0, skipped: 0 };

/** Prints a line of its own. */
export function say(text) {
  clearStatus();
  process.stdout.write(`${text}\n`);
}

// Where no terminal is, a status is a line, and this often.
const STATUS_EVERY = 20_000;
const status = { shown: false, last: -Infinity };

/** Shows how far the work is: in a terminal over the status before, elsewhere now and then; "" takes it away. */
export function showStatus(text) {
  if (process.stdout.isTTY) {
    clearStatus();
    process.stdout.write(text.slice(0, (process.stdout.columns || 80) - 1));
    status.shown = text !== "";
  } else if (text === "") {
    status.last = -Infinity;
  } else if (Date.now() - status.last >= STATUS_EVERY) {
    status.last = Date.now();
    say(text);
  }
}

function clearStatus() {
  if (status.shown) process.stdout.write("\r\u001b[2K");
  status.shown = false;
}

/** Runs one step; what it returns is handed on. */
export async function step(title, act) {
  say(bold(`\n== ${title}`));
  const started = Date.now();
  const outcome = await act();
  say(`-- ${title}: ${duration(Date.now() - started)}`);
  return outcome;
}

/** Runs a command with this terminal's streams; fails with `next` when it does not end with 0. */
export async function run(command, args, { next = "", cwd = root, env = {} } = {}) {
  say(`$ ${[command, ...args].join(" ")}`);
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
  await ended(child, command, next);
}

/** Like `run`, and returns what the command wrote to stdout (which is shown all the same). */
export async function runAndRead(command, args, { next = "", cwd = root, env = {} } = {}) {
  say(`$ ${[command, ...args].join(" ")}`);
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["inherit", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (bytes) => {
    text += bytes;
    process.stdout.write(bytes);
  });
  try {
    await ended(child, command, next);
  } catch (error) {
    error.output = text;
    throw error;
  }
  return text;
}

/** Runs a command to its end with its output kept back: exit code, stdout and stderr. */
export function runQuietly(command, args, { cwd = root, env = {} } = {}) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) {
    child[stream].setEncoding("utf8").on("data", (text) => {
      said[stream] += text;
    });
  }
  return new Promise((done, fail) => {
    child.on("error", (error) => fail(new StepError(`${command} could not be started: ${error.message}`)));
    child.on("close", (status) => done({ status, ...said }));
  });
}

/** What a quiet command prints, or undefined when it is missing or fails. */
export function ask(command, ...args) {
  const answer = spawnSync(command, args, { encoding: "utf8" });
  return answer.status === 0 ? answer.stdout.trim() : undefined;
}

/** Runs the steps of a command; a failure is reported and becomes the exit code. */
export async function main(act, { closingLine }) {
  const started = Date.now();
  try {
    await act();
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    tally.failed = Math.max(tally.failed, 1);
    say(bold(`\nstopped: ${error.message}`));
    if (error.next) say(`what to do: ${error.next}`);
    process.exitCode = 1;
  }
  say(`\ntook ${duration(Date.now() - started)}`);
  if (closingLine) {
    const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : "";
    say(`${tally.passed} passed, ${tally.failed} failed${skipped}`);
  }
}

function ended(child, command, next) {
  return new Promise((done, fail) => {
    child.on("error", (error) => {
      const missing = error.code === "ENOENT";
      fail(new StepError(missing ? `${command} is not installed` : String(error), next));
    });
    child.on("close", (code, signal) => {
      if (code === 0) done();
      else fail(new StepError(`${command} ended with ${signal ?? code}`, next));
    });
  });
}

function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
