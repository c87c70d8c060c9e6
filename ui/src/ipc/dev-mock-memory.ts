// The stand-in for memory: a few memos of every sort, which edits, pins and forgetting change.

import type {
  Memo,
  MemoConflict,
  MemoDone,
  MemoHistory,
  MemoHome,
  MemoList,
  MemoMoment,
  MemoTimeline,
} from "./memory";

type Guard = <T>(answer: T) => T;
type Arguments = Record<string, unknown>;

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 4, 20, 9, 30);
const sha = (n: number) =>
  (Math.imul(n, 2_654_435_761) >>> 0).toString(16).padStart(8, "0").repeat(5);

const COMMITS = Array.from({ length: 48 }, (_, n) => ({
  sha: sha(n + 1),
  at: NOW - (48 - n) * DAY,
  summary: `commit ${n + 1}: ${["routes", "middleware", "types", "docs"][n % 4]}`,
}));

function memo(n: number, content: string, rest: Partial<Memo> = {}): Memo {
  const at = 4 + ((n * 7) % 40);
  return {
    id: `m${sha(n).slice(0, 10)}`,
    version: `v${sha(n).slice(0, 12)}`,
    state: "valid",
    content,
    kind: "decision",
    tags: [],
    anchors: [],
    confidence: 1,
    tier: "normal",
    pinned: false,
    valid_from_sha: COMMITS[at]?.sha ?? null,
    valid_from_at: NOW - (48 - at) * DAY,
    valid_until_sha: null,
    valid_until_at: null,
    recorded_at: NOW - (48 - at) * DAY + n * 60_000,
    invalidated_at: null,
    superseded_by: null,
    author: {
      name: n % 3 === 0 ? "claude-code" : "Ada",
      is_client: n % 3 === 0,
      call: n % 3 ? null : `${n}`,
    },
    orphaned: false,
    notes: [],
    contested: [],
    drifted: false,
    n_versions: 1,
    ...rest,
  };
}

/** As many as the memo says, newest first. */
function versionsOf(shown: Memo): MemoHistory["versions"] {
  const all = Array.from({ length: shown.n_versions }, (_, back) =>
    back === 0
      ? shown
      : {
          ...shown,
          version: `${shown.version}${"0".repeat(back)}`,
          content: shown.content.replace("SmartRouter", "TrieRouter"),
        },
  );
  return all.map((memo, back) => {
    const parent = all[back + 1];
    const parents = parent ? [parent.version] : [];
    return { memo, change: parent ? "edit" : "add", parents, closings: [], diff: "" };
  });
}

/** As many as the address asks for: `#/memory` with `?memos=10000` before it. */
function nMemos(): number {
  return Number(new URLSearchParams(location.search).get("memos") ?? 40);
}

function begin(n: number): Memo[] {
  const many = Array.from({ length: n }, (_, n) =>
    memo(n + 20, `Middleware ${n + 1} runs before the router`, {
      kind: n % 2 ? "context" : "procedure",
    }),
  );
  return [
    memo(
      1,
      "Routers are chosen by **SmartRouter** at the first match.\n\n- `RegExpRouter` where it can\n- else `TrieRouter`",
      {
        pinned: true,
        tier: "core",
        tags: ["router"],
        n_versions: 2,
        anchors: [
          {
            path: "src/router/smart-router/router.ts",
            symbol: "SmartRouter.match",
            start_line: 22,
            end_line: 48,
            state: "unchanged",
            now: "src/router/smart-router/router.ts:22-48",
            by: "place",
            diff: "",
          },
        ],
      },
    ),
    memo(2, "Paths are decoded once, in `getPath`", {
      drifted: true,
      notes: ["drifted: src/utils/url.ts changed"],
      anchors: [
        {
          path: "src/utils/url.ts",
          symbol: "getPath",
          start_line: 133,
          end_line: 140,
          state: "changed",
          now: "src/utils/url.ts:139-147",
          by: "symbol",
          diff: "@@ -1,3 +1,3 @@\n export const getPath = (request) => {\n-  const limit = 8\n+  const limit = 16\n   return decode(request.url)\n",
        },
      ],
    }),
    memo(3, "Always validate query parameters in the handler", { kind: "preference" }),
    memo(4, "Never validate query parameters in the handler", { kind: "preference" }),
    memo(5, "The build keeps ES2022 as its target", {
      kind: "context",
      confidence: 0.6,
      orphaned: true,
      notes: ["orphaned: nearest ancestor 9e3779b1"],
    }),
    memo(6, "Try `bun test` before a release", {
      kind: "procedure",
      state: "superseded",
      superseded_by: "m0",
    }),
    ...many,
  ];
}

export function memoryHandlers(guard: Guard, isEmpty: boolean) {
  let memos = isEmpty ? [] : begin(nMemos());
  let home: MemoHome = {
    file: "/home/ada/.local/share/whyrank/memory/a1b2c3d4e5f6.db",
    used_from: null,
    found: [
      {
        path: "/home/ada/code/hono-before",
        name: "0f1e2d3c4b5a",
        n_memos: 12,
        n_commits: 9,
        n_here: 9,
        is_there: false,
      },
    ],
  };
  const find = (id: string) => memos.find((one) => one.id.startsWith(id)) ?? memo(0, "");
  const put = (changed: Memo): MemoDone => {
    const isKnown = memos.some((one) => one.id === changed.id);
    memos = isKnown
      ? memos.map((one) => (one.id === changed.id ? changed : one))
      : [changed, ...memos];
    return { memo: changed, conflicts: [], notes: [] };
  };
  const conflicts = (): MemoConflict[] => {
    const [one, other] = [memos[2], memos[3]];
    if (!one || !other || one.state !== "valid" || other.state !== "valid") return [];
    return [
      {
        kind: "contradiction",
        reason: 'one says "always", the other "never"; they share 100% of their words',
        memos: [one, other],
      },
    ];
  };
  return {
    memos: ({ request }: Arguments) => {
      const { repo, state, kinds, text, limit, offset, moment } = request as {
        repo: string;
        moment: MemoMoment;
        state: string;
        kinds: string[];
        text: string;
        limit: number;
        offset: number;
      };
      const fits = (one: Memo) => {
        if (state === "drifted") return one.drifted;
        if (state === "pinned") return one.pinned;
        return state === "all" || one.state === (state || "valid");
      };
      const found = memos.filter(
        (one) =>
          fits(one) &&
          (kinds.length === 0 || kinds.includes(one.kind)) &&
          one.content.toLowerCase().includes(text.toLowerCase()),
      );
      found.sort((a, b) => Number(b.pinned) - Number(a.pinned));
      // Of several repositories the memos are dealt out in turn.
      const ids = repo.split("+");
      const named = (one: Memo, at: number): Memo => {
        const id = ids[at % ids.length] ?? repo;
        return ids.length > 1
          ? { ...one, repo: { id, name: `repository ${id.slice(0, 4)}` } }
          : one;
      };
      const answer: MemoList = {
        memos: found.map(named).slice(offset, limit === 0 ? undefined : offset + limit),
        n_found: found.length,
        n_total: memos.length,
        n_conflicts: conflicts().length,
        moment: "",
        commit: COMMITS.at(-1)?.sha ?? null,
        notes: [],
        missing:
          ids.length > 1 && moment.as_of !== null ? [{ name: "other", why: "no such commit" }] : [],
      };
      return guard(answer);
    },
    memo_history: ({ memo: id }: Arguments) => {
      const shown = find(id as string);
      const answer: MemoHistory = {
        memo: shown,
        versions: versionsOf(shown),
        marks: [],
      };
      return guard(answer);
    },
    memo: ({ memo: id }: Arguments) => guard(find(id as string)),
    memory_home: () => guard(home),
    memory_attach: ({ from }: Arguments) => {
      home = { ...home, used_from: from === null ? null : (home.found[0]?.path ?? null) };
      return guard(home);
    },
    memo_timeline: () => {
      const answer: MemoTimeline = {
        commits: isEmpty ? [] : COMMITS,
        n_commits: isEmpty ? 0 : COMMITS.length,
        bars: memos.map((one, n) => ({
          memo: one.id,
          version: one.version,
          title: one.content,
          from: 4 + ((n * 7) % 40),
          until: one.state === "valid" ? null : 46,
          recorded_at: one.recorded_at,
          invalidated_at: null,
          orphaned: one.notes.some((note) => note.startsWith("orphaned")),
        })),
        recorded: memos.map((one) => one.recorded_at).toSorted((a, b) => a - b),
      };
      return guard(answer);
    },
    memo_conflicts: () => guard(conflicts()),
    memo_anchor: ({ text }: Arguments) => {
      const path = String(text);
      if (path.includes("nothing")) {
        const message = `there is no ${path} to anchor to`;
        throw {
          code: "bad-argument",
          message,
          hint: "give a path relative to the repository root",
        };
      }
      return guard({ path, symbol: null, start_line: 0, end_line: 0 });
    },
    memo_add: ({ request }: Arguments) => {
      const { content, kind, tags } = request as Memo;
      const added = memo(memos.length + 90, content, { kind, tags, recorded_at: NOW });
      return guard(put(added));
    },
    memo_edit: ({ request }: Arguments) => {
      const edit = request as { memo: string; content: string | null; kind: Memo["kind"] | null };
      const old = find(edit.memo);
      return guard(
        put({
          ...old,
          state: "valid",
          content: edit.content ?? old.content,
          kind: edit.kind ?? old.kind,
          version: `${old.version}x`,
          n_versions: old.n_versions + 1,
        }),
      );
    },
    memo_forget: ({ request }: Arguments) =>
      guard(put({ ...find((request as { memo: string }).memo), state: "forgotten" })),
    memo_mark: ({ request, mark }: Arguments) => {
      const old = find((request as { memo: string }).memo);
      const { mark: field, value } = mark as { mark: string; value: unknown };
      if (field === "pinned") return guard(put({ ...old, pinned: value === true }));
      if (field === "tier") return guard(put({ ...old, tier: value as Memo["tier"] }));
      return guard(put(old));
    },
    memo_reanchor: ({ request }: Arguments) => {
      const old = find((request as { memo: string }).memo);
      const anchors = old.anchors.map((one) => ({ ...one, state: "unchanged", diff: "" }));
      return guard(put({ ...old, anchors, drifted: false, notes: [] }));
    },
    memo_purge: ({ request }: Arguments) => {
      const gone = find((request as { memo: string }).memo);
      memos = memos.filter((one) => one.id !== gone.id);
      return guard(gone.n_versions);
    },
    memo_export: () => guard(memos.length),
    memo_import: ({ retire }: Arguments) =>
      guard({
        n_added: 3,
        n_known: 40,
        n_purged: 0,
        n_kept: 0,
        n_edited: 0,
        n_endings: 1,
        are_endings_taken: retire === true,
        endings: memos.slice(0, 1).map((memo) => ({
          memo: memo.id,
          content: memo.content,
          act: "forgotten",
          author: { name: "Bo", is_client: false, call: null },
        })),
        n_conflicts: 1,
      }),
  };
}
