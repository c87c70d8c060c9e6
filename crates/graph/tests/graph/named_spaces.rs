//! What is written with its place: namespaces of PHP, packages and platforms of Kotlin, crates of Rust, the
//! class that a constructor is named for.

use whyrank_graph::Confidence;
use whyrank_syntax::ReferenceKind;

use crate::support::View;

fn check(files: &[(&'static str, &'static str)], expected: &[(&str, &[&str])]) {
    let view = View::new(files);
    for (query, uses) in expected {
        assert_eq!(view.uses(query), *uses, "{query}");
    }
}

#[test]
fn php_names_below_a_namespace_mean_what_it_holds() {
    let curl = "<?php\nnamespace Acme\\Handler;\nclass Curl {\n  public static function go() {}\n  public function run() {}\n}\n";
    let user = "<?php\nnamespace Acme;\nuse Acme\\Handler;\nclass E {\n  public function a(): Handler\\Curl {\n\
                $c = new Handler\\Curl();\n$c->run();\nHandler\\Curl::go();\n}\n\
                public function b(\\Acme\\Handler\\Curl $p) {\n$c = new \\Acme\\Handler\\Curl();\n$c->run();\n$p->run();\n\
                \\Acme\\Handler\\Curl::go();\nreturn $p instanceof \\Acme\\Handler\\Curl;\n}\n}\n\
                class F extends Handler\\Curl {}\nclass G extends \\Acme\\Handler\\Curl {}\n";
    let other = "<?php\nnamespace Else\\Where;\nclass Curl { public function run() {} }\n";
    let files = [
        (
            "composer.json",
            "{\"autoload\":{\"psr-4\":{\"Acme\\\\\":\"src/\"}}}",
        ),
        ("src/Handler/Curl.php", curl),
        ("src/E.php", user),
        ("lib/Curl.php", other),
    ];
    let at = |lines: &[u32]| -> Vec<String> {
        lines
            .iter()
            .map(|line| format!("src/E.php:{line}"))
            .collect()
    };
    let view = View::new(&files);
    let uses = |query: &str| view.uses(query);
    let curl = "src/Handler/Curl.php";
    assert_eq!(
        uses(&format!("{curl}:3")),
        at(&[5, 6, 8, 10, 11, 14, 15, 18, 19])
    );
    assert_eq!(uses(&format!("{curl}:4")), at(&[8, 14]));
    assert_eq!(uses(&format!("{curl}:5")), at(&[7, 12, 13]));
    assert_eq!(uses("lib/Curl.php:3"), Vec::<String>::new());
    assert!(view.imports_of("src/E.php").contains(&curl));
}

#[test]
fn kotlin_imports_bring_extensions_of_every_type() {
    check(
        &[
            (
                "src/main/kotlin/p/internal/A.kt",
                "package p.internal\nimport p.A\ninternal inline fun A.common(): Int = 1\n",
            ),
            (
                "src/main/kotlin/p/internal/B.kt",
                "package p.internal\nimport p.B\ninternal inline fun B.common(): Int = 2\n",
            ),
            (
                "src/main/kotlin/p/A.kt",
                "package p\nimport p.internal.common\nclass A { fun f(): Int = common() }\n",
            ),
            (
                "src/main/kotlin/p/B.kt",
                "package p\nimport p.internal.common\nclass B { fun f(): Int = common() }\n\
                 fun B.g() = common()\n",
            ),
        ],
        &[
            (
                "src/main/kotlin/p/internal/A.kt:3",
                &["src/main/kotlin/p/A.kt:3"],
            ),
            (
                "src/main/kotlin/p/internal/B.kt:3",
                &["src/main/kotlin/p/B.kt:3", "src/main/kotlin/p/B.kt:4"],
            ),
        ],
    );
}

#[test]
fn what_a_platform_has_of_its_own_may_be_meant_by_a_use_of_another_platforms() {
    let files = [
        (
            "src/commonMain/kotlin/p/Common.kt",
            "package p\ninternal expect fun now(): Int\ninternal expect class Crc() { fun reset() }\n\
             fun top(): Int { Crc().reset(); return now() }\n",
        ),
        (
            "src/jvmMain/kotlin/p/Jvm.kt",
            "package p\ninternal actual fun now(): Int = 1\ninternal actual class Crc { actual fun reset() {} }\n",
        ),
        (
            "src/nativeMain/kotlin/p/Native.kt",
            "package p\ninternal actual fun now(): Int = 2\ninternal actual class Crc { actual fun reset() {} }\n\
             private fun idle(): Int = 3\n",
        ),
    ];
    let view = View::new(&files);
    let found = view.dead_with_reasons();
    let dead: Vec<&String> = found
        .iter()
        .filter(|one| one.starts_with("dead "))
        .collect();
    assert_eq!(dead.len(), 1, "{found:?}");
    assert!(dead[0].starts_with("dead idle"), "{found:?}");
    for query in [
        "src/nativeMain/kotlin/p/Native.kt:2",
        "src/jvmMain/kotlin/p/Jvm.kt:2",
    ] {
        let uses = [view.uses(query), view.possible(query)].concat();
        assert!(
            uses.iter().any(|place| place.contains("Common.kt:4")),
            "{query}: {uses:?}"
        );
    }
}

#[test]
fn a_crate_is_where_its_manifest_lies() {
    let files = [
        (
            "Cargo.toml",
            "[package]\nname = \"x\"\n[features]\nidx = []\n[[bin]]\nname = \"x\"\npath = \"crates/core/main.rs\"\n",
        ),
        (
            "crates/core/main.rs",
            "mod index;\nfn main() { index::read(1); }\n",
        ),
        (
            "crates/core/index/mod.rs",
            "pub(crate) use self::imp::*;\n\n#[cfg(not(feature = \"idx\"))]\n#[path = \"disabled.rs\"]\nmod imp;\n\
             #[cfg(feature = \"idx\")]\n#[path = \"enabled.rs\"]\nmod imp;\n",
        ),
        (
            "crates/core/index/enabled.rs",
            "pub(crate) fn read(n: u8) -> u8 { n }\npub(crate) fn idle() {}\n",
        ),
        (
            "crates/core/index/disabled.rs",
            "pub(crate) fn read(_n: u8) -> u8 { 0 }\n",
        ),
    ];
    let found = View::new(&files).dead_with_reasons();
    let is_dead = |name: &str| {
        found
            .iter()
            .any(|one| one.starts_with(&format!("dead {name}:")))
    };
    assert!(is_dead("idle") && !is_dead("read"), "{found:?}");
}

#[test]
fn the_base_of_a_cpp_class_is_no_constructor() {
    let view = View::new(&[
        (
            "a.h",
            "class B {\n public:\n  B() = default;\n  B(int);\n  virtual int f() = 0;\n};\n",
        ),
        (
            "b.cc",
            "#include \"a.h\"\nclass B1 : public B {\n public:\n  int f() override { return 1; }\n  B* next;\n};\n\
             int B1::g() { B* b = new B1(); return b->f(); }\n",
        ),
        (
            "a.cc",
            "#include \"a.h\"\nB::B(int n) {}\nnamespace {\nclass B2 : public B {};\n}\n",
        ),
    ]);
    let heirs = view.with_uses(|uses| {
        let found = uses.subtypes(&view.table.definitions("a.h:1"));
        found
            .iter()
            .map(|one| view.qualified(one.symbol).to_owned())
            .collect::<Vec<_>>()
    });
    assert_eq!(heirs, ["B1", "B2"]);
    let uses = view.uses("a.h:1");
    assert_eq!(uses, ["a.cc:2", "a.cc:4", "b.cc:2", "b.cc:5", "b.cc:7"]);
}

#[test]
fn what_stands_in_a_class_that_could_not_be_parsed_is_not_dead() {
    let source = "package p\nclass A(: {\n  fun b() { )\n}\n\nprivate fun idle() {}\n";
    let found = View::new(&[("A.kt", source)]).dead_with_reasons();
    let is_dead = |one: &String| one.starts_with("dead");
    assert!(!found.iter().any(is_dead), "{found:?}");
    let reason = "could be parsed only in part";
    assert!(found.iter().any(|one| one.contains(reason)), "{found:?}");
}

#[test]
fn what_is_exported_under_another_name_is_used_by_that() {
    let view = View::new(&[
        (
            "a.ts",
            "function local() { return 1; }\nexport { local as renamed };\nclass K0 { m() {} }\nexport { K0 as K };\n",
        ),
        ("d.ts", "export default function def() { return 3; }\n"),
        ("d2.ts", "export default class Dc { m2() {} }\n"),
        (
            "idx.ts",
            "export { renamed, K } from \"./a\";\nexport { default as D } from \"./d\";\nexport { default } from \"./d2\";\n",
        ),
        (
            "use.ts",
            "import { renamed, K } from \"./a\";\nrenamed();\nnew K().m();\n",
        ),
        (
            "use2.ts",
            "import Dcc, { D, renamed as r2 } from \"./idx\";\nD();\nr2();\nnew Dcc().m2();\n",
        ),
        (
            "use3.ts",
            "import * as idx from \"./idx\";\nidx.renamed();\nnew idx.K().m();\nidx.D();\n",
        ),
        (
            "use4.ts",
            "const other = 2;\nconst renamed = other;\nconsole.log(renamed);\n",
        ),
    ]);
    let expected: [(&str, &[&str]); 5] = [
        ("a.ts:1", &["use.ts:2", "use2.ts:3", "use3.ts:2"]),
        ("a.ts:3", &["use.ts:3", "use3.ts:3"]),
        ("d.ts:1", &["use2.ts:2", "use3.ts:4"]),
        ("d2.ts:1", &["use2.ts:4"]),
        ("use4.ts:1", &["use4.ts:2"]),
    ];
    for (query, places) in expected {
        let hits = view.kept_hits(query).into_iter();
        let used = hits.filter(|hit| {
            let is_import = matches!(hit.kind, ReferenceKind::Import | ReferenceKind::ReExport);
            hit.confidence == Confidence::Resolved && !is_import
        });
        let found: Vec<String> = used
            .map(|hit| format!("{}:{}", view.path(hit.file), hit.line))
            .collect();
        assert_eq!(found, places, "{query}");
    }
}

#[test]
fn rust_variants_of_an_enum_of_the_same_file_are_brought_by_use() {
    check(
        &[
            ("Cargo.toml", "[package]\nname = \"x\"\n"),
            (
                "src/lib.rs",
                "enum One { Aa, Bb(u8) }\nfn f() -> One {\n    use One::*;\n    Aa\n}\n\
                 enum Two { Cc, Dd }\nmod inner {\n    use super::Two::*;\n    fn g() -> super::Two { Cc }\n}\n\
                 enum Three { Ee, Ff }\nuse self::Three::{Ee, Ff as Gg};\nfn h(n: bool) -> Three { if n { Ee } else { Gg } }\n\
                 enum Four { None, Some2 }\nfn i() -> Four {\n    use Four::*;\n    None\n}\nfn j() -> Option<u8> {\n    None\n}\n\
                 mod tests {\n    fn k() -> Option<u8> { None }\n    fn l() { Ee; }\n}\n",
            ),
        ],
        &[
            ("Aa", &["src/lib.rs:4"]),
            ("Bb", &[]),
            ("Cc", &["src/lib.rs:9"]),
            ("Ee", &["src/lib.rs:13"]),
            ("Ff", &["src/lib.rs:13"]),
            ("Four.None", &["src/lib.rs:17"]),
        ],
    );
}

#[test]
fn what_a_file_of_rust_defines_is_not_what_its_inner_module_does() {
    check(
        &[
            ("Cargo.toml", "[package]\nname = \"m\"\n"),
            ("src/lib.rs", "mod log;\nmod store;\n"),
            (
                "src/log.rs",
                "pub fn warn() {}\npub struct Book;\nimpl Book { pub fn new() -> Self { Book } }\npub mod inner {\n    pub fn warn() {}\n    pub struct Book;\n}\n\
                 fn own() { inner::warn(); }\n",
            ),
            (
                "src/store.rs",
                "use crate::log;\nuse crate::log::Book;\nfn a() { log::warn(); }\nfn b() { log::inner::warn(); }\n\
                 fn c() { crate::log::inner::warn(); }\nfn d() { Book::new(); }\nfn e(book: log::inner::Book) {}\n",
            ),
        ],
        &[
            ("src/log.rs:1", &["src/store.rs:3"]),
            (
                "src/log.rs:5",
                &["src/log.rs:8", "src/store.rs:4", "src/store.rs:5"],
            ),
            (
                "src/log.rs:2",
                &["src/log.rs:3", "src/log.rs:3", "src/store.rs:6"],
            ),
            ("src/log.rs:6", &["src/store.rs:7"]),
        ],
    );
}
