// The stand-in for agents: two that were found, one of them set up, and a log of calls.

import type {
  AgentsOverview,
  Applied,
  CallDetail,
  CallLine,
  CallLog,
  CallSession,
  ClientStatus,
  HttpState,
  Placement,
  Plan,
  SetupRequest,
  Verification,
} from "./agents";

type Guard = <T>(answer: T) => T;

const HOUR = 3_600_000;

function place(path: string, state: Placement["state"]): Placement {
  const isSet = state === "set";
  const note = {
    "not-set": "not set up",
    set: "set up",
    outdated: "starts /old",
    broken: "line 3",
  };
  return {
    scope: "user",
    project: null,
    path: `/home/me/${path}`,
    state,
    note: note[state],
    profile: isSet ? "standard" : null,
    can_undo: isSet,
  };
}

function client(id: string, name: string, file: Placement, detected: boolean): ClientStatus {
  return {
    id,
    name,
    tier: 1,
    detected,
    evidence: detected ? [`/home/me/.${id}`] : [],
    placements: [file],
    has_project_scope: true,
    connected:
      file.state === "set" ? { name: id, version: "2.1.4", at: Date.now() / 1000 - 130 } : null,
    restart: `Restart ${name}.`,
    source: "https://example.com",
    verified: "2026-11-21",
  };
}

const ASKED = [
  { query: "where are retries done, and who calls them" },
  { symbol: "retry", path: "src/http/retry.ts" },
  { path: "src/queue/backoff.ts" },
  { symbol: "Backoff.next" },
  { base: "main" },
];

function call(id: number): CallLine {
  const tools = ["search", "refs", "context", "impact", "review_diff"];
  const failed = id % 9 === 0;
  return {
    id,
    at_ms: Date.now() - (40 - id) * 61_000,
    client: id % 3 === 0 ? "cursor-vscode" : "claude-code",
    client_version: "2.1.4",
    transport: "stdio",
    session: id % 3 === 0 ? "a-1" : "b-2",
    tool: tools[id % tools.length] ?? "search",
    args: JSON.stringify({ ...ASKED[id % ASKED.length], limit: 5 }),
    ms: 4 + ((id * 37) % 90),
    tokens: failed ? 20 : 120 + ((id * 53) % 900),
    hits: failed ? 0 : id % 12,
    query_id: id % 2 === 0 ? "q81f2a0c3" : null,
    error: failed ? "not-found" : null,
  };
}

function totals(name: string, calls: CallLine[]) {
  return {
    name,
    session: null,
    calls: calls.length,
    failed: calls.filter((one) => one.error).length,
    tokens: calls.reduce((sum, one) => sum + one.tokens, 0),
    p50_ms: 41,
    p95_ms: 88.2,
    last_ms: Date.now(),
  };
}

export function agentHandlers(guard: Guard, isEmpty: boolean) {
  let states: Record<string, Placement["state"]> = {
    "claude-code": "set",
    cursor: "not-set",
    zed: "broken",
  };
  let running = false;
  let isOn = true;
  let cleared = false;
  const http = (): HttpState => ({
    running,
    url: running ? "http://127.0.0.1:8717/mcp" : "",
    token_file: "/home/me/.local/state/whyrank/http-token",
  });
  const overview = (): AgentsOverview => ({
    clients: [
      client(
        "claude-code",
        "Claude Code",
        place(".claude.json", states["claude-code"] ?? "set"),
        !isEmpty,
      ),
      client("cursor", "Cursor", place(".cursor/mcp.json", states.cursor ?? "not-set"), !isEmpty),
      client(
        "zed",
        "Zed",
        place(".config/zed/settings.json", isEmpty ? "not-set" : "broken"),
        !isEmpty,
      ),
      client("codex", "Codex", place(".codex/config.toml", "not-set"), false),
    ].map((one) =>
      isEmpty
        ? {
            ...one,
            placements: one.placements.map((at) => ({
              ...at,
              state: "not-set" as const,
              can_undo: false,
            })),
            connected: null,
          }
        : one,
    ),
    profiles: [
      { profile: "core", tools: 6, tokens: 1_050 },
      { profile: "standard", tools: 17, tokens: 2_431 },
      { profile: "full", tools: 33, tokens: 4_380 },
    ],
    command: "/usr/bin/whyrank",
  });
  const applied = (id: string): Applied => ({
    client: id,
    name: id,
    files: [`/home/me/.${id}`],
    notes: [],
    restart: "Switch whyrank on under Settings, MCP.",
  });
  return {
    agents_overview: () => guard(overview()),
    agents_plan: ({ request }: Record<string, unknown>) => guard(planOf(request as SetupRequest)),
    agents_apply: ({ request }: Record<string, unknown>) => {
      const { client: id } = request as SetupRequest;
      states = { ...states, [id]: "set" };
      return guard(applied(id));
    },
    agents_undo: ({ client: id }: Record<string, unknown>) => {
      states = { ...states, [String(id)]: "not-set" };
      return guard(applied(String(id)));
    },
    agents_verify: ({ client: id }: Record<string, unknown>) => guard(verified(String(id))),
    http_state: () => guard(http()),
    http_start: () => {
      running = true;
      return guard(http());
    },
    http_stop: () => {
      running = false;
      return guard(http());
    },
    http_token: () => guard("0123456789abcdef"),
    calls: ({ request }: Record<string, unknown>) =>
      guard(logOf(request, isEmpty || cleared, isOn)),
    call_detail: ({ id }: Record<string, unknown>): CallDetail =>
      guard({
        line: call(Number(id)),
        text: "src/http/retry.ts:12-40 function retry(request: Request)\n  18: await backoff(attempt)\n[1/24 candidates; 41 tokens; explain q81f2a0c3]",
      }),
    call_session: ({ session }: Record<string, unknown>) => guard(sessionOf(String(session))),
    session_cost: ({ session }: Record<string, unknown>) => {
      const { calls, total } = sessionOf(String(session));
      const named = calls.filter(
        ({ line, shown }) => ["lookup", "refs"].includes(line.tool) && shown?.length,
      );
      return guard({
        baseline: "smart-grep-fair",
        n_calls: total.calls,
        calls: named.map(({ line, shown }) => ({
          id: line.id,
          n_shown: shown?.length ?? 0,
          n_found: Math.max(0, (shown?.length ?? 0) - 1),
          tokens: line.tokens,
          grep_tokens: line.tokens * 7,
        })),
      });
    },
    clear_calls: () => {
      cleared = true;
      return null;
    },
    keep_calls: ({ on }: Record<string, unknown>) => {
      isOn = Boolean(on);
      return null;
    },
    calls_save: () => guard(40),
  };
}

function planOf(request: SetupRequest): Plan {
  const path =
    request.scope === "project" ? "/home/me/app/.cursor/mcp.json" : "/home/me/.cursor/mcp.json";
  const args =
    request.profile === "standard" ? '["mcp"]' : `["mcp", "--profile", "${request.profile}"]`;
  return {
    client: request.client,
    name: request.client,
    changes: [
      {
        about: "server",
        path,
        links_to: null,
        exists: true,
        before: "abc",
        diff: `--- ${path}\n+++ ${path}\n@@ -3,4 +3,8 @@\n     "other": {\n       "command": "npx"\n+    },\n+    "whyrank": {\n+      "command": "/usr/bin/whyrank",\n+      "args": ${args}\n     }\n`,
      },
    ],
    notes: ["No hooks and no permissions are written: the client asks before each tool."],
    snippet: "{}",
    cli: null,
    link: null,
    restart: "Restart it.",
  };
}

function verified(id: string): Verification[] {
  return [
    {
      client: id,
      name: id,
      path: `/home/me/.${id}`,
      ticks: [
        {
          step: "file",
          state: "ok",
          message: "/home/me/.cursor/mcp.json holds the entry",
          fix: "",
        },
        {
          step: "server",
          state: "ok",
          message: "the server started and listed 17 tools in 36 ms",
          fix: "",
        },
        {
          step: "client",
          state: "waiting",
          message: "waiting for the first connection of Cursor",
          fix: "Restart Cursor.",
        },
      ],
    },
  ];
}

const SHOWN = [
  "src/http/retry.ts",
  "src/http/client.ts",
  "src/queue/backoff.ts",
  "docs/retries.md",
];

function sessionOf(session: string): CallSession {
  const log = logOf({ session }, false, true);
  const calls = log.calls.toReversed().map((line, at) => ({
    // An agent thinks now and then.
    line: { ...line, at_ms: Date.now() - (log.calls.length - at) * 4_300 - (at < 9 ? 900_000 : 0) },
    shown:
      at === 0
        ? null
        : SHOWN.slice(0, line.hits % 5).map((path, nth) => ({
            path,
            start_line: 12 + 31 * nth + at,
            end_line: 40 + 31 * nth + at,
          })),
  }));
  const files = SHOWN.map((reason) => ({
    reason,
    count: calls.filter(({ shown }) => shown?.some(({ path }) => path === reason)).length,
  }));
  const waited_ms = calls.reduce((sum, { line }) => sum + line.ms, 0);
  return { calls, total: log.total, waited_ms, files };
}

function logOf(request: unknown, isEmpty: boolean, isOn: boolean): CallLog {
  const { client = "", session = "" } = request as { client?: string; session?: string };
  const all = isEmpty ? [] : Array.from({ length: 40 }, (_, at) => call(40 - at));
  const calls = all.filter(
    (one) => one.client.includes(client) && (session === "" || one.session === session),
  );
  const of = (name: string) =>
    totals(
      name,
      all.filter((one) => one.client === name),
    );
  return {
    is_on: isOn,
    calls,
    total: totals("", calls),
    day: totals(
      "",
      calls.filter((one) => one.at_ms > Date.now() - 24 * HOUR),
    ),
    clients: isEmpty ? [] : [of("claude-code"), of("cursor-vscode")],
    sessions: [...new Set(calls.map((one) => one.session))].map((session) => {
      const its = calls.filter((one) => one.session === session);
      const client = its[0]?.client ?? "";
      return { ...totals(`${client} ${session}`, its), session: { client, id: session } };
    }),
  };
}
