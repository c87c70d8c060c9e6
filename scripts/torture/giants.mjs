// Files of a megabyte that are made to be dear: for every language that is parsed, and shapes that parsers, walks and
// graphs pay for. Each is indexed alone; the memory above that of an empty repository, and the CPU time, are held to bars.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { die, Failures, fresh, git, join, scratch, whyrank, writeFileSync } from "./lib.mjs";

/** Just under the size from which on files are read by patterns. */
const SIZE = 999_000;
const BARS = { mb: 300, cpu_s: 5 };

// What opens a class and a function, a call, and words that soup is made of.
const C_LIKE = "{ } ( ) [ ] ; , . = + - * / < > & | ! ? : \" ' /* */ // # @ $ \\ 0 1 x y if else for while return new";
const LANGUAGES = {
  sh: { open: ["f() {", "if x; then", "case x in a)", "cat <<EOF", "$(", "`", "${a:-"], close: "}", words: `${C_LIKE} then fi do done case esac in << <<- $( \` function local` },
  c: { open: ["struct a {", "void f() {", "#if A", "#define A(x) \\", "(int)(", "*("], close: "}", words: `${C_LIKE} struct typedef #define #if #endif # ## int void static goto` },
  cpp: { open: ["namespace a {", "class A {", "template<class T> void f() {", "A<", "[&](){", "#if A", 'R"x('], close: "}", words: `${C_LIKE} template < > :: namespace class auto operator [] -> decltype noexcept requires` },
  cs: { open: ["class A {", "namespace A {", "void F() {", "A<", "x => {", '$"{', "#if A"], close: "}", words: `${C_LIKE} class namespace => ?? ?. async await var switch when $" """ where` },
  go: { open: ["func f() {", "type A struct {", "func() {", "[]", "map[a]", "`", "if x {"], close: "}", words: `${C_LIKE} func type struct interface chan <- := map go defer range \`` },
  java: { open: ["class A {", "void f() {", "@A(", "A<", "x -> {", '"""', "(A)("], close: "}", words: `${C_LIKE} class interface enum @interface -> :: extends implements """ switch` },
  js: { open: ["class A {", "function f() {", "() => {", "`${", "<a>", "/", "async () => {"], close: "}", words: `${C_LIKE} class function => \` \${ async await yield of in import export ... ?. /` },
  ts: { open: ["class A {", "namespace a {", "function f<T>() {", "A<", "type A = {", "`${", "x extends"], close: "}", words: `${C_LIKE} class interface type => \` \${ keyof infer extends ? as satisfies enum abstract` },
  tsx: { open: ["function f() {", "<a>", "<a b={", "{...", "A<"], close: "}", words: `${C_LIKE} <a> </a> <a /> <> </> {... => class extends` },
  kt: { open: ["class A {", "fun f() {", "val a by lazy {", "A<", '"${', '"""', "when (x) {"], close: "}", words: `${C_LIKE} fun val var class object when is in !! ?: -> " $` },
  lua: { open: ["function f()", "a = {", "[[", "[==[", "(", "if x then", "repeat"], close: "end", words: `${C_LIKE} function end then local do repeat until [[ ]] [=[ ]=] -- ..` },
  php: { open: ["class A {", "function f() {", "fn($x) =>", "<<<EOT", "?><?php", "match(x) {", '"{$'], close: "}", words: `${C_LIKE} <?php ?> class function fn -> :: $x use namespace <<< """ #[` },
  py: { open: ["(", "[", "lambda x:", 'f"{', '"""', "@a", "class A:"], close: ")", words: `${C_LIKE} def class lambda : import from as with async f" """ yield match case` },
  rb: { open: ["class A", "def f", "module A", "x do |y|", "<<~A", '"#{', "%w(", "if x"], close: "end", words: `${C_LIKE} def class module end do |x| <<~A #{ } => :a @a %w( ) unless rescue` },
  rs: { open: ["mod a {", "fn f() {", "impl A {", "A<", "m!(", "|x| {", 'r#"', "macro_rules! a {"], close: "}", words: `${C_LIKE} fn mod impl trait where 'a :: => .. match unsafe #[ #! r#" macro_rules!` },
  scala: { open: ["class A {", "def f = {", "object A {", "A[", 's"${', '"""', "case x =>"], close: "}", words: `${C_LIKE} def val class object trait => <- case match given extension then end s" """` },
  swift: { open: ["class A {", "func f() {", "extension A {", "A<", '"\\(', '"""', "{ x in", "#if A"], close: "}", words: `${C_LIKE} func class extension protocol guard let where -> \\( """ # @a some any` },
  dart: { open: ["class A {", "f() {", "A<", "x => {", '"${', '"""', "switch (x) {", "(a, "], close: "}", words: `${C_LIKE} class mixin extension on with => .. ?.. ?? is as late final $ \${ """ required` },
  proto: { open: ["message A {", "oneof a {", "enum A {", "option (a) = {", "a: <", "rpc A(", "extend A {"], close: "}", words: `${C_LIKE} message enum service rpc returns stream oneof map < > repeated optional extend option reserved to max "" ''` },
  tf: { open: ["resource a b {", "a = [", "a = {", '"${', "<<A", "[for a in", "f("], close: "}", words: `${C_LIKE} resource data locals variable "\${ } " <<A A for in => each var . [*] ? : %{ if }` },
  sql: { open: ["create table a (", "create function f() begin", "with a as (select", "case when", "as $a$", "from (select", "[a"], close: ")", words: `${C_LIKE} select from where join on with as ( ) , ; 'a' "b" \`c\` [d] $$ create table function begin end case delimiter go -- /*! */` },
  html: { open: ["<div>", "<script>", "<style>", "<a b='", "<!--"], close: "</div>", words: "< > </ /> <a </a> = \" ' <!-- --> <script> </script> & ; a b" },
  vue: { open: ["<template>", "<script setup lang=ts>", "<style>", "{{"], close: "</template>", words: "<template> </template> <script> </script> <script setup> {{ }} < > \" ' = a class { } (" },
  svelte: { open: ["{#if x}", "<script>", "{#each a as b}", "{@html"], close: "{/if}", words: "{#if a} {/if} {:else} <script> </script> { } < > \" ' = a" },
  astro: { open: ["{a.map((b) => <p>", "---", "<script>", "<A b={", "{`${"], close: "}", words: "--- { } <A /> <p> </p> <script> </script> => ( ) ` ${ ' \" = a" },
  ipynb: { open: ['{"cells":[', '{"a":', "[", '"'], close: "]}", words: '{ } [ ] : , " "cells" "source" "cell_type" "code" 1 null' },
  md: { open: ["#", "```", ">", "- ", "[a](", "    - "], close: "```", words: "# ## ``` > - * _ [ ] ( ) ! | a b \\ <a> ~~~ 1." },
  json: { open: ["[", '{"a":', '"'], close: "]", words: '{ } [ ] : , " 1 true null "a"' },
  yaml: { open: ["- ", "a:", "&a [", "? "], close: "]", words: "- : ? & * ! | > [ ] { } # a b ' \" ---" },
  ex: { open: ["defmodule A do", "def f do", "fn x ->", "%{", '"#{'], close: "end", words: `${C_LIKE} def defmodule do end fn -> |> %{ ~s( @doc """` },
};

/** The head of a function, and how a local is declared there. */
const LOCALS = {
  py: ["def f():", "    "],
  rb: ["def f", ""],
  js: ["function f() {", "let "],
  ts: ["function f() {", "let "],
  rs: ["fn f() {", "let "],
  go: ["func f() {", "var "],
  c: ["void f() {", "int "],
  cpp: ["void f() {", "auto "],
  java: ["class A { void f() {", "var "],
  cs: ["class A { void F() {", "var "],
  kt: ["fun f() {", "val "],
  swift: ["func f() {", "let "],
};

const lines = (line) => {
  const parts = [];
  for (let size = 0, n = 0; size < SIZE; n += 1) {
    const text = line(n);
    parts.push(text);
    size += text.length + 1;
  }
  return parts.join("\n").slice(0, SIZE);
};

/** Fills lines that people could write with a short text again and again. */
const packed = (text) => lines(() => text.repeat(Math.max(1, Math.floor(300 / text.length))));

const SHAPES = {
  nested: ({ open }, random) => lines(() => random.pick(open)),
  "one opener": ({ open }, random) => packed(`${random.pick(open)} `),
  "one opener a line": ({ open }, random) => {
    const opener = random.pick(open);
    return lines(() => opener);
  },
  "opened and closed": ({ open, close }, random) => {
    const opener = random.pick(open);
    const depth = Math.floor(SIZE / (opener.length + close.length + 2));
    return `${`${opener}\n`.repeat(depth)}${`${close}\n`.repeat(depth)}`;
  },
  flat: ({ open, close }, random) => {
    const opener = random.pick(open);
    return lines((n) => opener.replace(/\b[aAfF]\b/, (name) => name + n) + close);
  },
  namesakes: ({ open, close }, random) => {
    const opener = random.pick(open);
    return lines(() => `${opener} f(a.f, f) ${close}`);
  },
  brackets: (_, random) => packed(random.pick(["(", "[", "{", "<", "((", "[(", "{(", "<(", ")", "}", "]"])),
  calls: (_, random) => packed(random.pick(["f(", "a.b(", "f()(", "a[", "a.b.", "a->b", "a::b", "a = ", "a, ", "a < b > ", "a ? b : "])),
  operators: (_, random) => packed(random.pick(["a+", "!", "- ", "&", "*", "a == ", "a => ", "a | ", "@a ", "#a ", "..", "$a", "a\\"])),
  "long names": ({ open, close }, random) => {
    const opener = random.pick(open);
    return lines((n) => `${opener.replace(/\b[aAfF]\b/, `${"n".repeat(380)}${n}`)} ${close}`);
  },
  "names in names": (_, random) => lines((n) => `${random.pick(["a", "b", "c"])}${n}.${Array.from({ length: 60 }, () => `m${random.below(n + 1)}`).join(".")}()`),
  locals: (_, random, kind) => {
    const [head, declared] = LOCALS[kind] ?? ["f() {", ""];
    return `${head}\n${lines((n) => `${declared}a${n} = a${random.below(n + 1)}${kind === "py" || kind === "rb" ? "" : ";"}`)}`;
  },
  "short lines": (_, random) => lines(() => random.pick(["a", "(", "{", "}", "1", "", ";", "\"", "end", "#", "@"])),
  strings: (_, random) => packed(random.pick(['"', "'", "`", '"""', "'''", "/*", "//", "<!--", "--[[", "=begin\n", '"\\', '"${'])),
  soup: ({ words }, random) => {
    const all = words.split(" ");
    return lines(() => Array.from({ length: 40 }, () => random.pick(all)).join(" "));
  },
  stutter: ({ words, open }, random) => {
    const all = [...words.split(" "), ...open];
    const few = Array.from({ length: 2 + random.below(4) }, () => random.pick(all)).join(" ");
    return packed(`${few} `);
  },
  "long line": ({ words }, random) => Array.from({ length: SIZE / 4 }, () => random.pick(words.split(" "))).join(" ").slice(0, SIZE),
};

export async function giants({ n, seed }) {
  const base = scratch("giants");
  const all = Object.keys(LANGUAGES).flatMap((kind) => Object.keys(SHAPES).map((shape) => ({ kind, shape })));
  const random = die(seed);
  const failures = new Failures();
  const measured = [];
  const floor = (await cost(base, "txt", "a\n")).mb;
  for (let at = 0; at < n; at += 1) {
    failures.reached(at, n);
    // Every pair before any comes again.
    if (at % all.length === 0) all.sort(() => random.next() - 0.5);
    const { kind, shape } = all[at % all.length];
    const own = seed * 100_000 + at;
    const text = prologue(kind) + SHAPES[shape](LANGUAGES[kind], die(own), kind);
    const { mb, cpu_s, ended } = await cost(base, kind, text);
    const above = Math.round(mb - floor);
    measured.push({ kind, shape, own, mb: above, cpu_s });
    const what = `${kind}, ${shape} (number ${at}): ${above} MB above ${Math.round(floor)}, ${cpu_s} CPU s`;
    if (ended !== "0") failures.push(`ended with ${ended}: ${what}`);
    else if (above > BARS.mb || cpu_s > BARS.cpu_s) failures.push(what);
    if (process.env.GIANTS_KEEP && (ended !== "0" || above > BARS.mb || cpu_s > BARS.cpu_s)) writeFileSync(join(process.env.GIANTS_KEEP, `${at}-${shape.replaceAll(" ", "-")}.${kind}`), text);
  }
  const worst = (key) => measured.toSorted((one, other) => other[key] - one[key]).slice(0, 5);
  const most = (key) => Math.max(...measured.map((one) => one[key]));
  const tried = `${measured.length} files of 1 MB, at most ${most("mb")} MB and ${most("cpu_s")} CPU s`;
  return { name: "giants", tried, failures, detail: { dearest: worst("cpu_s"), largest: worst("mb") } };
}

const prologue = (kind) => ({ php: "<?php\n", svelte: "<p>\n", vue: "<template>\n" })[kind] ?? "";

/** What indexing a repository of one file costs: the kernel's own high-water mark and clock. */
async function cost(base, kind, text) {
  const folder = fresh(join(base, "repo"));
  git(folder, "init", "-q", "-b", "main");
  writeFileSync(join(folder, `giant.${kind}`), text);
  const env = { ...process.env, WHYRANK_HOME: fresh(join(base, "home")) };
  const child = spawn(whyrank, ["index", folder, "--no-vectors"], { cwd: folder, stdio: "ignore", env });
  let last = { mb: 0, cpu_s: 0 };
  const look = () => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      const peak = /VmHWM:\s+(\d+) kB/.exec(status);
      const times = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
      if (peak) last = { mb: Number(peak[1]) / 1024, cpu_s: (Number(times[11]) + Number(times[12])) / 100 };
    } catch {
      // It has ended since.
    }
  };
  const timer = setInterval(look, 10);
  const killer = setTimeout(() => child.kill("SIGKILL"), 60_000);
  const ended = await new Promise((done) => child.on("exit", (code, signal) => done(String(signal ?? code))));
  clearInterval(timer);
  clearTimeout(killer);
  return { ...last, ended };
}
