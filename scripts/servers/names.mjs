// Names of a repository, drawn by lot: places in code, and heads of definitions as a server outlines them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";

/** Endings, the name that the protocol has for the language, and what is no name in it. */
export const LANGUAGES = {
  python: { endings: /\.py$/, id: "python", noise: /("""|''')[\s\S]*?\1|#.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g },
  typescript: { endings: /\.(ts|tsx)$/, id: "typescript", noise: script() },
  javascript: { endings: /\.(js|jsx|mjs)$/, id: "javascript", noise: script() },
  go: { endings: /\.go$/, id: "go", noise: /\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g },
  c: { endings: /\.[ch]$/, id: "c", noise: native() },
  cpp: { endings: /\.(cc|cpp|cxx|h|hpp)$/, id: "cpp", noise: native() },
  rust: { endings: /\.rs$/, id: "rust", noise: native() },
};

function script() {
  return /\/\*[\s\S]*?\*\/|\/\/.*|`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
}

function native() {
  return /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^\s*#\s*include.*/gm;
}

const KEYWORDS = new Set(
  ("and as assert async await auto break case catch chan char class const continue def default defer del do double elif else enum except " +
    "export extends extern false finally float fn for from func function global go goto if implements import in instanceof int interface is " +
    "lambda let long loop map match mod mut new nil None nonlocal not null of or package pass private pub public raise range readonly return " +
    "select short signed sizeof static struct switch this throw trait True False true try type typedef typeof undefined union unsigned use " +
    "var void volatile where while with yield inline register readonly abstract declare namespace string number boolean any never unknown").split(" "),
);

/** The tracked files of a language below a folder, with their texts. */
export function filesOf(root, language, folder = "") {
  const listed = spawnSync("git", ["ls-files", "-z", "--", folder || "."], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  const paths = listed.stdout.split("\0").filter((path) => LANGUAGES[language].endings.test(path));
  return paths.map((path) => ({ path, uri: pathToFileURL(join(root, path)).href, text: readFileSync(join(root, path), "utf8") }));
}

/** Identifiers in code, in an order that the seed gives. */
export function drawNames(files, language, seed) {
  const names = files.flatMap((file) => {
    const code = file.text.replace(LANGUAGES[language].noise, (noise) => noise.replace(/[^\n]/g, " "));
    const starts = lineStarts(code);
    return [...code.matchAll(/[A-Za-z_$][\w$]*/g)]
      .filter(([word, ]) => !KEYWORDS.has(word))
      .map((found) => ({ file, name: found[0], ...placeOf(starts, found.index) }));
  });
  return shuffled(names, seed);
}

/** The names of functions, methods, classes and the like, as a server outlines the files. */
export async function drawHeads(server, files, language, { seed, n }) {
  const heads = [];
  for (const file of shuffled(files, seed)) {
    if (heads.length >= n * 3) break;
    server.open(file.uri, LANGUAGES[language].id, file.text);
    const symbols = (await server.ask("textDocument/documentSymbol", { textDocument: { uri: file.uri } })) ?? [];
    heads.push(...flat(symbols).filter(({ kind }) => DEFINES.has(kind)).map((symbol) => head(file, symbol)).filter(Boolean));
  }
  return shuffled(heads, seed).slice(0, n);
}

/** Classes, methods, constructors, enums, interfaces, functions, structs. */
const DEFINES = new Set([5, 6, 9, 10, 11, 12, 23]);

function head(file, symbol) {
  const { line, character } = (symbol.selectionRange ?? symbol.location.range).start;
  const name = symbol.name.split(".").pop().replace(/^\(.*\)/, "");
  const column = file.text.split("\n")[line]?.indexOf(name, character) ?? -1;
  return column < 0 ? null : { file, name, line, character: column };
}

function flat(symbols) {
  return symbols.flatMap((symbol) => [symbol, ...flat(symbol.children ?? [])]);
}

function lineStarts(text) {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function placeOf(starts, index) {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= index) low = middle;
    else high = middle;
  }
  return { line: low, character: index - starts[low] };
}

/** The same order for the same seed. */
function shuffled(list, seed) {
  let state = seed >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const order = [...list];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
