// Facts of one TypeScript or JavaScript package, by the TypeScript language service.
// usage: node facts.cjs ROOT LANGUAGE ONLY(comma list or "") TEST_PREFIXES(comma list) [requires] [PATHS] > facts.json
// With "requires" the variables that hold a required module count as definitions too. PATHS (JSON): where the
// names of packages lead below ROOT, when it holds several.
const fs = require("fs");
const path = require("path");
// The compiler comes from the work folder it is run in, not from the repository around this script.
const ts = require(require.resolve("typescript", { paths: [process.cwd()] }));

const [root, language, onlyArg, testArg, withRequires, pathsArg] = process.argv.slice(2);
const paths = JSON.parse(pathsArg || "{}");
const only = onlyArg ? onlyArg.split(",") : [];
const tests = testArg ? testArg.split(",") : [];
const isJs = language === "javascript";
const SKIP = new Set(["node_modules", ".git"]);
// A token that occurs more often than this is not checked one by one: the name is too common.
const MAX_LEFTOVER = 200;

const rel = (f) => path.relative(root, f).split(path.sep).join("/");
const inOnly = (r) => only.length === 0 || only.some((o) => r === o || r.startsWith(o + "/"));
const isTest = (r) => tests.some((t) => r.startsWith(t));

function sources(dir, out = []) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(dir, e.name);
    if (e.isDirectory()) {
      if (!SKIP.has(e.name)) sources(full, out);
    } else if (wanted(e.name) && inOnly(rel(full))) out.push(full);
  }
  return out;
}

function wanted(name) {
  if (isJs) return /\.(js|cjs|mjs)$/.test(name) && !/\.min\.js$/.test(name);
  return /\.tsx?$/.test(name);
}

const files = sources(root);
const fileSet = new Set(files);
const options = {
  allowJs: isJs,
  checkJs: isJs,
  noEmit: true,
  target: ts.ScriptTarget.ESNext,
  module: isJs ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext,
  moduleResolution: isJs ? ts.ModuleResolutionKind.Node10 : ts.ModuleResolutionKind.Bundler,
  esModuleInterop: true,
  resolveJsonModule: true,
  strict: !isJs,
  skipLibCheck: true,
  ...(Object.keys(paths).length ? { baseUrl: root, paths } : {}),
  types: ["node"],
  typeRoots: [path.join(process.cwd(), "node_modules/@types")],
};

// The compiler prefers x.d.ts beside x.js and would then not look into x.js.
const hidden = (f) => isJs && f.startsWith(root) && f.endsWith(".d.ts") && !f.includes("node_modules");
const texts = new Map();
const read = (f) => {
  if (!texts.has(f)) texts.set(f, ts.sys.readFile(f));
  return texts.get(f);
};
const host = {
  getScriptFileNames: () => files,
  getScriptVersion: () => "1",
  getScriptSnapshot: (f) => (fs.existsSync(f) ? ts.ScriptSnapshot.fromString(read(f)) : undefined),
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o),
  fileExists: (f) => !hidden(f) && ts.sys.fileExists(f),
  readFile: read,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
};
const service = ts.createLanguageService(host, ts.createDocumentRegistry());
const program = service.getProgram();
const checker = program.getTypeChecker();
const lineOf = (sf, pos) => sf.getLineAndCharacterOfPosition(pos).line + 1;

function isFunctionNode(n) {
  return n && (ts.isArrowFunction(n) || ts.isFunctionExpression(n));
}

function containerName(node) {
  for (let p = node.parent; p; p = p.parent) {
    if (ts.isClassLike(p) || ts.isInterfaceDeclaration(p) || ts.isEnumDeclaration(p)) return p.name && p.name.text;
    if (ts.isObjectLiteralExpression(p)) return objectName(p);
    if (ts.isFunctionLike(p) || ts.isSourceFile(p)) return null;
  }
  return null;
}

function objectName(obj) {
  const p = obj.parent;
  if (ts.isVariableDeclaration(p) && ts.isIdentifier(p.name)) return p.name.text;
  if (ts.isBinaryExpression(p) && ts.isIdentifier(p.left)) return p.left.text;
  return null;
}

// `X.prototype.name = ...`, `exports.name = ...`, `X.name = ...` at the top of a JavaScript file.
function assigned(node) {
  if (!isJs || !ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return null;
  const left = node.left;
  if (!ts.isPropertyAccessExpression(left) || !ts.isExpressionStatement(node.parent)) return null;
  if (!isFunctionNode(node.right)) return null;
  const owner = left.expression.getText().replace(/\.prototype$/, "");
  if (owner === "this" || owner === "module") return null;
  const isExport = owner === "exports" || owner === "module.exports";
  const method = left.expression.getText().endsWith(".prototype");
  // A function put on an object that somebody else reads (`stream._read = ...`) may be called unseen.
  const convention = !isExport && !method;
  return { nameNode: left.name, kind: method ? "method" : "function", container: isExport ? null : owner, exported: isExport, convention, range: node.right };
}

function hasExport(node) {
  return !!(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export);
}

function insideFunction(node) {
  for (let p = node.parent; p; p = p.parent) if (ts.isFunctionLike(p)) return true;
  return false;
}

// Members that an interface, a base class or the user of an object literal may call unseen.
function mayBeConvention(node) {
  if (ts.isObjectLiteralExpression(node.parent)) return true;
  return !!(node.parent.heritageClauses && node.parent.heritageClauses.length);
}

function member(node, kind) {
  return { nameNode: node.name, kind, container: containerName(node), member: true, convention: mayBeConvention(node), range: node };
}

function declared(node) {
  const named = node.name && ts.isIdentifier(node.name);
  if (ts.isFunctionDeclaration(node) && named)
    return { nameNode: node.name, kind: "function", exported: hasExport(node), nested: insideFunction(node), range: node };
  if (ts.isClassDeclaration(node) && named) return { nameNode: node.name, kind: "class", exported: hasExport(node), range: node };
  if (ts.isInterfaceDeclaration(node)) return { nameNode: node.name, kind: "interface", exported: hasExport(node), range: node };
  if (ts.isTypeAliasDeclaration(node)) return { nameNode: node.name, kind: "type", exported: hasExport(node), range: node };
  if (ts.isEnumDeclaration(node)) return { nameNode: node.name, kind: "enum", exported: hasExport(node), range: node };
  if (ts.isMethodDeclaration(node) && named) return member(node, "method");
  if (ts.isAccessor(node) && named) return member(node, "property");
  if (ts.isPropertyDeclaration(node) && named) return member(node, isFunctionNode(node.initializer) ? "method" : "field");
  if ((ts.isMethodSignature(node) || ts.isPropertySignature(node)) && named) return { ...member(node, "signature") };
  if (ts.isEnumMember(node) && named) return member(node, "constant");
  if (ts.isPropertyAssignment(node) && named && isFunctionNode(node.initializer)) return member(node, "method");
  return variable(node) || assigned(node) || moduleExport(node);
}

// `module.exports = function name() {}` and the same with a class: users give it names of their own.
function moduleExport(node) {
  if (!isJs || !(ts.isFunctionExpression(node) || ts.isClassExpression(node)) || !node.name) return null;
  const p = node.parent;
  if (!ts.isBinaryExpression(p) || p.left.getText() !== "module.exports") return null;
  const kind = ts.isClassExpression(node) ? "class" : "function";
  return { nameNode: node.name, kind, exported: true, convention: true, doubt: "export without a name", range: node };
}

function variable(node) {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) return null;
  if (requireish(node.initializer)) return withRequires ? { nameNode: node.name, kind: "import", range: node } : null;
  const statement = node.parent.parent;
  const top = ts.isVariableStatement(statement) && ts.isSourceFile(statement.parent);
  const fn = isFunctionNode(node.initializer);
  if (!top && !fn) return null;
  const kind = fn ? "function" : ts.isClassExpression(node.initializer) ? "class" : "constant";
  return { nameNode: node.name, kind, exported: top && hasExport(node), nested: !top, range: node };
}

function isRequire(node) {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "require";
}

const defs = [];
const bySymbol = new Map();
const tokens = new Map(); // word -> [[file, pos]] of every identifier
const stringSet = new Set();

function addToken(node) {
  const list = tokens.get(node.text) || [];
  list.push([node.getSourceFile().fileName, node.getStart()]);
  tokens.set(node.text, list);
}

function addDef(sf, d) {
  const symbol = checker.getSymbolAtLocation(d.nameNode);
  const line = lineOf(sf, d.nameNode.getStart());
  const known = symbol && bySymbol.get(symbol);
  if (known) return mergeDef(known, sf, d, line);
  const def = {
    name: d.nameNode.text,
    qual: d.container ? `${d.container}.${d.nameNode.text}` : d.nameNode.text,
    kind: d.kind,
    file: rel(sf.fileName),
    line,
    end_line: lineOf(sf, d.range.getEnd()),
    exported: !!d.exported,
    member: !!d.member || d.kind === "method",
    nested: !!d.nested,
    convention: !!d.convention,
    doubt: d.doubt,
    also: [],
    pos: d.nameNode.getStart(),
    abs: sf.fileName,
    body: hasBody(d.range),
  };
  defs.push(def);
  if (symbol) bySymbol.set(symbol, def);
  return def;
}

const hasBody = (n) => !ts.isFunctionDeclaration(n) && !ts.isMethodDeclaration(n) ? true : !!n.body;

// Overloads and merged declarations are one symbol: the one with a body is its place.
function mergeDef(def, sf, d, line) {
  const file = rel(sf.fileName);
  if (!def.body && hasBody(d.range)) {
    def.also.push({ file: def.file, line: def.line });
    Object.assign(def, { file, line, end_line: lineOf(sf, d.range.getEnd()), pos: d.nameNode.getStart(), abs: sf.fileName, body: true });
  } else if (def.file !== file || def.line !== line) def.also.push({ file, line });
}

// Constructors, computed and private members: functions without a definition of their own.
const unnamed = [];
function noteUnnamed(sf, node) {
  const inClass = ts.isClassLike(node.parent) || ts.isObjectLiteralExpression(node.parent);
  const plain = node.name && ts.isIdentifier(node.name);
  if (!ts.isFunctionLike(node) || !inClass || plain) return;
  unnamed.push({ file: rel(sf.fileName), line: lineOf(sf, node.getStart()), end_line: lineOf(sf, node.getEnd()) });
}

function visit(sf, node) {
  const d = declared(node);
  if (node.parent) noteUnnamed(sf, node);
  if (d) addDef(sf, d);
  if (ts.isIdentifier(node)) addToken(node);
  if (ts.isStringLiteralLike(node)) stringSet.add(node.text);
  ts.forEachChild(node, (c) => visit(sf, c));
}

function tokenAt(sf, pos) {
  let found = sf;
  const step = (n) => {
    if (n.getStart() <= pos && pos < n.getEnd()) {
      found = n;
      ts.forEachChild(n, step);
    }
  };
  ts.forEachChild(sf, step);
  return found;
}

function roleOf(node) {
  const p = node.parent;
  if (ts.isImportSpecifier(p) || ts.isImportClause(p) || ts.isNamespaceImport(p) || ts.isExportSpecifier(p) || ts.isImportEqualsDeclaration(p)) return "import";
  if (ts.isBindingElement(p) && requiredPattern(p)) return "import";
  if (isJs && exportList(node, p)) return "import";
  if (ts.isVariableDeclaration(p) && p.name === node && p.initializer && requireish(p.initializer)) return "import";
  if (ts.isPropertyAccessExpression(p) && p.name === node) return calleeOf(p) ? "call" : requireish(p) ? "import" : "use";
  return calleeOf(node) ? "call" : "use";
}

// `module.exports = name` and `module.exports = { name }` hand a name on, like an export list.
function exportList(node, p) {
  const isExports = (a) => ts.isBinaryExpression(a) && /^(module\.)?exports\b/.test(a.left.getText());
  if (ts.isShorthandPropertyAssignment(p) || (ts.isPropertyAssignment(p) && p.initializer === node)) return isExports(p.parent.parent);
  return isExports(p) && p.right === node;
}

const requireish = (n) => isRequire(n) || (ts.isPropertyAccessExpression(n) && isRequire(n.expression));
const requiredPattern = (el) => ts.isVariableDeclaration(el.parent.parent) && !!el.parent.parent.initializer && requireish(el.parent.parent.initializer);
const calleeOf = (n) => (ts.isCallExpression(n.parent) || ts.isNewExpression(n.parent)) && n.parent.expression === n;

function isDeclName(def, file, line) {
  return (def.file === file && def.line === line) || def.also.some((a) => a.file === file && a.line === line);
}

function fillRefs(def) {
  const groups = (service.findReferences(def.abs, def.pos) || []).filter((g) => g.references.length);
  const seen = new Set();
  def.refs = [];
  for (const g of groups) {
    for (const r of g.references) {
      if (!fileSet.has(r.fileName)) continue;
      const key = `${r.fileName}:${r.textSpan.start}`;
      if (seen.has(key)) continue;
      seen.add(key);
      addRef(def, r);
    }
  }
  if (overridden(groups)) def.doubt = "override";
  return seen;
}

// Groups with another name place that is a declaration of a class or interface: an override.
function overridden(groups) {
  const owners = new Set();
  for (const g of groups) {
    const k = g.definition.kind;
    if (k === "alias" || !fileSet.has(g.definition.fileName)) continue;
    if (g.definition.containerKind === "class" || g.definition.containerKind === "interface" || k === "method" || k === "getter" || k === "property")
      owners.add(`${g.definition.containerName}`);
  }
  return owners.size > 1;
}

function addRef(def, r) {
  const sf = program.getSourceFile(r.fileName);
  const node = tokenAt(sf, r.textSpan.start);
  const line = lineOf(sf, r.textSpan.start);
  const file = rel(r.fileName);
  const text = sf.text.substr(r.textSpan.start, r.textSpan.length);
  if (text !== def.name) {
    def.doubt = def.doubt || "alias";
    return;
  }
  const decl = isDeclName(def, file, line) && (r.isDefinition || node.getStart() === def.pos);
  // With checkJs the types of doc comments count as references too: they are no code.
  const code = ts.isIdentifier(node) || ts.isStringLiteralLike(node);
  def.refs.push([file, line, decl ? "decl" : code ? roleOf(node) : "doc"]);
}

const definitionCache = new Map();
function definitionsAt(file, pos) {
  const key = `${file}:${pos}`;
  if (!definitionCache.has(key))
    definitionCache.set(key, (service.getDefinitionAtPosition(file, pos) || []).map((d) => `${d.fileName}:${d.textSpan.start}`));
  return definitionCache.get(key);
}

// The other direction: every token of that name which is no reference has to resolve elsewhere.
// References stop at `module.exports = { name }`; a token that resolves to the definition, or to
// such a place in between, is a use as well.
function reverseCheck(def, seen) {
  let left = (tokens.get(def.name) || []).filter(([f, p]) => !seen.has(`${f}:${p}`) && !(f === def.abs && p === def.pos));
  if (left.length > MAX_LEFTOVER) {
    def.same_word = left.length;
    return "common";
  }
  const own = new Set([`${def.abs}:${def.pos}`]);
  for (let grown = true; grown; ) {
    const rest = left.filter(([f, p]) => !definitionsAt(f, p).some((t) => own.has(t)));
    grown = rest.length < left.length;
    for (const place of left.filter((l) => !rest.includes(l))) addMissed(def, own, place);
    left = rest;
  }
  def.same_word = left.length;
  return left.some(([f, p]) => definitionsAt(f, p).length === 0) ? "unresolved" : null;
}

function addMissed(def, own, [fileName, start]) {
  own.add(`${fileName}:${start}`);
  def.missed = (def.missed || 0) + 1;
  addRef(def, { fileName, textSpan: { start, length: def.name.length } });
}

function depsOf(sf) {
  const out = new Set();
  for (const spec of sf.imports || []) {
    if (spec.flags & ts.NodeFlags.JSDoc) continue; // a type in a comment is no dependency
    const r = ts.resolveModuleName(spec.text, sf.fileName, options, host).resolvedModule;
    if (r && fileSet.has(r.resolvedFileName) && r.resolvedFileName !== sf.fileName) out.add(rel(r.resolvedFileName));
  }
  return [...out].sort();
}

// The checker runs out of stack on some types: nothing is asked about those.
function checked(def) {
  try {
    return reverseCheck(def, fillRefs(def));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return "no answer";
  }
}

const deps = {};
for (const f of files) {
  const sf = program.getSourceFile(f);
  visit(sf, sf);
  deps[rel(f)] = depsOf(sf);
}
for (const def of defs) {
  if (isTest(def.file)) continue;
  const other = checked(def);
  def.doubt = def.doubt || other;
  def.in_string = stringSet.has(def.name);
}
for (const def of defs) {
  delete def.pos;
  delete def.abs;
  delete def.body;
}
process.stdout.write(JSON.stringify({ oracle: `typescript ${ts.version} language service`, files: files.map(rel), defs, deps, unnamed }));
