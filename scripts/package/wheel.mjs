// The wheel, by maturin in an environment of its own: `uvx whyrank`, `pipx install whyrank`.

import { existsSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { targetFolder } from "../setup.mjs";
import { root, run } from "../steps.mjs";
import { commit, dist } from "./release.mjs";

const MATURIN = "maturin==1.9.6";

export async function packWheel(_whyrank, isRelease) {
  const environment = join(targetFolder(), "package-python");
  const scripts = join(environment, platform() === "win32" ? "Scripts" : "bin");
  const python = join(scripts, platform() === "win32" ? "python.exe" : "python");
  if (!existsSync(python)) await run(platform() === "win32" ? "python" : "python3", ["-m", "venv", environment], { next: "install Python 3 with venv (Debian: python3-venv)" });
  await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", MATURIN]);
  const args = ["build", "--locked", "--out", dist];
  await run(join(scripts, "maturin"), isRelease ? [...args, "--release"] : [...args, "--profile", "dev"], { cwd: join(root, "packaging/python"), env: { WHYRANK_COMMIT: commit() } });
}
