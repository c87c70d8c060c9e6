// The `.deb` in a Debian that has nothing but its base: in, used, upgraded, removed, purged; a person's memos stay.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StepError, run, say } from "../steps.mjs";
import { expect, makeRepository } from "./check.mjs";
import { dist, version } from "./release.mjs";

const SUITE = "bookworm";
const OLDER = "0.0.1";

export async function checkInRoot(base) {
  const deb = readdirSync(dist).find((name) => name.endsWith(".deb"));
  if (!deb) throw new StepError("there is no .deb in dist", "run `npm run package` first");
  const folder = join(base, "root");
  await run("mmdebstrap", ["--variant=minbase", "--quiet", SUITE, folder], { next: "apt-get install mmdebstrap" });
  cpSync(join(dist, deb), join(folder, "new.deb"));
  repack(join(folder, "new.deb"), join(folder, "old.deb"), base);
  makeRepository(join(folder, "repository"));
  // Policy: nothing is started in a root that is no running system.
  writeFileSync(join(folder, "usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  execFileSync("mount", ["-t", "proc", "proc", join(folder, "proc")]);
  try {
    await walk(inside(folder), folder);
  } finally {
    execFileSync("umount", [join(folder, "proc")]);
  }
  rmSync(folder, { recursive: true, force: true });
}

async function walk(at, folder) {
  at.asRoot("apt-get", "update");
  at.asRoot("apt-get", "install", "-y", "--no-install-recommends", "/old.deb");
  at.asRoot("useradd", "--create-home", "ann");
  at.asRoot("chown", "-R", "ann", "/repository");
  expect(at.asAnn("whyrank --version").includes(version), "the installed program names its version");
  at.asAnn("cd /repository && whyrank index . --no-vectors && whyrank memo add 'greetings are short'");
  expect(at.asAnn("cd /repository && whyrank search 'greet somebody'").includes("hello.py"), "a search finds the file");
  say("✓ installed; index, search, memo");
  at.asRoot("apt-get", "install", "-y", "--no-install-recommends", "/new.deb");
  expect(at.asRoot("dpkg-query", "-W", "-f", "${Version}", "whyrank").startsWith(version), "the upgrade has the new version");
  expect(at.asAnn("cd /repository && whyrank memo list").includes("greetings are short"), "memos are there after an upgrade");
  say("✓ upgraded; memos are there");
  window(at);
  at.asRoot("apt-get", "remove", "-y", "whyrank");
  expect(!existsSync(join(folder, "usr/bin/whyrank")), "remove takes the program away");
  at.asRoot("dpkg", "--purge", "whyrank");
  expect(at.asAnn("find ~ -name '*.db' -path '*memory*'").trim() !== "", "a person's memos stay after a purge");
  say("✓ removed and purged; memos stay");
}

/** A window with the program's title is on the screen. */
function window(at) {
  at.asRoot("apt-get", "install", "-y", "--no-install-recommends", "xvfb", "xauth", "x11-utils", "dbus-x11");
  const looks = "for n in $(seq 60); do xwininfo -root -tree | grep -q '\"Whyrank\"' && exit 0; sleep 1; done; exit 1";
  at.asAnn(`xvfb-run -a sh -c "whyrank-desktop /repository & ${looks.replaceAll('"', '\\"').replaceAll("$", "\\$")}"`);
  say("✓ a window on a screen without a desktop");
}

/** The same package under an older version. */
function repack(deb, older, base) {
  const stage = join(base, "older");
  execFileSync("dpkg-deb", ["-R", deb, stage]);
  execFileSync("sed", ["-i", `s/^Version:.*/Version: ${OLDER}/`, join(stage, "DEBIAN/control")]);
  execFileSync("dpkg-deb", ["-Znone", "-b", stage, older], { stdio: "ignore" });
  rmSync(stage, { recursive: true });
}

function inside(folder) {
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive", LANG: "C.UTF-8", HOME: "/root" };
  const enter = (...command) => execFileSync("chroot", [folder, ...command], { env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  mkdirSync(join(folder, "repository"), { recursive: true });
  return { asRoot: enter, asAnn: (script) => enter("su", "-l", "ann", "-c", script) };
}
