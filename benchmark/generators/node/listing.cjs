// Listings of one TypeScript or JavaScript package, by the TypeScript checker and its diagnostics.
// usage: node listing.cjs ROOT LANGUAGE ONLY(comma list or "") ENTRIES(comma list or "") SEED MUTANTS > listing.json
// ENTRIES: the modules that users can import; without them every export is public.
const fs = require("fs");
const path = require("path");
const ts = require(require.resolve("typescript", { paths: [process.cwd()] }));

const [root, language, onlyArg, entryArg, seedArg, mutantArg] = process.argv.slice(2);
const only = onlyArg ? onlyArg.split(",") : [];
const entries = entryArg ? entryArg.split(",") : [];
const isJs = language === "javascript";
const MAX_LINES = 60;

const rel = (f) => path.relative(root, f).split(path.sep).join("/");
const inOnly = (r) => !only.length || only.some((o) => r === o || r.startsWith(o + "/"));
const wanted = (n) => (isJs ? /\.(js|cjs|mjs)$/.test(n) && !/\.min\.js$/.test(n) : /\.[mc]?tsx?$/.test(n) && !/\.d\.[mc]?ts$/.test(n));

function sources(dir, out = []) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(dir, e.name);
    if (e.isDirectory()) {
      if (e.name !== "node_modules" && e.name !== ".git") sources(full, out);
    } else if (wanted(e.name) && inOnly(rel(full))) out.push(full);
  }
  return out;
}

const files = sources(root);
const fileSet = new Set(files);
const options = {
  allowJs: isJs, checkJs: isJs, noEmit: true, target: ts.ScriptTarget.ESNext,
  module: isJs ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext,
  moduleResolution: isJs ? ts.ModuleResolutionKind.Node10 : ts.ModuleResolutionKind.Bundler,
  esModuleInterop: true, resolveJsonModule: true, strict: !isJs, skipLibCheck: true, types: ["node"],
  typeRoots: [path.join(process.cwd(), "node_modules/@types")],
};
const hidden = (f) => isJs && f.startsWith(root) && f.endsWith(".d.ts") && !f.includes("node_modules");
const texts = new Map();
const changed = new Map();
let version = 1;
const read = (f) => {
  if (changed.has(f)) return changed.get(f);
  if (!texts.has(f)) texts.set(f, ts.sys.readFile(f));
  return texts.get(f);
};
const service = ts.createLanguageService({
  getScriptFileNames: () => files,
  getScriptVersion: (f) => (changed.has(f) ? `m${version}` : "1"),
  getScriptSnapshot: (f) => (fs.existsSync(f) ? ts.ScriptSnapshot.fromString(read(f)) : undefined),
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o),
  fileExists: (f) => !hidden(f) && ts.sys.fileExists(f),
  readFile: read,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
}, ts.createDocumentRegistry());
const program = service.getProgram();
const checker = program.getTypeChecker();
const lineOf = (n) => n.getSourceFile().getLineAndCharacterOfPosition(n.getStart()).line + 1;
const spot = (n) => [rel(n.getSourceFile().fileName), lineOf(n)];
const isFn = (n) => n && (ts.isArrowFunction(n) || ts.isFunctionExpression(n));

// --- definitions ---------------------------------------------------------------------------------
const isType = (n) => ts.isClassLike(n) || ts.isInterfaceDeclaration(n);
const plainName = (n) => n.name && (ts.isIdentifier(n.name) || ts.isPrivateIdentifier(n.name));

function kindOf(n) {
  if (!plainName(n)) return null;
  if (ts.isFunctionDeclaration(n)) return "function";
  if (ts.isClassDeclaration(n) || (ts.isClassExpression(n) && isJs)) return "class";
  if (ts.isInterfaceDeclaration(n)) return "interface";
  if (ts.isTypeAliasDeclaration(n)) return "type";
  if (ts.isEnumDeclaration(n)) return "enum";
  if (n.parent && isType(n.parent)) {
    if (ts.isMethodDeclaration(n) || ts.isMethodSignature(n)) return "method";
    if (ts.isAccessor(n)) return "property";
    if (ts.isPropertyDeclaration(n)) return isFn(n.initializer) ? "method" : "field";
    if (ts.isPropertySignature(n)) return "field";
  }
  if (ts.isVariableDeclaration(n) && n.initializer && ts.isVariableStatement(n.parent.parent)) {
    const top = ts.isSourceFile(n.parent.parent.parent);
    if (isFn(n.initializer)) return "function";
    return top && !/^require\b/.test(n.initializer.getText()) ? "constant" : null;
  }
  return null;
}

const defs = [];
const byDeclaration = new Map();
const bySymbol = new Map();
const words = new Map(); // name -> identifiers that are looked up as a member and resolve to nothing
const strings = new Set();

function addDef(n, kind) {
  const symbol = checker.getSymbolAtLocation(n.name);
  const known = symbol && bySymbol.get(symbol);
  const owner = isType(n.parent) ? n.parent : null;
  const d = known || { name: n.name.text, kind, node: n, owner, uses: [], soft: [], nodes: [], symbol };
  if (!known) defs.push(d);
  // Merged declarations: the one with a body, and a class before its interfaces.
  if (known && ((!d.node.body && n.body) || (ts.isClassLike(n) && !ts.isClassLike(d.node)))) Object.assign(d, { node: n, kind });
  if (symbol) bySymbol.set(symbol, d);
  d.nodes.push(n);
  byDeclaration.set(n, d);
}

const qual = (d) => (d.owner && d.owner.name ? `${d.owner.name.text}.${d.name}` : d.name);

function defsOf(symbol) {
  if (!symbol) return [];
  if (symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const found = new Set((symbol.declarations || []).map((x) => byDeclaration.get(x)));
  found.delete(undefined);
  return [...found];
}

const isImport = (n) => {
  const p = n.parent;
  return ts.isImportSpecifier(p) || ts.isImportClause(p) || ts.isNamespaceImport(p) || ts.isExportSpecifier(p) ||
    ts.isExportAssignment(p) || (isJs && exportPlace(n)) || (ts.isBindingElement(p) && /^require\b/.test(p.parent.parent.initializer?.getText() || ""));
};

// `module.exports = name`, `module.exports = { name }`, `exports.name = name`: a name handed on.
function exportPlace(n) {
  for (let p = n.parent; p; p = p.parent) {
    if (ts.isBinaryExpression(p)) return /^(module\.)?exports\b/.test(p.left.getText()) && (p.right === n || p.left.getText().endsWith(n.text) || ts.isObjectLiteralExpression(p.right));
    if (!ts.isShorthandPropertyAssignment(p) && !ts.isPropertyAssignment(p) && !ts.isObjectLiteralExpression(p) && !ts.isPropertyAccessExpression(p)) return false;
  }
  return false;
}

function note(symbol, n, soft) {
  const found = defsOf(symbol);
  for (const d of found) (soft || found.length > 1 || isImport(n) ? d.soft : d.uses).push(n);
}

function property(type, n, soft) {
  const prop = type && checker.getPropertyOfType(checker.getNonNullableType(type), n.text);
  if (prop) note(prop, n, soft);
}

function look(n) {
  const p = n.parent;
  if (byDeclaration.has(p) && p.name === n) return;
  if (ts.isBindingElement(p) && ts.isObjectBindingPattern(p.parent) && (p.propertyName || p.name) === n && !p.dotDotDotToken) {
    const type = checker.getTypeAtLocation(p.parent);
    if (type.flags & ts.TypeFlags.Any) unresolved(n);
    return property(type, n, false);
  }
  if (ts.isShorthandPropertyAssignment(p)) note(checker.getShorthandAssignmentValueSymbol(p), n, false);
  const inLiteral = (ts.isPropertyAssignment(p) || ts.isMethodDeclaration(p) || ts.isShorthandPropertyAssignment(p)) &&
    p.name === n && ts.isObjectLiteralExpression(p.parent);
  if (inLiteral) return property(checker.getContextualType(p.parent), n, true);
  const symbol = checker.getSymbolAtLocation(n);
  if (!symbol || (ts.isPropertyAccessExpression(p) && p.name === n && !(symbol.declarations || []).length)) return unresolved(n);
  note(symbol, n, ts.isTypePredicateNode?.(p) || insideDoc(n));
}

const insideDoc = (n) => !!(n.flags & ts.NodeFlags.JSDoc);
function unresolved(n) {
  words.set(n.text, [...(words.get(n.text) || []), n]);
}

function each(n, visit) {
  visit(n);
  ts.forEachChild(n, (c) => each(c, visit));
}
const trees = files.map((f) => program.getSourceFile(f));
for (const sf of trees) each(sf, (n) => { const k = kindOf(n); if (k) addDef(n, k); });
for (const sf of trees)
  each(sf, (n) => {
    if (ts.isIdentifier(n) || ts.isPrivateIdentifier(n)) look(n);
    if (ts.isStringLiteralLike(n) || ts.isTemplateHead(n) || ts.isTemplateMiddle(n) || ts.isTemplateTail(n))
      for (const w of n.text.match(/[\w$]+/g) || []) strings.add(w);
  });

// --- hierarchy -----------------------------------------------------------------------------------
const bases = new Map(); // def -> defs of its bases
const foreign = new Set();
const heritage = (n) => (n.heritageClauses || []).flatMap((c) => [...c.types]);
for (const d of defs.filter((x) => x.kind === "class" || x.kind === "interface"))
  for (const n of d.nodes.filter(isType))
    for (const h of heritage(n)) {
      const type = checker.getTypeAtLocation(h);
      const named = defsOf(type.symbol).concat(defsOf(type.aliasSymbol)).filter((b) => b !== d);
      if (!named.length) foreign.add(d);
      bases.set(d, new Set([...(bases.get(d) || []), ...named]));
    }
const children = new Map();
for (const [d, above] of bases) for (const b of above) children.set(b, new Set([...(children.get(b) || []), d]));
const below = (d, seen = new Set()) => {
  for (const c of children.get(d) || []) if (!seen.has(c)) { seen.add(c); below(c, seen); }
  return seen;
};
const above = (d, seen = new Set()) => {
  for (const b of bases.get(d) || []) if (!seen.has(b)) { seen.add(b); above(b, seen); }
  return seen;
};
const isStatic = (d) => !!(ts.getCombinedModifierFlags(d.node) & ts.ModifierFlags.Static);
const isPrivate = (d) => ts.isPrivateIdentifier(d.node.name) || !!(ts.getCombinedModifierFlags(d.node) & ts.ModifierFlags.Private);
const membersOf = new Map();
const typeDef = (d) => d.owner && byDeclaration.get(d.owner);
for (const d of defs) if (typeDef(d)) membersOf.set(typeDef(d), [...(membersOf.get(typeDef(d)) || []), d]);
const same = (d, type) => (membersOf.get(type) || []).find((m) => m.name === d.name && isStatic(m) === isStatic(d) && !isPrivate(m));
const over = (d) => (typeDef(d) && !isPrivate(d) ? [...above(typeDef(d))].map((t) => same(d, t)).filter(Boolean) : []);
const under = (d) => (typeDef(d) && !isPrivate(d) ? [...below(typeDef(d))].map((t) => same(d, t)).filter(Boolean) : []);

// --- tasks ---------------------------------------------------------------------------------------
const tasks = [];
const places = (nodes) => new Map(nodes.map((n) => [spot(n).join(":"), spot(n)]));
const minus = (a, b) => new Map([...a].filter(([k]) => !b.has(k)));
const out = (m) => [...m.values()].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1])).map(([file, line, symbol]) => (symbol ? { file, line, symbol } : { file, line }));
const query = (d) => ({ symbol: qual(d), file: spot(d.node.name)[0], line: spot(d.node.name)[1] });
const heads = (ds) => new Map(ds.map((d) => [spot(d.node.name).join(":"), [...spot(d.node.name), qual(d)]]));
const add = (category, stratum, d, expected, optional, extra = {}) =>
  tasks.push({ category, stratum, kind: d.kind, query: { ...query(d), ...extra }, expected: out(expected), optional: out(minus(optional, expected)), tol: 0 });
// Two definitions on one line, or of one name in one type, cannot be asked for.
const plain = (d) => d.name.length > 2 && /^[\w$]+$/.test(d.name) && d.name !== "constructor";

function stratum(d) {
  if (over(d).length) return "override";
  if (under(d).length || (d.owner && ts.isInterfaceDeclaration(d.owner))) return "interface";
  return "member";
}

function serviceUses(d) {
  const groups = service.findReferences(d.node.getSourceFile().fileName, d.node.name.getStart()) || [];
  const found = new Map();
  for (const r of groups.flatMap((g) => g.references)) {
    if (!fileSet.has(r.fileName)) continue;
    const line = program.getSourceFile(r.fileName).getLineAndCharacterOfPosition(r.textSpan.start).line + 1;
    found.set(`${rel(r.fileName)}:${line}`, [rel(r.fileName), line]);
  }
  return found;
}

function uses() {
  for (const d of defs) {
    if (!d.owner || !plain(d) || !d.uses.length || d.uses.length > 150) continue;
    const own = places(d.nodes.map((n) => n.name));
    const expected = minus(places(d.uses), own);
    if (!expected.size || expected.size > MAX_LINES) continue;
    const loose = places(words.get(d.name) || []);
    if (loose.size > (isJs ? 2 * expected.size : 0)) continue;
    const second = serviceUses(d);
    if ([...expected.keys()].some((k) => !second.has(k))) continue;
    const related = [...over(d), ...under(d)].flatMap((m) => [...m.uses, ...m.soft, ...m.nodes.map((n) => n.name)]);
    const optional = new Map([...own, ...places(d.soft), ...places(related), ...loose, ...second]);
    add("P2", stratum(d), d, expected, optional);
  }
}

function implementers() {
  for (const d of defs) {
    const direct = [...(children.get(d) || [])];
    if (direct.length) add("IMPLEMENTS", "types", d, heads(direct), new Map([...heads([...below(d)]), ...heads([d])]));
    const overriding = under(d);
    if (!overriding.length || !plain(d)) continue;
    // Nearest: no other member of this name in between.
    const nearest = overriding.filter((m) => !over(m).some((o) => o !== d && overriding.includes(o)) && !(ts.isInterfaceDeclaration(m.owner)));
    const literal = places(d.soft);
    if (nearest.length) add("IMPLEMENTS", "members", d, heads(nearest), new Map([...heads(overriding), ...heads([d]), ...literal]));
  }
}

const isExported = (d) => !!(ts.getCombinedModifierFlags(d.node) & ts.ModifierFlags.Export) || d.soft.some(isImport) || (ts.isClassExpression(d.node));
function publicDefs() {
  const found = new Set();
  for (const e of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(path.join(root, e)));
    for (const s of checker.getExportsOfModule(module)) {
      for (const d of defsOf(s)) found.add(d);
      const inner = s.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(s) : s;
      if (inner.flags & ts.SymbolFlags.Module) for (const t of checker.getExportsOfModule(inner)) for (const d of defsOf(t)) found.add(d);
    }
  }
  return found;
}

// Two modules of the same exports: one may stand for the other in another build (`x.ts`, `x-browser.ts`).
const twin = (d) => isExported(d) && defs.some((o) => o !== d && o.name === d.name && !o.owner && isExported(o));
const inside = (n, d) => d.nodes.some((x) => x.getSourceFile() === n.getSourceFile() && x.pos <= n.pos && n.end <= x.end);
function dead() {
  const visible = publicDefs();
  const flagged = new Set();
  for (const f of files)
    for (const x of service.getSuggestionDiagnostics(f)) if ([6133, 6196, 6192, 6198].includes(x.code)) flagged.add(`${f}:${x.start}`);
  // What the manifest names may take the place of another module ("browser": {...}).
  const manifest = fs.existsSync(path.join(root, "package.json")) ? read(path.join(root, "package.json")) : "";
  const named = new Set([...manifest.matchAll(/([\w.-]+?)\.[mc]?[jt]s"/g)].map((m) => m[1]));
  const expected = [], optional = [];
  for (const d of defs) {
    const open = entries.length ? visible.has(d) : isExported(d);
    const reaches = (n) => !inside(n, d) && !optional.some((o) => inside(n, o)) && !expected.some((o) => inside(n, o));
    if (d.uses.some((n) => !inside(n, d)) || (d.owner && d.kind !== "class" && d.uses.length)) continue;
    if (/^_+$/.test(d.name)) continue;
    const local = flagged.has(`${d.node.getSourceFile().fileName}:${d.node.name.getStart()}`) || flagged.has(`${d.node.getSourceFile().fileName}:${d.node.getStart()}`);
    const nested = d.owner ? false : !ts.isSourceFile(ts.isVariableDeclaration(d.node) ? d.node.parent.parent.parent : d.node.parent);
    const doubt = strings.has(d.name) || words.has(d.name) || nested || d.uses.length || d.soft.length ||
      (d.owner ? !isPrivate(d) : false) || twin(d) || named.has(path.basename(d.node.getSourceFile().fileName).replace(/\.[mc]?[jt]sx?$/, "")) || (isExported(d) && !entries.length) || (bases.has(d) || foreign.has(d)) || d.nodes.length > 1 ||
      (!d.owner && !isExported(d) && !local) || (d.owner && !local);
    (open || doubt ? optional : expected).push(d);
  }
  for (let grown = true; grown; ) {
    const gone = new Set([...expected, ...optional]);
    const more = defs.filter((d) => !gone.has(d) && d.uses.length && d.uses.every((n) => inside(n, d) || [...gone].some((g) => inside(n, g))));
    optional.push(...more);
    grown = more.length > 0;
  }
  tasks.push({ category: "DEAD", stratum: "package", kind: "package", query: { path: "" }, expected: out(heads(expected)), optional: out(minus(heads(optional), heads(expected))), tol: 0 });
}

// --- impact --------------------------------------------------------------------------------------
function head(n) {
  for (let p = n.parent; p; p = p.parent) {
    if (ts.isConstructorDeclaration(p)) return [spot(p)[0], lineOf(p.getChildren().find((c) => c.kind === ts.SyntaxKind.ConstructorKeyword) || p), p.parent.name ? `${p.parent.name.text}.constructor` : "constructor"];
    if (isType(p) && p.name) return [...spot(p.name), p.name.text];
    const named = ts.isFunctionDeclaration(p) || ts.isMethodDeclaration(p) || ts.isAccessor(p) ||
      ((ts.isVariableDeclaration(p) || ts.isPropertyDeclaration(p)) && isFn(p.initializer)) || (ts.isFunctionExpression(p) && p.name);
    if (named && plainName(p)) {
      const owner = isType(p.parent) && p.parent.name ? `${p.parent.name.text}.` : "";
      return [...spot(p.name), owner + p.name.text];
    }
  }
  return spot(n);
}
const headsOf = (nodes) => new Map(nodes.map(head).map((h) => [`${h[0]}:${h[1]}`, h]));

function nodeAt(sf, pos) {
  let found = sf;
  const step = (n) => { if (n.getStart() <= pos && pos < n.getEnd()) { found = n; ts.forEachChild(n, step); } };
  ts.forEachChild(sf, step);
  return found;
}

// What the changed definition looks like; lines stay, so places can be compared.
function mutants(d) {
  if (d.owner) return d.nodes.map((n) => [n.name.getStart(), n.name.getEnd(), `${d.name}__was`]);
  const n = d.node;
  if (ts.isVariableDeclaration(n)) {
    const typed = isJs ? `/** @type {{ __was: 1 }} */ ${d.name} = /** @type {any} */ (0), ` : `${d.name}: { __was: 1 } = 0 as any, `;
    return [[n.name.getStart(), n.name.getStart(), typed], [n.name.getStart(), n.name.getEnd(), `${d.name}__was`]];
  }
  const exported = ts.getCombinedModifierFlags(n) & ts.ModifierFlags.Export ? "export " : "";
  const typed = isJs ? `${exported}/** @type {{ __was: 1 }} */ var ${d.name} = /** @type {any} */ (0); ` : `${exported}var ${d.name}: { __was: 1 } = 0 as any; `;
  return [[n.getStart(), n.getStart(), typed], [n.name.getStart(), n.name.getEnd(), `${d.name}__was`]];
}

function apply(text, edits) {
  let shifted = [];
  edits = edits.map((e, i) => [...e, i]).sort((a, b) => b[0] - a[0] || b[3] - a[3]);
  for (const [from, to, put] of edits) { text = text.slice(0, from) + put + text.slice(to); shifted.push([from, put.length - (to - from)]); }
  const back = (pos) => {
    for (const [from, grown] of [...shifted].reverse()) if (pos >= from + Math.max(grown, 0)) pos -= grown; else if (pos >= from) pos = from;
    return pos;
  };
  return [text, back];
}

const baseline = new Map();
const errorsOf = (f) => service.getSemanticDiagnostics(f).filter((x) => x.category === ts.DiagnosticCategory.Error && x.start !== undefined);
function before(f) {
  if (!baseline.has(f)) baseline.set(f, new Set(errorsOf(f).map((x) => `${x.code}:${x.start}`)));
  return baseline.get(f);
}

function impactOf(d) {
  const own = new Set(d.nodes.map((n) => n.getSourceFile().fileName));
  if (own.size > 1) return null;
  const file = [...own][0];
  const holding = files.filter((f) => read(f).includes(d.name));
  holding.forEach(before);
  const [text, back] = apply(read(file), mutants(d));
  changed.set(file, text);
  version++;
  const hit = [], other = [];
  for (const f of holding)
    for (const x of errorsOf(f)) {
      const start = f === file ? back(x.start) : x.start;
      if (before(f).has(`${x.code}:${start}`)) continue;
      const n = nodeAt(program.getSourceFile(f), start);
      (x.code === 6133 ? [] : n.text === d.name && !(byDeclaration.get(n.parent) === d && n.parent.name === n) ? hit : other).push(n);
    }
  changed.delete(file);
  version++;
  return { hit, other };
}

const called = (n) => {
  const p = n.parent;
  const callee = ts.isPropertyAccessExpression(p) && p.name === n ? p : n;
  return (ts.isCallExpression(callee.parent) || ts.isNewExpression(callee.parent)) && callee.parent.expression === callee;
};

function impactKind(d) {
  if (!plain(d) || d.uses.length < 1 || d.uses.length > 150) return null;
  if (d.kind === "function") return d.nodes.length === 1 && ts.isSourceFile(ts.isVariableDeclaration(d.node) ? d.node.parent.parent.parent : d.node.parent) ? "function" : null;
  if (d.kind !== "method" || over(d).length || (d.nodes.length > 1 && !ts.isInterfaceDeclaration(d.owner) && d.nodes.some((n) => n.parent !== d.owner))) return null;
  return under(d).length ? "interface" : ts.isInterfaceDeclaration(d.owner) ? null : "method";
}

function shuffled(list) {
  let s = Number(seedArg) || 1;
  const next = () => (s = (s * 48271) % 2147483647) / 2147483647;
  return list.map((x) => [next(), x]).sort((a, b) => a[0] - b[0]).map((x) => x[1]);
}

const left = { disagree: 0, unresolved: 0 };
function impacts() {
  const count = {};
  for (const d of shuffled(defs)) {
    const kind = impactKind(d);
    if (!kind || (count[kind] || 0) >= Number(mutantArg)) continue;
    if ((words.get(d.name) || []).length && !isJs) { left.unresolved++; continue; }
    const found = impactOf(d);
    if (!found) continue;
    const uses = places(d.uses);
    const hit = places(found.hit);
    const must = places(d.uses.filter((n) => kind !== "function" || called(n)));
    const soft = places([...d.soft, ...under(d).flatMap((m) => [...m.uses, ...m.soft])]);
    // The compiler's errors are the uses that the checker listed, or nobody is asked.
    if ([...must.keys()].some((k) => !hit.has(k)) || [...hit.keys()].some((k) => !uses.has(k) && !soft.has(k))) { left.disagree++; continue; }
    const sure = found.hit.filter((n) => uses.has(spot(n).join(":")) && !isImport(n));
    const expected = new Map([...headsOf(sure), ...heads(under(d).filter((m) => !ts.isInterfaceDeclaration(m.owner)))]);
    expected.delete(spot(d.node.name).join(":"));
    const around = headsOf([...found.other, ...found.hit, ...d.uses, ...d.soft, ...(words.get(d.name) || []), ...under(d).flatMap((m) => [...m.uses, ...m.soft])]);
    const optional = new Map([...heads([d]), ...heads(under(d)), ...around, ...heads([typeDef(d)].filter(Boolean))]);
    if (!expected.size || expected.size > 40) continue;
    count[kind] = (count[kind] || 0) + 1;
    add("IMPACT", kind, d, expected, optional, { max_depth: 1 });
  }
}

uses();
implementers();
dead();
impacts();
console.error(JSON.stringify({ files: files.length, defs: defs.length, left }));
process.stdout.write(JSON.stringify({ oracle: `typescript ${ts.version}`, tasks }));
