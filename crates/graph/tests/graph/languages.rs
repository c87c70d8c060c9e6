//! What each language says about the type of a value: two types have a method of one name, and each use
//! means one of them.

use crate::support::View;

fn check(files: &[(&'static str, &'static str)], expected: &[(&str, &[&str])]) {
    let view = View::new(files);
    for (query, uses) in expected {
        assert_eq!(view.uses(query), *uses, "{query}");
    }
}

#[test]
fn rust_modules_of_one_name_in_two_files_are_two() {
    check(
        &[
            ("Cargo.toml", "[package]\nname = \"seal\"\n"),
            ("src/lib.rs", "mod a;\nmod b;\n"),
            (
                "src/a.rs",
                "mod sealed {\n    pub trait Sealed {}\n}\npub trait A: sealed::Sealed {}\n",
            ),
            (
                "src/b.rs",
                "mod sealed {\n    pub trait Sealed {}\n}\npub trait B: sealed::Sealed {}\n",
            ),
        ],
        &[
            ("src/a.rs:2", &["src/a.rs:4"]),
            ("src/b.rs:2", &["src/b.rs:4"]),
        ],
    );
}

#[test]
fn rust_locals_have_the_types_of_their_values() {
    check(
        &[
            ("Cargo.toml", "[package]\nname = \"boxes\"\n"),
            (
                "src/lib.rs",
                "pub mod inner;\npub use inner::Crate;\npub struct Box2 { inner: Crate }\n\
                 impl Box2 {\n    pub fn new() -> Self { Self { inner: Crate::new() } }\n    pub fn open(&self) {}\n\
                 \x20   pub fn run(&self) { self.open(); self.inner.open(); }\n}\n",
            ),
            (
                "src/inner.rs",
                "pub struct Crate { pub size: usize }\nimpl Crate {\n    pub fn new() -> Self { Crate { size: 1 } }\n\
                 \x20   pub fn try_new() -> Result<Crate, ()> { Ok(Self::new()) }\n    pub fn open(&self) {}\n}\n\
                 pub trait Seal { fn seal(&self); }\nimpl Seal for Crate { fn seal(&self) { self.open(); } }\n\
                 pub fn all(crates: &[Crate]) { for one in crates { one.open(); } }\n\
                 pub fn any<T: Seal>(it: T, more: Vec<Crate>) { it.seal(); more.iter().for_each(|one| one.open()); }\n",
            ),
            (
                "tests/it.rs",
                "use boxes::{Box2, Crate};\nfn both() {\n    let one = Box2::new();\n    one.open();\n\
                 \x20   let two = Crate::try_new().unwrap();\n    two.open();\n    assert_eq!(two.size, 1);\n\
                 \x20   if let Ok(three) = Crate::try_new() { three.open(); }\n    let open = Crate { size: 2 };\n    open.open();\n}\n",
            ),
        ],
        &[
            ("Box2::open", &["src/lib.rs:7", "tests/it.rs:4"]),
            (
                "Crate::open",
                &[
                    "src/inner.rs:8",
                    "src/inner.rs:9",
                    "src/inner.rs:10",
                    "src/lib.rs:7",
                    "tests/it.rs:6",
                    "tests/it.rs:8",
                    "tests/it.rs:10",
                ],
            ),
            (
                "Crate::size",
                &["src/inner.rs:3", "tests/it.rs:7", "tests/it.rs:9"],
            ),
        ],
    );
}

#[test]
fn rust_patterns_name_variants_and_declare_behind_themselves() {
    check(
        &[(
            "src/lib.rs",
            "pub enum Op { Greater, Less }\nuse std::cmp::Ordering;\nfn op(text: &str) -> Op { Op::Less }\n\
             pub fn run(text: &str, by: Ordering) -> bool {\n    let op = op(text);\n    match by {\n\
             \x20       Ordering::Greater => true,\n        Ordering::Less => false,\n        _ => match op { Op::Greater => true, _ => false },\n    }\n}\n",
        )],
        &[
            ("Op::Greater", &["src/lib.rs:9"]),
            ("op", &["src/lib.rs:5"]),
        ],
    );
}

#[test]
fn rust_modules_may_be_named_by_path_and_libraries_by_other_names() {
    let view = View::new(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"core\", \"app\"]\n"),
        ("core/Cargo.toml", "[package]\nname = \"my-core\"\n"),
        (
            "core/src/lib.rs",
            "#[path = \"odd/place.rs\"]\nmod placed;\npub use placed::*;\npub mod tools {\n    pub use crate::placed::make as build;\n}\n",
        ),
        ("core/src/odd/place.rs", "pub fn make() {}\n"),
        (
            "app/Cargo.toml",
            "[package]\nname = \"app\"\n[dependencies]\nkernel = { package = \"my-core\", path = \"../core\" }\n",
        ),
        (
            "app/src/main.rs",
            "use kernel::{make, tools::build};\nfn main() { make(); build(); }\n",
        ),
    ]);
    assert_eq!(view.uses("make"), ["app/src/main.rs:2"]);
    assert_eq!(
        view.imports_of("app/src/main.rs"),
        ["core/src/odd/place.rs", "core/src/odd/place.rs"]
    );
}

#[test]
fn go_values_have_the_types_of_their_calls_and_literals() {
    check(
        &[
            ("go.mod", "module example.com/app\n"),
            (
                "store/a.go",
                "package store\ntype Box struct { Name string }\nfunc New(name string) (*Box, error) { return &Box{Name: name}, nil }\n\
                 func (b *Box) Open() {}\ntype Shelf struct { *Box; boxes []*Box }\n\
                 func (s *Shelf) All() { for _, b := range s.boxes { b.Open() }\n s.Open()\n s.boxes[0].Open() }\n",
            ),
            (
                "store/b.go",
                "package store\ntype Crate struct { Name string }\nfunc (c *Crate) Open() {}\n",
            ),
            (
                "main.go",
                "package main\nimport (\n\t\"os\"\n\t\"example.com/app/store\"\n)\nvar (\n\t// std is ours\n\tstd = &store.Crate{Name: \"x\"}\n)\n\
                 func main() {\n\tbox, err := store.New(\"a\")\n\tbox.Open()\n\tstd.Open()\n\tf, _ := os.Open(\"x\")\n\tf.Open()\n\tc := new(store.Crate)\n\tc.Open()\n\t_ = err\n}\n",
            ),
        ],
        &[
            (
                "Box.Open",
                &["main.go:12", "store/a.go:6", "store/a.go:7", "store/a.go:8"],
            ),
            ("Crate.Open", &["main.go:13", "main.go:17"]),
            ("Crate.Name", &["main.go:8"]),
            ("Box.Name", &["store/a.go:3"]),
        ],
    );
}

#[test]
fn go_imports_lead_to_the_files_that_define_what_is_used() {
    let view = View::new(&[
        ("go.mod", "module example.com/app\n"),
        ("store/a.go", "package store\nfunc A() {}\n"),
        ("store/b.go", "package store\nfunc B() {}\n"),
        ("store/c.go", "package store\nfunc init() {}\n"),
        (
            "main.go",
            "package main\nimport st \"example.com/app/store\"\nfunc main() { st.B() }\n",
        ),
    ]);
    assert_eq!(view.imports_of("main.go"), ["store/b.go"]);
}

#[test]
fn typescript_fields_locals_and_chains_have_types() {
    check(
        &[
            (
                "src/box.ts",
                "export default class Box {\n  open(): Box { return this }\n}\nexport class Other { open() {} }\n",
            ),
            ("src/crate.ts", "export class Crate {\n  open() {}\n}\n"),
            (
                "src/use.ts",
                "import MyBox from './box'\nimport { Crate } from './crate'\nclass User {\n  #box: MyBox\n  crates: Crate[] = []\n\
                 \x20 constructor() { this.#box = new MyBox(); this.spare = new Crate() }\n  run(map: Map<string, Crate>) {\n\
                 \x20   this.#box\n      .open()\n      .open()\n    this.spare.open()\n    for (const one of this.crates) one.open()\n\
                 \x20   this.crates.forEach((one) => one.open())\n    map.get('x')!.open()\n    const { box } = make()\n    window.open()\n  }\n}\n\
                 function make(): { box: MyBox } { return { box: new MyBox() } }\nfunction bound(this: Crate) { this.open() }\n\
                 const made = [new Crate()] as Crate[]\nmade[0].open()\nconst cast = {} as MyBox\ncast.open()\n",
            ),
        ],
        &[
            (
                "src/box.ts:Box.open",
                &["src/use.ts:9", "src/use.ts:10", "src/use.ts:24"],
            ),
            (
                "Crate.open",
                &[
                    "src/use.ts:11",
                    "src/use.ts:12",
                    "src/use.ts:13",
                    "src/use.ts:14",
                    "src/use.ts:20",
                    "src/use.ts:22",
                ],
            ),
        ],
    );
}

#[test]
fn javascript_objects_and_constructors_have_members() {
    check(
        &[
            (
                "lib/layer.js",
                "function Layer(path) {\n  this.other = new Other();\n  this.go();\n}\nLayer.prototype.go = function () {\n  this.other.go();\n};\n\
                 function Other() {}\nOther.prototype.go = function () {};\nmodule.exports = Layer;\n",
            ),
            (
                "lib/util.js",
                "exports.pad = function (x) { return x };\nexports.trim = (x) => exports.pad(x);\n",
            ),
            (
                "index.js",
                "const Layer = require('./lib/layer');\nconst util = require('./lib/util');\nvar layer = new Layer('/');\nlayer.go();\nutil.pad('x');\n'x'.trim();\n\
                 async function late() { const { trim } = await import('./lib/util'); trim('y'); }\n",
            ),
        ],
        &[
            ("Layer.go", &["index.js:4", "lib/layer.js:3"]),
            ("Other.go", &["lib/layer.js:6"]),
            ("pad", &["index.js:5", "lib/util.js:2"]),
            ("trim", &["index.js:7"]),
        ],
    );
}

#[test]
fn python_attributes_locals_and_results_have_types() {
    check(
        &[
            (
                "src/pkg/__init__.py",
                "from .box import Box as Box\nfrom .crate import *\n",
            ),
            (
                "src/pkg/box.py",
                "class Box:\n    def open(self) -> 'Box':\n        return self\n    @property\n    def lid(self) -> 'Box':\n        return self\n    @classmethod\n    def make(cls) -> 'Box':\n        return cls()\n",
            ),
            (
                "src/pkg/crate.py",
                "__all__ = ['Crate']\nclass Crate:\n    def open(self):\n        pass\nclass Big(Crate):\n    def open(self):\n        super().open()\n",
            ),
            (
                "app.py",
                "from pkg import Box, Crate\nclass User:\n    def __init__(self, spare: Crate) -> None:\n        self.box = Box()\n        self.spare = spare\n\
                 \x20   def run(self, many: list[Crate]) -> None:\n        self.box.open()\n        self.spare.open()\n        self.box.lid.open()\n\
                 \x20       made = Box.make()\n        made.open().open()\n        for one in many:\n            one.open()\n        with Crate() as crate:\n            crate.open()\n\
                 \x20       text = open('x')\n        text.open()\n",
            ),
        ],
        &[
            ("Box.open", &["app.py:7", "app.py:9", "app.py:11"]),
            (
                "src/pkg/crate.py:Crate.open",
                &["app.py:8", "app.py:13", "app.py:15", "src/pkg/crate.py:7"],
            ),
        ],
    );
}

#[test]
fn java_fields_statics_and_inherited_members_are_told_apart() {
    check(
        &[
            (
                "src/a/Token.java",
                "package a;\nabstract class Token {\n  private int end = 1;\n  int end() { return end; }\n  Token() {}\n  static Token of() { return new Big(); }\n\
                 \x20 static class Big extends Token {\n    void grow() { end(); }\n  }\n}\n",
            ),
            (
                "src/a/Other.java",
                "package a;\nclass Other { int end() { return 1; } static void help() {} }\n",
            ),
            (
                "src/b/Use.java",
                "package b;\nimport a.*;\nimport static a.Other.help;\nimport java.nio.charset.Charset;\nclass Use {\n  Token.Big big = new Token.Big();\n\
                 \x20 void run(Charset set, java.util.List<Token> all) {\n    big.end();\n    set.end();\n    Token one = Token.of();\n    one.end();\n\
                 \x20   for (Token each : all) each.end();\n    help();\n    ((Other) null).end();\n    Token.of().end();\n    all.forEach(x -> x.end());\n  }\n}\n",
            ),
        ],
        &[
            (
                "Token.end",
                &[
                    "src/a/Token.java:8",
                    "src/b/Use.java:8",
                    "src/b/Use.java:11",
                    "src/b/Use.java:12",
                    "src/b/Use.java:15",
                    "src/b/Use.java:16",
                ],
            ),
            ("Other.help", &["src/b/Use.java:13"]),
        ],
    );
}

#[test]
fn c_fields_belong_to_their_structs() {
    check(
        &[
            (
                "read.h",
                "typedef struct task {\n  int elements;\n} task;\ntypedef struct {\n  int elements;\n  task *tasks;\n} reply;\ntask *make(int n);\n",
            ),
            (
                "read.c",
                "#include \"read.h\"\ntask *make(int n) {\n  task *made = 0;\n  made->elements = n;\n  return made;\n}\n\
                 int sum(reply *r, task all[]) {\n  reply other = { .elements = 2 };\n  return r->elements + r->tasks[0].elements + all[1].elements + other.elements + make(1)->elements;\n}\n",
            ),
        ],
        &[
            ("task::elements", &["read.c:4", "read.c:9"]),
            ("reply::elements", &["read.c:8", "read.c:9"]),
            ("make", &["read.c:9"]),
        ],
    );
}

#[test]
fn cpp_namespaces_and_smart_pointers_lead_to_members() {
    check(
        &[
            (
                "box.h",
                "namespace n {\nclass Box {\n public:\n  void open();\n  int size_;\n};\nclass Crate {\n public:\n  void open() {}\n};\n}\n",
            ),
            ("help.h", "namespace n {\nvoid help();\n}\nvoid help();\n"),
            (
                "box.cc",
                "#include \"box.h\"\n#include \"help.h\"\nusing namespace n;\nvoid Box::open() { size_ = 1; }\nvoid run(std::vector<n::Crate> all, Box &box) {\n\
                 \x20 auto made = std::make_unique<n::Box>();\n  made->open();\n  box.open();\n  for (auto &one : all) one.open();\n  n::Crate crate;\n  crate.open();\n  n::help();\n}\n",
            ),
        ],
        &[
            ("Box::open", &["box.cc:7", "box.cc:8"]),
            ("Crate::open", &["box.cc:9", "box.cc:11"]),
            ("n::help", &["box.cc:12"]),
        ],
    );
}

#[test]
fn c_sharp_partial_classes_and_usings() {
    check(
        &[
            (
                "A.cs",
                "namespace App.Core;\npublic partial class Box {\n  public void Open() {}\n}\npublic class Crate { public void Open() {} public static Crate Make() => new Crate(); }\n",
            ),
            (
                "B.cs",
                "namespace App.Core;\npublic partial class Box {\n  public void Both() { Open(); this.Open(); }\n}\npublic static class Extra { public static void Shut(this Box box) {} }\n",
            ),
            (
                "Use.cs",
                "using System.Collections.Generic;\nusing App.Core;\nclass Use {\n  private readonly Box box = new Box();\n  void Run(List<Crate> all) {\n    box.Open();\n\
                 \x20   var crate = Crate.Make();\n    crate.Open();\n    foreach (var one in all) { one.Open(); }\n    all[0].Open();\n    box.Shut();\n  }\n}\n",
            ),
        ],
        &[
            ("Box.Open", &["B.cs:3", "Use.cs:6"]),
            ("Extra.Shut", &["Use.cs:11"]),
            ("Crate.Open", &["Use.cs:8", "Use.cs:9", "Use.cs:10"]),
        ],
    );
}

#[test]
fn php_properties_and_traits() {
    check(
        &[
            (
                "src/Box.php",
                "<?php\nnamespace App;\ntrait Opens { public function open() {} }\nclass Box { use Opens;\n  public static function make(): static { return new static(); } }\n",
            ),
            (
                "src/Crate.php",
                "<?php\nnamespace App;\nclass Crate { public function open() {} }\n",
            ),
            (
                "src/Use.php",
                "<?php\nnamespace Other;\nuse App\\Box;\nuse App\\Crate as C;\nclass User {\n  private C $crate;\n  public function __construct(private Box $box) {}\n\
                 \x20 public function run(C $given) {\n    $given->open();\n    $made = new Box();\n    $made->open();\n    $this->crate->open();\n    $this->box->open();\n    Box::make()->open();\n  }\n}\n",
            ),
        ],
        &[
            (
                "Opens::open",
                &["src/Use.php:11", "src/Use.php:13", "src/Use.php:14"],
            ),
            ("Crate::open", &["src/Use.php:9", "src/Use.php:12"]),
        ],
    );
}

#[test]
fn ruby_locals_and_mixins() {
    check(
        &[
            (
                "lib/box.rb",
                "module Opens\n  def open; end\nend\nclass Box\n  include Opens\n  def run\n    open\n  end\nend\nclass Crate\n  def open; end\nend\n",
            ),
            (
                "lib/use.rb",
                "require_relative 'box'\ndef use\n  box = Box.new\n  box.open\n  crate = Crate.new\n  crate.open\nend\n",
            ),
        ],
        &[
            ("Opens#open", &["lib/box.rb:7", "lib/use.rb:4"]),
            ("Crate#open", &["lib/use.rb:6"]),
        ],
    );
}

#[test]
fn kotlin_properties_locals_and_extensions() {
    check(
        &[
            (
                "src/a/Box.kt",
                "package a\nclass Box {\n  fun lift() {}\n}\nclass Crate {\n  fun lift() {}\n}\nfun Box.shut() {}\nfun make(): Crate = Crate()\n",
            ),
            (
                "src/b/Use.kt",
                "package b\nimport a.Box\nimport a.Crate\nimport a.make\nimport a.shut\nclass Use(private val box: Box) {\n  val spare = Crate()\n  fun run(all: List<Crate>) {\n\
                 \x20   box.lift()\n    spare.lift()\n    val made = make()\n    made.lift()\n    for (one in all) one.lift()\n    all.forEach { it.lift() }\n    box.shut()\n  }\n}\n",
            ),
        ],
        &[
            ("Box.lift", &["src/b/Use.kt:9"]),
            (
                "Crate.lift",
                &[
                    "src/b/Use.kt:10",
                    "src/b/Use.kt:12",
                    "src/b/Use.kt:13",
                    "src/b/Use.kt:14",
                ],
            ),
            ("shut", &["src/b/Use.kt:15"]),
        ],
    );
}

#[test]
fn swift_properties_and_extensions() {
    check(
        &[
            (
                "Sources/App/Box.swift",
                "class Box { func open() {} }\nextension Box { func shut() { open() } }\nstruct Crate { func open() {} }\n",
            ),
            (
                "Sources/App/Use.swift",
                "class Use {\n  let box: Box\n  var crates: [Crate] = []\n  init(box: Box) { self.box = box }\n  func run(given: Crate) {\n    box.open()\n    given.open()\n\
                 \x20   let made = Box()\n    made.open()\n    for one in crates { one.open() }\n    if let first = crates.first { first.open() }\n    box.shut()\n  }\n}\n",
            ),
        ],
        &[
            (
                "Box.open",
                &[
                    "Sources/App/Box.swift:2",
                    "Sources/App/Use.swift:6",
                    "Sources/App/Use.swift:9",
                ],
            ),
            (
                "Crate.open",
                &[
                    "Sources/App/Use.swift:7",
                    "Sources/App/Use.swift:10",
                    "Sources/App/Use.swift:11",
                ],
            ),
            ("Box.shut", &["Sources/App/Use.swift:12"]),
        ],
    );
}

#[test]
fn scala_traits_and_objects() {
    check(
        &[
            (
                "src/a/Box.scala",
                "package a\ntrait Opens { def open(): Unit = () }\nclass Box extends Opens\nclass Crate { def open(): Unit = () }\nobject Box { def make(): Box = new Box }\n",
            ),
            (
                "src/b/Use.scala",
                "package b\nimport a.{Box, Crate}\nclass Use(box: Box) {\n  def run(crate: Crate): Unit = {\n    box.open()\n    crate.open()\n    val made = new Box\n    made.open()\n    val other = Box.make()\n    other.open()\n  }\n}\n",
            ),
        ],
        &[
            (
                "Opens.open",
                &[
                    "src/b/Use.scala:5",
                    "src/b/Use.scala:8",
                    "src/b/Use.scala:10",
                ],
            ),
            ("Crate.open", &["src/b/Use.scala:6"]),
        ],
    );
}

#[test]
fn vue_components_are_used_by_templates() {
    check(
        &[
            (
                "src/BaseButton.vue",
                "<script setup lang=\"ts\">\nimport { useBox } from './box'\nconst box = useBox()\nfunction press() { box.open() }\n</script>\n<template><button @click=\"press()\">x</button></template>\n",
            ),
            (
                "src/box.ts",
                "export class Box { open() {} }\nexport class Crate { open() {} }\nexport function useBox(): Box { return new Box() }\n",
            ),
        ],
        &[
            ("Box.open", &["src/BaseButton.vue:4"]),
            ("press", &["src/BaseButton.vue:6"]),
        ],
    );
}

#[test]
fn lua_modules_and_methods() {
    check(
        &[
            (
                "lua/box.lua",
                "local M = {}\nfunction M.open() end\nfunction M:shut() self.open() end\nreturn M\n",
            ),
            (
                "lua/use.lua",
                "local box = require('box')\nbox.open()\nbox:shut()\n",
            ),
        ],
        &[
            ("M.open", &["lua/box.lua:3", "lua/use.lua:2"]),
            ("M.shut", &["lua/use.lua:3"]),
        ],
    );
}

#[test]
fn what_says_nothing_of_a_value_leaves_the_name_to_decide() {
    check(
        &[
            (
                "src/box.ts",
                "export class Box { lift() {} }\nexport class User {\n  any: any;\n  run(given: unknown) { this.any.lift(); (given as any).lift() }\n}\n",
            ),
            ("classic.js", "function go() { App.launch() }\n"),
            ("app.js", "var App = {\n  launch: function () {}\n};\n"),
        ],
        &[
            ("Box.lift", &["src/box.ts:4~"]),
            ("App.launch", &["classic.js:1~"]),
        ],
    );
}

#[test]
fn a_method_that_overrides_one_in_use_is_in_use() {
    let view = View::new(&[(
        "a.py",
        "class Base:\n    def speak(self): ...\n    def rest(self): ...\nclass Dog(Base):\n    def speak(self): ...\n    def rest(self): ...\n\
         def all(one: Base):\n    one.speak()\n",
    )]);
    assert!(!view.is_unused("Dog.speak"));
    assert!(view.is_unused("Dog.rest"));
}

#[test]
fn a_local_hides_no_function_where_calls_are_apart() {
    check(
        &[
            (
                "A.java",
                "class A {\n  private int rows(int x) { return x; }\n  int run() { int rows = rows(2); return rows; }\n}\n",
            ),
            (
                "b.kt",
                "private fun lines(x: Int): Int = x\nfun run() { val lines = lines(2); println(lines) }\n",
            ),
            (
                "c.rb",
                "def cells(x)\n  x\nend\ndef run\n  cells = cells(2)\n  puts cells\nend\n",
            ),
            (
                "src/d.rs",
                "fn words(x: u32) -> u32 { x }\nfn run() { let words = words(2); drop(words) }\n",
            ),
        ],
        &[
            ("A.rows", &["A.java:3"]),
            ("lines", &["b.kt:2"]),
            ("cells", &["c.rb:5"]),
            ("words", &["src/d.rs:2"]),
        ],
    );
}
