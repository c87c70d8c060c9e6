// The npm packages: `whyrank`, which starts the program, and one with the program for each system, as optional
// dependencies. No script runs when they are installed.

import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { npm } from "../setup.mjs";
import { root, run } from "../steps.mjs";
import { SYSTEMS, description, dist, home, licence, shared, target, version } from "./release.mjs";

const nameOf = ({ os, cpu }) => `@whyrank/${os}-${cpu}`;
const common = { version, license: licence, homepage: home, repository: { type: "git", url: `git+${home}.git` } };

export async function packNpm(whyrank) {
  const systems = Object.values(SYSTEMS);
  await pack("launcher", {
    files: ["whyrank.mjs"],
    manifest: {
      name: "whyrank",
      description,
      keywords: ["mcp", "code-search", "retrieval", "agents"],
      bin: { whyrank: "whyrank.mjs" },
      engines: { node: ">=18" },
      optionalDependencies: Object.fromEntries(systems.map((system) => [nameOf(system), version])),
    },
    from: join(root, "packaging/npm"),
  });
  const { os, cpu } = SYSTEMS[target];
  await pack(`${os}-${cpu}`, {
    program: whyrank,
    manifest: { name: nameOf({ os, cpu }), description: `The whyrank program for ${os} on ${cpu}`, os: [os], cpu: [cpu], ...(os === "linux" ? { libc: ["glibc"] } : {}), preferUnplugged: true },
  });
}

async function pack(name, { files = [], from, program, manifest }) {
  const stage = join(shared, "npm", name);
  mkdirSync(join(stage, "bin"), { recursive: true });
  for (const file of files) cpSync(join(from, file), join(stage, file));
  for (const file of ["README.md", "LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(root, file), join(stage, file));
  if (program) {
    const copy = join(stage, "bin", basename(program));
    cpSync(program, copy);
    chmodSync(copy, 0o755);
  }
  writeFileSync(join(stage, "package.json"), `${JSON.stringify({ ...manifest, ...common }, null, 2)}\n`);
  mkdirSync(join(dist, "npm"), { recursive: true });
  await run(npm, ["pack", "--silent", "--pack-destination", join(dist, "npm"), stage]);
}
