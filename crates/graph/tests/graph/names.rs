//! Definitions by bare, qualified and path-qualified names; near names.

use crate::support::View;

fn check(files: &[(&'static str, &'static str)], query: &str, expected: &[&str]) {
    assert_eq!(View::new(files).definitions(query), expected, "{query}");
}

const ROUTERS: &[(&str, &str)] = &[
    (
        "src/router.ts",
        "export class Router {\n  use() {}\n  static make() {}\n}\n",
    ),
    (
        "src/app.ts",
        "import { Router } from './router';\nexport class App {\n  use() {}\n}\n",
    ),
    ("test/router.test.ts", "class Router {\n  use() {}\n}\n"),
];

#[test]
fn a_bare_name_gives_shipped_and_central_definitions_first() {
    check(
        ROUTERS,
        "use",
        &[
            "src/router.ts:2 Router.use",
            "src/app.ts:3 App.use",
            "test/router.test.ts:2 Router.use",
        ],
    );
}

#[test]
fn a_bare_name_means_a_function_of_its_own_before_a_member() {
    let files = [
        ("api.py", "def get(url):\n    pass\n"),
        (
            "sessions.py",
            "class Session:\n    def get(self):\n        pass\n",
        ),
        ("all.py", "import sessions\n"),
    ];
    check(
        &files,
        "get",
        &["api.py:1 get", "sessions.py:2 Session.get"],
    );
}

#[test]
fn a_qualified_name_keeps_its_owner() {
    check(ROUTERS, "App.use", &["src/app.ts:3 App.use"]);
    check(ROUTERS, "App#use", &["src/app.ts:3 App.use"]);
    check(ROUTERS, "Router::make()", &["src/router.ts:3 Router.make"]);
    check(ROUTERS, "Nobody.use", &[]);
}

#[test]
fn private_members_of_javascript_have_their_mark_or_not() {
    let files = [(
        "src/box.ts",
        "export class Box {\n  #grow() {}\n  #size = 1;\n  size() { return this.#size; }\n}\n",
    )];
    for query in [
        "#grow",
        "Box.#grow",
        "Box#grow",
        "Box.grow",
        "grow",
        "box.ts:#grow",
    ] {
        check(&files, query, &["src/box.ts:2 Box.#grow"]);
    }
    check(&files, "#size", &["src/box.ts:3 Box.#size"]);
    check(&files, "Box#size", &["src/box.ts:4 Box.size"]);
}

#[test]
fn names_may_hold_what_elsewhere_stands_between_parts() {
    let files = [
        ("run.sh", "my-func() {\n  echo 1\n}\n"),
        ("src/shop.kt", "class Shop {\n    fun `adds two`() {}\n}\n"),
        (
            "src/head.ts",
            "export class Head {\n  'content-type'() {}\n}\n",
        ),
    ];
    let found = |query: &str| View::new(&files).definitions(query).len();
    for query in [
        "my-func",
        "run.sh:my-func",
        "`adds two`",
        "adds two",
        "Shop.`adds two`",
        "'content-type'",
        "content-type",
        "Head.content-type",
    ] {
        assert_eq!(found(query), 1, "{query}");
    }
    assert_eq!(found("my-other"), 0);
}

#[test]
fn a_path_before_the_name_chooses_the_file() {
    check(ROUTERS, "app.ts:use", &["src/app.ts:3 App.use"]);
    check(
        ROUTERS,
        "test/router.test.ts:Router.use",
        &["test/router.test.ts:2 Router.use"],
    );
    check(ROUTERS, "src/router.ts:3", &["src/router.ts:3 Router.make"]);
}

#[test]
fn exact_case_comes_before_folded_case() {
    let files = [("a.py", "def token():\n    pass\n\nclass Token:\n    pass\n")];
    check(&files, "Token", &["a.py:4 Token"]);
    check(&files, "TOKEN", &["a.py:4 Token", "a.py:1 token"]);
}

#[test]
fn module_paths_are_part_of_a_qualified_name() {
    let files = [
        ("src/lib.rs", "pub mod glob;\npub mod set;\n"),
        (
            "src/glob.rs",
            "pub struct Error;\nimpl Error {\n    pub fn new() -> Self { Self }\n}\n",
        ),
        ("src/set.rs", "pub struct Error;\n"),
    ];
    check(&files, "crate::set::Error", &["src/set.rs:1 Error"]);
    check(&files, "glob::Error::new", &["src/glob.rs:3 Error::new"]);
    let files = [
        ("mux/route.go", "package mux\n\nfunc New() {}\n"),
        ("other/route.go", "package other\n\nfunc New() {}\n"),
    ];
    check(&files, "mux.New", &["mux/route.go:3 New"]);
}

#[test]
fn what_a_module_exports_is_the_thing_itself() {
    let files = [(
        "lib/index.js",
        "var proto = module.exports = function (options) {\n  return options;\n};\n",
    )];
    let found = View::new(&files).definitions("proto.exports");
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("lib/index.js:1 "), "{found:?}");
}

#[test]
fn principal_definitions_leave_build_output_and_fields_out() {
    let files = [
        (
            "src/a.ts",
            "export class Thing {}\nexport enum Kind { Thing = 1 }\n",
        ),
        ("dist/a.d.ts", "export declare class Thing {}\n"),
    ];
    let view = View::new(&files);
    assert_eq!(view.definitions("Thing").len(), 3);
    assert_eq!(view.table.principal_definitions("Thing").len(), 1);
}

#[test]
fn near_names_differ_by_case_parts_or_few_edits() {
    let files = [(
        "a.py",
        "def parse_config():\n    pass\n\ndef loadFile():\n    pass\n\ndef unrelated():\n    pass\n",
    )];
    let view = View::new(&files);
    assert_eq!(view.near("parseConfig"), ["a.py:1 parse_config"]);
    assert_eq!(view.near("LOADFILE"), ["a.py:4 loadFile"]);
    assert_eq!(view.near("paser_config"), ["a.py:1 parse_config"]);
    assert_eq!(view.near("zzz"), Vec::<String>::new());
}

#[test]
fn the_head_of_a_file_says_its_package_whatever_its_folder() {
    let view = View::new(&[
        (
            "common/src/io/http/A.kt",
            "package io.http\n\nfun pick() = 1\n",
        ),
        (
            "jvm/src/io/http/B.kt",
            "package io.http\n\nfun use() = pick()\n",
        ),
        (
            "jvm/src/io/other/C.kt",
            "package io.other\n\nfun use() = pick()\n",
        ),
    ]);
    let expected = ["jvm/src/io/http/B.kt:3", "jvm/src/io/other/C.kt:3~"];
    assert_eq!(view.uses("A.kt:pick"), expected);
}

#[test]
fn bases_that_lead_in_a_circle_through_the_types_around_end() {
    let circle = "class O : P.Q { public class In : R.S {} }\n\
                  class P : O.In { public class Q : T.U {} }\n";
    let view = View::new(&[
        ("Circle.cs", circle),
        ("R.cs", "class R { public class S {} }\n"),
        ("T.cs", "class T { public class U {} }\n"),
    ]);
    assert_eq!(view.uses("R.cs:S"), ["Circle.cs:1"]);
}

#[test]
fn extensions_that_bear_the_name_of_the_type_they_extend_end() {
    let extensions = "package a\n\nfun Route.Route(n: Int) = n\nfun String.Route(n: Int) = n\n";
    let view = View::new(&[
        ("a/Route.kt", extensions),
        (
            "b/Use.kt",
            "package b\n\nimport a.*\n\nfun Route.go() =\n    Route(1)\n",
        ),
    ]);
    // A head names no function: only the name speaks for it.
    assert_eq!(view.uses("a/Route.kt:Route"), ["b/Use.kt:5~", "b/Use.kt:6"]);
}

#[test]
fn what_a_package_imports_is_not_seen_by_who_imports_the_package() {
    let files = [
        ("q/Far.java", "package q;\npublic class Far {}\n"),
        ("r/Far.java", "package r;\npublic class Far {}\n"),
        (
            "p/Near.java",
            "package p;\nimport q.*;\nimport q.Far;\npublic class Near { Far far; }\n",
        ),
        (
            "u/Use.java",
            "package u;\nimport p.*;\nclass Use { Near near; Far far; }\n",
        ),
    ];
    let view = View::new(&files);
    assert_eq!(view.uses("p/Near.java:Near"), ["u/Use.java:3"]);
    assert_eq!(
        view.uses("q/Far.java:Far"),
        ["p/Near.java:4", "u/Use.java:3?"]
    );
}

#[test]
fn swift_passes_on_what_it_imports_for_others() {
    let view = View::new(&[
        (
            "Sources/Deep/A.swift",
            "public struct Far {}\npublic struct Hidden {}\n",
        ),
        ("Sources/Other/B.swift", "public struct Hidden {}\n"),
        (
            "Sources/Kit/K.swift",
            "@_exported import Deep\nimport Other\npublic struct Near {}\n",
        ),
        (
            "Sources/App/U.swift",
            "import Kit\nfunc f(a: Near, b: Far) {}\n",
        ),
    ]);
    assert_eq!(view.uses("Near"), ["Sources/App/U.swift:2"]);
    assert_eq!(view.uses("Far"), ["Sources/App/U.swift:2"]);
}
