import { expect, it } from "vitest";
import type { SessionCall } from "../../ipc";
import { askedBy, timelineRows, toolColours } from "./timeline";

const call = (id: number, at_ms: number, tool = "search"): SessionCall => ({
  line: {
    id,
    at_ms,
    client: "c",
    client_version: "",
    transport: "stdio",
    session: "s",
    tool,
    args: "{}",
    ms: 500,
    tokens: 10,
    hits: 1,
    query_id: null,
    error: null,
  },
  shown: [],
});

it("puts the agent's pauses between its calls, not the time that it waited", () => {
  const rows = timelineRows([call(1, 1_000), call(2, 2_000), call(3, 92_500)]);
  expect(rows.map((row) => row.kind)).toEqual(["call", "call", "pause", "call"]);
  expect(rows[2]).toMatchObject({ ms: 90_000 });
});

it("says what was asked, and the rest apart", () => {
  expect(askedBy('{"limit":5,"query":"where","repo":"x"}')).toEqual({
    asked: "where",
    rest: "limit=5",
  });
  expect(askedBy('{"paths":["a"]}')).toEqual({ asked: "", rest: 'paths=["a"]' });
  expect(askedBy('{"query":"cut')).toEqual({ asked: '{"query":"cut', rest: "" });
});

it("colours tools by use, and many tools alike", () => {
  const tools = ["b", "a", "a", "c", "d", "e", "f", "g"];
  const colours = toolColours(tools.map((tool, at) => call(at, at, tool)));
  expect(colours.get("a")).toBe("var(--subject-1)");
  expect(colours.get("f")).toBe("var(--subject-8)");
  expect(colours.get("g")).toBe("var(--text-2)");
  expect([...colours.values()]).not.toContain("var(--subject-6)");
});
