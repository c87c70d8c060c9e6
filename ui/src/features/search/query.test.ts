import { describe, expect, it } from "vitest";
import { cut } from "./Marked";
import { addFilter, parseQuery, removeFilter, toggleFilter, withRevision } from "./query";
import { asRequest } from "./request";

describe("filters", () => {
  it("are told from words", () => {
    const { text, filters } = parseQuery("trie match lang:TypeScript kind:class -tests");
    expect(text).toBe("trie match");
    expect(filters).toEqual({
      paths: [],
      languages: ["typescript"],
      kinds: ["class"],
      no_tests: true,
    });
  });

  it("take a file by its whole path, and its hits are not held to one", () => {
    const { text, filters } = parseQuery("match file:app/[id]/a.ts");
    expect(text).toBe("match");
    expect(filters.paths).toEqual(["app/[[]id]/a.ts"]);
  });

  it("take a revision, and another one takes its place", () => {
    const { text, at } = parseQuery("match at:v1.2.0~3 lang:go");
    expect([text, at]).toEqual(["match", "v1.2.0~3"]);
    expect(parseQuery("match").at).toBeNull();
    expect(withRevision("match at:v1 lang:go", "main")).toBe("match lang:go at:main");
    expect(withRevision("match at:v1", null)).toBe("match");
    expect(withRevision("", "main")).toBe("at:main");
    expect(parseQuery("at:--upload-pack=x").at).toBeNull();
  });

  it("take what tunes this question alone", () => {
    const { query, tune } = asRequest("r", "match tune:-vector,graph=2", 10);
    expect([query, tune]).toEqual(["match", ["-vector", "graph=2"]]);
  });

  it("name repositories and workspaces that are searched as one", () => {
    expect(parseQuery("retry in:api,web in:shop").repos).toEqual(["api", "web", "shop"]);
    expect(parseQuery("retry in:all").text).toBe("retry");
    const { text, repos } = parseQuery("where in:../x is -in:api");
    expect([text, repos]).toEqual(["where in:../x is -in:api", []]);
  });

  it("leave code with a colon alone", () => {
    const { text, tokens } = parseQuery("std::vector foo: http://x :ref");
    expect(text).toBe("std::vector foo: http://x :ref");
    expect(tokens).toEqual([]);
  });

  it("keep globs and widen bare words", () => {
    expect(parseQuery("path:src/**").filters.paths).toEqual(["src/**"]);
    expect(parseQuery("path:router").filters.paths).toEqual(["**/*router*", "**/*router*/**"]);
    expect(parseQuery("-path:vendor/**").filters.paths).toEqual(["!vendor/**"]);
  });

  it("keep quoted spaces together", () => {
    expect(parseQuery('path:"my folder/**" x').filters.paths).toEqual(["my folder/**"]);
  });

  it("are added once and removed again", () => {
    const once = addFilter("trie", "lang", "rust");
    expect(once).toBe("trie lang:rust");
    expect(addFilter(once, "lang", "rust")).toBe(once);
    expect(removeFilter(once, "lang:rust")).toBe("trie");
  });
});

describe("a pasted issue", () => {
  it("keeps its lines and has no filters", () => {
    const issue = "It fails\n\nwith path:a.py";
    expect(parseQuery(issue)).toMatchObject({ text: issue, tokens: [] });
  });
});

describe("marks", () => {
  it("lose no text, whatever the ranges", () => {
    for (const ranges of [
      [],
      [[0, 3]],
      [
        [-2, 2],
        [1, 9],
      ],
      [
        [4, 5],
        [0, 1],
      ],
    ] as [number, number][][]) {
      expect(
        cut("abcdef", ranges)
          .map(({ part }) => part)
          .join(""),
      ).toBe("abcdef");
    }
  });
});

describe("patterns", () => {
  it("keep their spaces and quotes, and give up their filters", () => {
    const { text, filters, at } = parseQuery('"a  b" path:"my src" +  x at:main -tests', "exact");
    expect(text).toBe('"a  b" +  x');
    expect([filters.no_tests, at]).toEqual([true, "main"]);
    expect(filters.paths).toContain("**/*my src*");
    expect(parseQuery(String.raw`^\s*std::vec`, "regex").text).toBe(String.raw`^\s*std::vec`);
    expect(withRevision("a  b at:v1", "main", "exact")).toBe("a  b at:main");
  });
});

it("takes a filter back where it is there, however it is written", () => {
  expect(toggleFilter("tax", "kind", "definition")).toBe("tax kind:definition");
  expect(toggleFilter("tax kind:definition -tests", "kind", "definition")).toBe("tax -tests");
  expect(toggleFilter("tax lang:Rust", "lang", "rust")).toBe("tax");
  expect(toggleFilter('tax path:"my docs/**"', "path", "my docs/**")).toBe("tax");
  expect(toggleFilter("tax lang:rust", "lang", "go")).toBe("tax lang:rust lang:go");
  expect(toggleFilter('"a  b" lang:rust', "lang", "rust", "exact")).toBe('"a  b"');
});
