//! References: the failures of other tools, a test each.

use proptest::prelude::{Strategy, proptest};
use whyrank_graph::{FileInput, ImportGraph, SymbolId, SymbolTable, references};
use whyrank_syntax::ReferenceKind;

use crate::support::View;

fn check(files: &[(&'static str, &'static str)], query: &str, expected: &[&str]) {
    assert_eq!(View::new(files).uses(query), expected, "{query}");
}

#[test]
fn same_names_are_told_apart_by_path() {
    let files = [
        ("src/a.ts", "export function load() {}\nload();\n"),
        ("src/b.ts", "export function load() {}\nload();\n"),
        ("src/c.ts", "import { load } from './b';\nload();\n"),
    ];
    check(&files, "src/a.ts:load", &["src/a.ts:2"]);
    check(&files, "src/b.ts:load", &["src/b.ts:2", "src/c.ts:2"]);
}

#[test]
fn texts_name_python_objects_by_their_path() {
    let shop = "class Cart:\n    def total(self):\n        pass\n\n\ndef main():\n    pass\n\n\ndef name():\n    pass\n";
    let settings = "BACKEND = 'shop.cart.Cart'\nshort = 'shop.Cart'\nother = 'mail.cart.Cart'\n\
                    title = \"cart.name\"\n";
    let test = "from unittest import mock\n\n\n@mock.patch(\"shop.cart.Cart.total\")\ndef test_a(total):\n    pass\n";
    let setup = "setup(entry_points={'console_scripts': ['shop = shop.cart:main']})\n";
    let files = [
        ("setup.py", setup),
        ("shop/__init__.py", "from .cart import Cart\n"),
        ("shop/cart.py", shop),
        ("shop/settings.py", settings),
        ("tests/test_cart.py", test),
    ];
    let of_cart = ["shop/settings.py:1", "shop/settings.py:2"];
    check(&files, "Cart", &of_cart);
    check(&files, "Cart.total", &["tests/test_cart.py:4"]);
    check(&files, "main", &["setup.py:1"]);
    check(&files, "shop/cart.py:name", &[]);
}

#[test]
fn chains_of_re_exports_and_new_names_are_followed() {
    let files = [
        ("src/core.ts", "export class Schema {}\n"),
        ("src/mid.ts", "export { Schema as Base } from './core';\n"),
        (
            "src/index.ts",
            "export * from './mid';\nexport * as core from './core';\n",
        ),
        (
            "src/use.ts",
            "import { Base, core } from './index';\nnew Base();\nnew core.Schema();\n",
        ),
        (
            "src/other.ts",
            "import { Base } from 'elsewhere';\nnew Base();\n",
        ),
    ];
    check(&files, "Schema", &["src/use.ts:2", "src/use.ts:3"]);
    let view = View::new(&files);
    assert_eq!(
        view.uses_of_kind("Schema", ReferenceKind::ReExport),
        ["src/mid.ts:1"]
    );
}

#[test]
fn a_static_method_of_a_required_class_is_resolved() {
    let files = [
        (
            "lib/option.js",
            "class Option {\n  static parse() {}\n}\nmodule.exports = Option;\n",
        ),
        (
            "lib/other.js",
            "class Other {\n  static parse() {}\n}\nmodule.exports = Other;\n",
        ),
        (
            "index.js",
            "const Option = require('./lib/option');\nOption.parse();\n",
        ),
    ];
    check(&files, "Option.parse", &["index.js:2"]);
    check(&files, "Other.parse", &[]);
}

#[test]
fn this_reaches_through_a_prototype() {
    let files = [(
        "lib/router.js",
        "function Router() {}\nRouter.prototype.handle = function () {\n  this.next();\n};\n\
         Router.prototype.next = function () {};\nfunction Other() {}\nOther.prototype.next = function () {};\n",
    )];
    check(&files, "Router.next", &["lib/router.js:3"]);
    check(&files, "Other.next", &[]);
}

#[test]
fn nested_functions_belong_to_their_outer_one() {
    let files = [(
        "a.js",
        "function outer() {\n  function done() {}\n  done();\n}\nfunction other() {\n  function done() {}\n  done();\n}\n",
    )];
    check(&files, "outer.done", &["a.js:3"]);
    check(&files, "a.js:6", &["a.js:7"]);
}

#[test]
fn python_names_come_through_packages_and_modules() {
    let files = [
        ("src/pkg/__init__.py", "from .core import run as run\n"),
        ("src/pkg/core.py", "def run():\n    pass\n"),
        ("src/pkg/fake.py", "def run():\n    pass\n\nrun()\n"),
        (
            "tests/test_a.py",
            "import pkg\nfrom pkg import core, run\n\npkg.run()\ncore.run()\nrun()\npkg.core.run()\n",
        ),
    ];
    check(
        &files,
        "core.py:run",
        &[
            "tests/test_a.py:4",
            "tests/test_a.py:5",
            "tests/test_a.py:6",
            "tests/test_a.py:7",
        ],
    );
}

#[test]
fn a_name_defined_or_imported_by_branch_is_both() {
    let files = [
        ("p/__init__.py", ""),
        ("p/win.py", "def stream():\n    pass\n"),
        (
            "p/compat.py",
            "if WIN:\n    from .win import stream\nelse:\n    def stream():\n        pass\n\nstream()\n",
        ),
    ];
    check(&files, "win.py:stream", &["p/compat.py:7"]);
    check(&files, "compat.py:stream", &["p/compat.py:7"]);
}

#[test]
fn a_module_exports_what_it_defines_and_what_it_imports_by_branch() {
    let files = [
        ("p/__init__.py", ""),
        ("p/fast.py", "def wait():\n    pass\n"),
        (
            "p/compat.py",
            "def wait():\n    raise NotImplementedError\n\ntry:\n    from .fast import wait\nexcept ImportError:\n    pass\n",
        ),
        ("p/run.py", "from .compat import wait\n\nwait()\n"),
    ];
    check(&files, "fast.py:wait", &["p/run.py:3"]);
    check(&files, "compat.py:wait", &["p/run.py:3"]);
}

#[test]
fn self_finds_the_members_of_bases() {
    let files = [
        (
            "base.py",
            "class Base:\n    def close(self):\n        pass\n",
        ),
        (
            "sub.py",
            "from base import Base\n\nclass Sub(Base):\n    def end(self):\n        self.close()\n        super().close()\n",
        ),
        (
            "other.py",
            "class File:\n    def close(self):\n        self.close()\n",
        ),
    ];
    check(&files, "Base.close", &["sub.py:5", "sub.py:6"]);
    check(&files, "File.close", &["other.py:3"]);
}

#[test]
fn annotated_parameters_give_their_methods() {
    let files = [
        (
            "ctx.py",
            "class Context:\n    def invoke(self):\n        pass\n\nclass Runner:\n    def invoke(self):\n        pass\n",
        ),
        (
            "use.py",
            "from ctx import Context\n\ndef go(ctx: Context):\n    ctx.invoke()\n\ndef unknown(x):\n    x.invoke()\n",
        ),
    ];
    check(&files, "Context.invoke", &["use.py:4", "use.py:7?"]);
    check(&files, "Runner.invoke", &["use.py:7?"]);
}

#[test]
fn a_member_that_only_its_name_leads_to_is_a_guess() {
    let files = [
        (
            "a.py",
            "class A:\n    def frobnicate(self):\n        pass\n",
        ),
        ("b.py", "import a\n\ndef f(x):\n    x.frobnicate()\n"),
        ("c.py", "def f(x):\n    x.frobnicate()\n"),
    ];
    check(&files, "frobnicate", &["b.py:4~", "c.py:2~"]);
    let local = [
        (
            "a.php",
            "<?php\nclass Link { public $script; function time() {} }\n",
        ),
        (
            "b.php",
            "<?php\nuse Link;\nfunction f($script) { return $script . time(); }\n",
        ),
    ];
    check(&local, "script", &[]);
    check(&local, "time", &[]);
}

#[test]
fn a_macro_defined_twice_is_two_macros() {
    let files = [
        (
            "inc/a.h",
            "#define LIMIT 1\nextern int total;\nint f(void) { return LIMIT + total; }\n",
        ),
        (
            "src/b.c",
            "#include \"../inc/a.h\"\n#define LIMIT 2\nint total;\n",
        ),
    ];
    check(&files, "inc/a.h:LIMIT", &["inc/a.h:3"]);
    check(&files, "src/b.c:LIMIT", &[]);
    check(&files, "src/b.c:total", &["inc/a.h:3"]);
}

#[test]
fn a_linker_finds_a_function_of_one_name_and_no_variable() {
    let files = [
        (
            "lib/a.c",
            "int total;\nint edata_get(int x) { return x; }\n",
        ),
        ("src/b.c", "int f(void) { return edata_get(1) + total; }\n"),
        ("test/helper.c", "int helper_get(void) { return 1; }\n"),
        ("src/c.c", "int g(void) { return helper_get(); }\n"),
    ];
    check(&files, "edata_get", &["src/b.c:1"]);
    check(&files, "total", &["src/b.c:1~"]);
    check(&files, "helper_get", &["src/c.c:1~"]);
}

#[test]
fn a_go_package_is_one_scope() {
    let files = [
        ("go.mod", "module example.com/m\n"),
        (
            "a.go",
            "package m\n\ntype Router struct {\n\tName string\n}\n\nfunc New() *Router { return nil }\n",
        ),
        (
            "b.go",
            "package m\n\nfunc (r *Router) Use() {\n\tr.match()\n}\n\nfunc (r *Router) match() {}\n\nfunc f() { New() }\n",
        ),
        (
            "sub/c.go",
            "package sub\n\nimport \"example.com/m\"\n\nfunc New() {}\n\nfunc g() {\n\tm.New()\n\tNew()\n}\n",
        ),
    ];
    check(&files, "a.go:New", &["b.go:9", "sub/c.go:8"]);
    check(&files, "Router.match", &["b.go:4"]);
}

#[test]
fn rust_paths_modules_and_impls_lead_to_the_item() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"k\"\n"),
        ("src/lib.rs", "mod a;\nmod b;\npub use a::Thing;\n"),
        (
            "src/a.rs",
            "pub struct Thing;\n\nimpl Thing {\n    pub fn new() -> Self {\n        Self::check();\n        Self\n    }\n    fn check() {}\n}\n",
        ),
        (
            "src/b.rs",
            "use crate::Thing;\n\npub struct Other;\n\nimpl Other {\n    fn check() {}\n}\n\nfn f() {\n    Thing::new();\n    crate::a::Thing::new();\n}\n",
        ),
    ];
    check(
        &files,
        "Thing",
        &["src/a.rs:3", "src/b.rs:10", "src/b.rs:11"],
    );
    check(&files, "Thing::new", &["src/b.rs:10", "src/b.rs:11"]);
    check(&files, "Thing::check", &["src/a.rs:5"]);
    check(&files, "Other::check", &[]);
}

#[test]
fn a_rust_glob_of_a_child_module_passes_its_names_on() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"k\"\n"),
        (
            "src/lib.rs",
            "pub mod other;\npub use other::*;\npub fn top() -> Plain { other::Plain::new() }\n",
        ),
        ("src/other/mod.rs", "mod plain;\npub use plain::*;\n"),
        (
            "src/other/plain.rs",
            "pub struct Plain {}\nimpl Plain { pub fn new() -> Self { Plain {} } }\n",
        ),
    ];
    check(
        &files,
        "Plain",
        &[
            "src/lib.rs:3",
            "src/lib.rs:3",
            "src/other/plain.rs:2",
            "src/other/plain.rs:2",
        ],
    );
    check(&files, "Plain::new", &["src/lib.rs:3"]);
}

#[test]
fn a_rust_path_is_no_member_of_a_local_of_its_name() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"k\"\n"),
        (
            "src/uri.rs",
            "pub struct Parts {\n    pub path: u32,\n}\nimpl Parts {\n    pub fn size(&self) {}\n}\npub fn make() -> Parts {\n    todo!()\n}\npub fn size() {}\n",
        ),
        (
            "src/lib.rs",
            "mod uri;\nfn f() {\n    let uri = uri::make();\n    uri.size();\n    match uri {\n        uri::Parts { path, .. } => path,\n    };\n}\nfn g(uri: u32) -> uri::Parts {\n    uri::make()\n}\n",
        ),
    ];
    check(&files, "make", &["src/lib.rs:3", "src/lib.rs:10"]);
    check(
        &files,
        "Parts",
        &[
            "src/lib.rs:6",
            "src/lib.rs:9",
            "src/uri.rs:4",
            "src/uri.rs:7",
        ],
    );
    check(&files, "Parts::size", &["src/lib.rs:4"]);
}

#[test]
fn what_a_rust_tuple_struct_holds_may_have_any_method() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"k\"\n"),
        (
            "src/lib.rs",
            "pub trait Once {\n    fn once(self);\n}\nimpl<T: Clone> Once for T {\n    fn once(self) {}\n}\npub struct Inner;\npub struct Route(Inner);\nimpl Route {\n    fn run(self) {\n        self.0.once();\n    }\n}\n",
        ),
    ];
    let view = View::new(&files);
    let found = view.hits("Once::once");
    assert!(found.iter().any(|hit| hit.line == 11), "{found:?}");
}

#[test]
fn a_rust_function_may_bear_the_name_of_its_module() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"k\"\n"),
        ("src/main.rs", "mod exec;\nmod walk;\nfn main() {}\n"),
        (
            "src/exec/mod.rs",
            "mod job;\npub use self::job::{batch, job};\nfn f() {\n    job(1);\n    job::batch(2);\n}\n",
        ),
        (
            "src/exec/job.rs",
            "pub fn job(n: u32) {}\npub fn batch(n: u32) {}\n",
        ),
        (
            "src/walk.rs",
            "use crate::exec;\nuse crate::exec::job;\nfn g() {\n    exec::job(1);\n    job(2);\n    crate::exec::job(3);\n    exec::batch(4);\n}\n",
        ),
    ];
    let jobs = [
        "src/exec/mod.rs:4",
        "src/walk.rs:4",
        "src/walk.rs:5",
        "src/walk.rs:6",
    ];
    check(&files, "job", &jobs);
    check(&files, "batch", &["src/exec/mod.rs:5", "src/walk.rs:7"]);
}

#[test]
fn what_an_external_package_gives_is_not_ours() {
    let files = [
        ("src/util.ts", "export function join() {}\n"),
        (
            "src/a.ts",
            "import { join } from 'path';\nimport * as path from 'path';\njoin();\npath.join();\n",
        ),
        (
            "src/b.ts",
            "export function f(join: () => void) {\n  join();\n}\n",
        ),
    ];
    check(&files, "util.ts:join", &[]);
}

#[test]
fn the_line_of_a_definition_is_no_reference_but_for_what_stands_behind_it() {
    let files = [("a.js", "function f() { return f; }\nf();\n")];
    check(&files, "f", &["a.js:2"]);
    let beside = [(
        "a.ts",
        "export function go(q: number, xs: number[]) {}\nconst all = [1];\nfor (let i = 1; i < 9; i++) all[i] = 1;\n\
         function helper() { return 1; } console.log(helper());\n\
         class K { static make() {} } K.make();\n\
         const limit = 3; if (globalThis.n > limit) go(1, []);\n",
    )];
    check(&beside, "helper", &["a.ts:4"]);
    check(&beside, "K", &["a.ts:5"]);
    check(&beside, "K.make", &["a.ts:5"]);
    check(&beside, "limit", &["a.ts:6"]);
}

#[test]
fn jvm_packages_and_own_members_are_in_scope() {
    let files = [
        (
            "src/main/java/com/x/A.java",
            "package com.x;\n\npublic class A {\n    static A make() { return null; }\n    void run() {\n        helper();\n    }\n    void helper() {}\n}\n",
        ),
        (
            "src/main/java/com/x/B.java",
            "package com.x;\n\nclass B {\n    void go(A a) {\n        A.make();\n        a.run();\n    }\n    void run() {}\n}\n",
        ),
        (
            "src/main/java/com/y/C.java",
            "package com.y;\n\nimport com.x.A;\n\nclass C {\n    A a = A.make();\n}\n",
        ),
    ];
    check(&files, "A.helper", &["src/main/java/com/x/A.java:6"]);
    check(
        &files,
        "A.make",
        &[
            "src/main/java/com/x/B.java:5",
            "src/main/java/com/y/C.java:6",
        ],
    );
    check(&files, "A.run", &["src/main/java/com/x/B.java:6"]);
    check(&files, "B.run", &[]);
}

#[test]
fn a_header_leads_from_its_includer_to_the_body() {
    let files = [
        ("src/list.h", "int list_length(int *list);\n"),
        (
            "src/list.c",
            "#include \"list.h\"\n\nint list_length(int *list) {\n  return 0;\n}\n",
        ),
        (
            "src/main.c",
            "#include \"list.h\"\n\nint main(void) {\n  return list_length(0);\n}\n",
        ),
    ];
    check(&files, "list_length", &["src/main.c:4"]);
    check(&files, "list.c:list_length", &["src/main.c:4"]);
}

#[test]
fn ruby_php_and_c_sharp_find_types_and_their_members() {
    let files = [
        (
            "lib/a.rb",
            "class Parser\n  def self.build\n  end\n  def scan\n    step\n  end\n  def step\n  end\nend\n",
        ),
        ("lib/b.rb", "require_relative 'a'\n\nParser.build\n"),
    ];
    check(&files, "Parser.build", &["lib/b.rb:3"]);
    check(&files, "step", &["lib/a.rb:5"]);
    let files = [
        (
            "src/User.php",
            "<?php\nnamespace Acme;\n\nclass User\n{\n    public static function load() {}\n    public function save()\n    {\n        $this->check();\n    }\n    private function check() {}\n}\n",
        ),
        (
            "src/Use.php",
            "<?php\nnamespace App;\n\nuse Acme\\User;\n\nUser::load();\n",
        ),
    ];
    check(&files, "load", &["src/Use.php:6"]);
    check(&files, "check", &["src/User.php:9"]);
    let files = [
        (
            "A.cs",
            "namespace Acme;\n\npublic class A\n{\n    public static void Make() {}\n}\n",
        ),
        (
            "B.cs",
            "using Acme;\n\nnamespace App;\n\nclass B\n{\n    void Go()\n    {\n        A.Make();\n    }\n}\n",
        ),
    ];
    check(&files, "A.Make", &["B.cs:9"]);
}

/// Text that looks like code to the signature and expression readers.
fn noise() -> impl Strategy<Value = String> {
    "[a-zß().:<>\\[\\]{}&*?!'\"@ =,;|→-]{0,30}"
}

proptest! {
    #[test]
    fn broken_facts_never_panic(signature in noise(), qualifier in noise(), module in noise()) {
        let view = crate::support::file("src/a.py")
            .import(&module, &["x"])
            .import("./b", &[&module])
            .define(whyrank_syntax::SymbolKind::Function, "f", (1, 3))
            .define(whyrank_syntax::SymbolKind::Class, "K", (4, 9));
        for language in ["python", "typescript", "go", "rust", "java", "c", "php", "ruby", "csharp", "lua"] {
            let mut facts = view.facts.clone();
            facts.symbols[0].signature.clone_from(&signature);
            facts.symbols[0].parent = Some(1);
            facts.symbols[1].qualified.clone_from(&qualifier);
            for name in ["f", "K", "x"] {
                facts.references.push(whyrank_syntax::Reference {
                    name: name.to_owned(),
                    qualifier: qualifier.clone(),
                    kind: ReferenceKind::Call,
                    line: 2,
                    column: 0,
                    enclosing: Some(0),
                    arguments: None,
                });
            }
            let files = [FileInput { path: "src/a.py", language, facts: &facts }];
            let graph = ImportGraph::resolve(&files, &[]);
            let table = SymbolTable::new(&files, &graph);
            table.definitions(&qualifier);
            table.near(&signature, 3);
            for symbol in 0..2 {
                references(&files, &graph, &table, &[SymbolId { file: 0, symbol }]);
            }
        }
    }
}
