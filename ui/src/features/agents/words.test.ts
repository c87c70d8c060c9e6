import { expect, it } from "vitest";
import type { ClientStatus, Placement } from "../../ipc";
import { ago, clientMark, written } from "./words";

const place = (state: Placement["state"]): Placement => ({
  scope: "user",
  project: null,
  path: "/home/me/.cursor/mcp.json",
  state,
  note: "",
  profile: null,
  can_undo: false,
});

const client = (states: Placement["state"][], connected = false): ClientStatus => ({
  id: "cursor",
  name: "Cursor",
  tier: 1,
  detected: true,
  evidence: [],
  placements: states.map(place),
  has_project_scope: true,
  connected: connected ? { name: "cursor", version: "1", at: 1 } : null,
  restart: "",
  source: "",
  verified: "",
});

it("says the worst of a client's files first", () => {
  expect(clientMark(client(["set", "broken"])).word).toBe("Invalid file");
  expect(clientMark(client(["set", "outdated"], true)).word).toBe("Outdated");
  expect(clientMark(client(["set", "not-set"], true)).word).toBe("Connected");
  expect(clientMark(client(["set"])).word).toBe("Set up");
  expect(clientMark(client(["not-set"], true)).word).toBe("Not set up");
});

it("writes arguments as a call", () => {
  expect(written('{"query":"a b","limit":3}')).toBe('query="a b", limit=3');
  expect(written('{"query":"cut of')).toBe('{"query":"cut of');
});

it("counts back from now", () => {
  expect([0, 61, 7200, 200_000].map((seconds) => ago(0, seconds * 1000))).toEqual([
    "just now",
    "1 min ago",
    "2 h ago",
    "2 d ago",
  ]);
});
