// The program: looked for outside of the folders that are open, called with its arguments one by one, never by a shell.

import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative } from "node:path";
import { createInterface } from "node:readline";

/** Something that did not work, and what to do. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

export interface Call {
  program: string;
  args: readonly string[];
  cwd: string;
  /** Standard input; empty where none is given. */
  input?: string;
  /** Ends it as Ctrl-C does. */
  signal?: AbortSignal;
  /** Takes what it says on standard error meanwhile. */
  onLine?: (line: string) => void;
}

export interface Output {
  /** `null` where a signal ended it. */
  status: number | null;
  stdout: string;
  stderr: string;
}

const MOST_OUTPUT = 64 * 1024 * 1024;

/**
 * The absolute path of a program. A bare name is looked for on PATH, but never in the folders that are open: what lies
 * there is a stranger's.
 */
export function findProgram(
  name: string,
  opened: readonly string[],
  path = process.env.PATH ?? "",
): string {
  if (isAbsolute(name)) {
    if (isProgram(name)) return name;
    throw missing(`${name} is no program`);
  }
  if (/[\\/]/.test(name)) throw missing(`${name} is neither a name nor an absolute path`);
  const file = process.platform === "win32" && !/\.exe$/i.test(name) ? `${name}.exe` : name;
  const trusted = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !opened.some((one) => isWithin(one, folder)));
  const found = trusted.map((folder) => join(folder, file)).find(isProgram);
  if (!found) throw missing(`${name} is not on PATH`);
  return found;
}

function missing(why: string): Failure {
  return new Failure("missing", why, "install Whyrank, or choose the path of the program");
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Tells that a path is a folder or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!/^\.\.([\\/]|$)/.test(way) && !isAbsolute(way));
}

/** Its output, whatever the exit code says. */
export function run({ program, args, cwd, input = "", signal, onLine }: Call): Promise<Output> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd,
      maxBuffer: MOST_OUTPUT,
      windowsHide: true,
      shell: false,
      killSignal: "SIGINT" as const,
      ...(signal && { signal }),
    };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) return resolve({ status: 0, stdout, stderr });
      if (signal?.aborted) return reject(new Failure("cancelled", "cancelled", ""));
      const { code } = error;
      if (typeof code === "number") return resolve({ status: code, stdout, stderr });
      reject(notRun(program, code ?? undefined, error));
    });
    if (onLine && child.stderr) createInterface({ input: child.stderr }).on("line", onLine);
    // One that is gone before it read its input says so by its exit code.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

function notRun(program: string, code: string | undefined, error: Error): Failure {
  if (code === "ENOENT" || code === "EACCES") return missing(`${program} cannot be run: ${code}`);
  return new Failure("not-run", error.message, "see whether it runs in a terminal");
}

/** The JSON that was printed; an error in it, or none at all, is a failure. */
export function answerOf<Answer>({ stdout, stderr, status }: Output): Answer {
  let answer: { error?: { code: string; message: string; hint?: string } };
  try {
    answer = JSON.parse(stdout);
  } catch {
    const said = stderr.trim().slice(-500) || `it ended with ${status} and said nothing`;
    throw new Failure("no-answer", said, "see whether this version of Whyrank fits the extension");
  }
  const { error } = answer;
  if (error) throw new Failure(error.code, error.message, error.hint ?? "");
  return answer as Answer;
}

/** The text that was printed; another exit code than 0 is a failure. */
export function textOf({ stdout, stderr, status }: Output): string {
  if (status === 0) return stdout;
  throw new Failure("failed", stderr.trim().slice(-500) || `it ended with ${status}`, "");
}
