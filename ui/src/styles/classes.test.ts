// Style sheets of lazy screens stay once they have come, so a class that two screens style would look
// as the order of visits has it. These tests hold what CSS modules would: a class has one owner.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const SRC = resolve(import.meta.dirname, "..");

function files(pattern: RegExp): { owner: string; path: string; text: string }[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((path) => pattern.test(path) && !path.includes(".test."))
    .map((path) => ({
      owner: /^(features\/[^/]+|[^/]+)/.exec(path)?.[0] ?? "",
      path: relative(".", join(SRC, path)),
      text: readFileSync(join(SRC, path), "utf8"),
    }));
}

/** The selectors of a sheet, one each. */
function selectors(text: string): string[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\//g, "");
  return [...plain.matchAll(/([^{};]+)\{/g)]
    .flatMap(([, list = ""]) => (list.trim().startsWith("@") ? [] : list.split(/,(?![^(]*\))/)))
    .map((one) => one.trim())
    .filter((one) => one !== "from" && one !== "to");
}

const classesOf = (selector: string) =>
  [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map((m) => m[1]);

const sheets = files(/\.css$/).map((sheet) => ({ ...sheet, selectors: selectors(sheet.text) }));

/** Who styles a class, by class. */
function owners(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { owner, selectors } of sheets)
    for (const name of selectors.flatMap(classesOf))
      found.set(name ?? "", (found.get(name ?? "") ?? new Set()).add(owner));
  return found;
}

const isFeature = (owner: string) => owner.startsWith("features/");

it("no class is styled by two features", () => {
  const shared = [...owners()]
    .map(([name, owners]) => ({ name, by: [...owners].filter(isFeature) }))
    .filter(({ name, by }) => by.length > 1 && [...(owners().get(name) ?? [])].every(isFeature));
  expect(shared).toEqual([]);
});

it("a feature styles shared parts only within its own", () => {
  const all = owners();
  const isShared = (name: string | undefined) =>
    [...(all.get(name ?? "") ?? [])].some((owner) => !isFeature(owner));
  const loose = sheets
    .filter(({ owner }) => isFeature(owner))
    .flatMap(({ path, selectors }) =>
      selectors.filter((one) => classesOf(one).every(isShared)).map((one) => `${path}: ${one}`),
    );
  expect(loose).toEqual([]);
});

it("no feature wears a class of another", () => {
  const all = owners();
  const borrowed = files(/\.tsx$/).flatMap(({ owner, path, text }) => {
    const names = [...text.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)];
    const worn = names.flatMap(([, plain, template]) =>
      (plain ?? template ?? "").split(/[\s${}?:"]+/),
    );
    return worn
      .filter((name) => {
        const by = [...(all.get(name) ?? [])];
        return by.length > 0 && by.every((one) => isFeature(one) && one !== owner);
      })
      .map((name) => `${path}: ${name}`);
  });
  expect(borrowed).toEqual([]);
});
