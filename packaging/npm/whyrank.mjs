#!/usr/bin/env node
// Starts the program of this system's package, with the same arguments, streams and exit code.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import process from "node:process";

const name = `@whyrank/${process.platform}-${process.arch}`;
const file = `bin/whyrank${process.platform === "win32" ? ".exe" : ""}`;

function program() {
  try {
    return createRequire(import.meta.url).resolve(`${name}/${file}`);
  } catch {
    console.error(`whyrank: the package ${name} is not there.`);
    console.error("It is an optional dependency: install without --omit=optional. If there is none for this system, see https://github.com/whyrank/whyrank");
    process.exit(1);
  }
}

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`whyrank: ${error.message}`);
  process.exit(1);
});
// The terminal sends Ctrl-C to both; others send it here alone.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : code));
