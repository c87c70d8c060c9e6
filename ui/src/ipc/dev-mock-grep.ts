// Lines that match in the development scenes: the mock's own files, searched as they are shown.

import type { FilePreview, GrepFile, GrepRequest, GrepResponse } from "./types";

export function grep(request: GrepRequest, files: FilePreview[]): GrepResponse {
  const hasCapital = /\p{Lu}/u.test(request.pattern.replace(/\\./g, ""));
  const case_counts = request.match_case || hasCapital;
  const nothing = { files: [], n_lines: 0, n_files: 0, facets: [], stopped: null, problem: null };
  const searched = { n_searched: files.length, case_counts, elapsed_ms: 3.8 };
  let pattern: RegExp;
  try {
    const source = request.regex ? request.pattern : request.pattern.replace(/[^\w\s]/g, "\\$&");
    pattern = new RegExp(source, case_counts ? "g" : "gi");
  } catch {
    const start = Math.max(0, request.pattern.search(/[([{](?!.*[)\]}])/));
    const problem = { message: "unclosed group", start, end: start + 1 };
    return { ...nothing, ...searched, problem };
  }
  const parts = request.filters.paths.map((glob) => glob.replaceAll("*", ""));
  const inPaths = ({ path }: FilePreview) =>
    parts.every((part) => path.includes(part.replace(/\/$/, "")));
  const searchedFiles = files.filter(inPaths).map((file) => fileOf(file, pattern));
  const found = searchedFiles.filter((file) => file.n_lines > 0);
  const n_lines = found.reduce((sum, file) => sum + file.n_lines, 0);
  const folders = new Map<string, number>();
  for (const { path, n_lines } of found) {
    const folder = path.split("/")[0] ?? "";
    folders.set(folder, (folders.get(folder) ?? 0) + n_lines);
  }
  const byFolder = [...folders].map(([reason, count]) => ({ reason, count }));
  const facets = [
    { name: "language", values: [{ reason: "typescript", count: n_lines }] },
    { name: "folder", values: byFolder },
  ];
  return { ...nothing, ...searched, files: found, n_lines, n_files: found.length, facets };
}

function fileOf({ path, text }: FilePreview, pattern: RegExp): GrepFile {
  const inside = { name: "TrieRouter", start_line: 3, end_line: 264 };
  const lines = text.split("\n").flatMap((line, at) => {
    const matches = [...line.matchAll(pattern)].map((match): [number, number] => [
      match.index,
      match.index + match[0].length,
    ]);
    if (matches.length === 0) return [];
    return [
      { text: { line: at + 1, text: line, matches }, cut: 0, inside: at > 2 ? inside : null },
    ];
  });
  const badges = path.includes("test") ? ["test"] : [];
  return { path, badges, n_lines: lines.length, lines };
}
