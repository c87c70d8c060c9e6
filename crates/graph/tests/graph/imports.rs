//! Import resolution, a case a rule.

use whyrank_syntax::{
    ImportKind::{Import, Include, ModuleDeclaration, ReExport},
    SymbolKind,
};

use crate::support::{File, file, graph, imported};

/// The first file's imports lead to `expected`; `others` are there to be found.
fn check(first: File, others: &[&'static str], expected: &[&str]) {
    check_with(first, others, &[], expected);
}

fn check_with(first: File, others: &[&'static str], manifests: &[(&str, &str)], expected: &[&str]) {
    let mut files = vec![first];
    files.extend(others.iter().map(|path| file(path)));
    assert_eq!(imported(&files, manifests), expected);
}

#[test]
fn script_paths_take_extensions_folders_and_sources_of_outputs() {
    let first = file("src/a.ts")
        .import("./b", &["B"])
        .import("./c.js", &["C"])
        .import("./dir", &["D"])
        .import("..", &["R"])
        .import("./view.vue", &["default as View"])
        .import("./data.json", &[])
        .import("./missing", &[])
        .import("react", &["default as React"]);
    let others = [
        "src/b.ts",
        "src/b/index.ts",
        "src/c.ts",
        "src/dir/index.tsx",
        "index.js",
        "src/view.vue",
        "src/data.json",
    ];
    let expected = [
        "src/b.ts",
        "src/c.ts",
        "src/dir/index.tsx",
        "index.js",
        "src/view.vue",
        "src/data.json",
        "(./missing)",
        "(react)",
    ];
    check(first, &others, &expected);
}

#[test]
fn a_script_prefers_its_own_kind_of_file() {
    check(
        file("a.js").import("./b", &[]),
        &["b.ts", "b.js"],
        &["b.js"],
    );
    check(
        file("a.ts").import("./b", &[]),
        &["b.js", "b.ts"],
        &["b.ts"],
    );
    check(file("a.mts").import("./b.mjs", &[]), &["b.mts"], &["b.mts"]);
}

#[test]
fn common_js_requires_resolve_like_imports() {
    let first = file("lib/express.js")
        .import("./router", &["* as Router"])
        .import("./router/route", &[]);
    check(
        first,
        &["lib/router/index.js", "lib/router/route.js"],
        &["lib/router/index.js", "lib/router/route.js"],
    );
}

#[test]
fn tsconfig_paths_and_base_url_are_followed() {
    let tsconfig = r##"{ // comment
        "compilerOptions": { "baseUrl": "./src", "paths": { "@app/*": ["app/*"], "#x": ["./x/main.ts"], }, } }"##;
    let first = file("src/a.ts")
        .import("@app/b", &[])
        .import("#x", &[])
        .import("lib/c", &[]);
    check_with(
        first,
        &["src/app/b.ts", "src/x/main.ts", "src/lib/c.ts"],
        &[("tsconfig.json", tsconfig)],
        &["src/app/b.ts", "src/x/main.ts", "src/lib/c.ts"],
    );
}

#[test]
fn a_tsconfig_maps_what_those_map_that_it_extends() {
    let shared = r#"{
        // of all packages
        "compilerOptions": { "baseUrl": "..", "paths": { "@core/*": ["./src/core/*"], /* one */ "~env": ["./src/env.ts"], }, },
    }"#;
    let of_package = r#"{ "compilerOptions": { "paths": { "$lib/*": ["./lib/*"] } } }"#;
    let core = ["src/core/boot.ts", "src/env.ts", "($lib/x)"];
    let neither = ["(@core/boot)", "(~env)", "($lib/x)"];
    for (extends, expected) in [
        (r#""../config/tsconfig.base.json""#, core),
        (r#""../config/tsconfig.base""#, core),
        (
            r#"["@acme/presets/tsconfig.lib", "../config/tsconfig.base.json"]"#,
            core,
        ),
        (
            r#""@acme/presets/tsconfig.lib.json""#,
            ["(@core/boot)", "(~env)", "presets/lib/x.ts"],
        ),
        (r#""./tsconfig.json""#, neither),
        (r#""@other/config""#, neither),
        ("7", neither),
    ] {
        let own = format!("{{ \"extends\": {extends}, \"include\": [\"src\"], }}");
        let first = file("app/src/a.ts")
            .import("@core/boot", &[])
            .import("~env", &[])
            .import("$lib/x", &[]);
        check_with(
            first,
            &["src/core/boot.ts", "src/env.ts", "presets/lib/x.ts"],
            &[
                ("app/tsconfig.json", own.as_str()),
                ("config/tsconfig.base.json", shared),
                ("presets/package.json", r#"{ "name": "@acme/presets" }"#),
                ("presets/tsconfig.lib.json", of_package),
            ],
            &expected,
        );
    }
}

#[test]
fn lists_of_tsconfigs_that_extend_each_other_are_walked_once() {
    let paths: Vec<String> = (0..16).map(|n| format!("tsconfig.{n}.json")).collect();
    let all: Vec<String> = paths.iter().map(|path| format!("\"./{path}\"")).collect();
    let text = format!("{{ \"extends\": [{}] }}", all.join(","));
    let of_last = r#"{ "compilerOptions": { "paths": { "~x": ["./src/x.ts"] } } }"#;
    let mut manifests: Vec<(&str, &str)> = paths
        .iter()
        .map(|path| (path.as_str(), text.as_str()))
        .collect();
    manifests[15].1 = of_last;
    let first = file("src/a.ts").import("~x", &[]);
    check_with(first, &["src/x.ts"], &manifests, &["src/x.ts"]);
}

#[test]
fn workspace_packages_lead_to_their_sources() {
    let core = r#"{"name": "@org/core", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"},
        "./sub/*": "./dist/sub/*.js"}}"#;
    let util = r#"{"name": "util-pkg", "main": "lib/main.js"}"#;
    let first = file("packages/app/a.ts")
        .import("@org/core", &[])
        .import("@org/core/sub/x", &[])
        .import("util-pkg", &[])
        .import("util-pkg/extra", &[])
        .import("@org/other", &[]);
    check_with(
        first,
        &[
            "packages/core/src/index.ts",
            "packages/core/src/sub/x.ts",
            "packages/util/lib/main.js",
            "packages/util/extra.js",
        ],
        &[
            ("packages/core/package.json", core),
            ("packages/util/package.json", util),
        ],
        &[
            "packages/core/src/index.ts",
            "packages/core/src/sub/x.ts",
            "packages/util/lib/main.js",
            "packages/util/extra.js",
            "(@org/other)",
        ],
    );
}

#[test]
fn a_package_whose_folder_is_the_root_is_known_by_the_name_it_is_imported_by() {
    let others = ["__init__.py", "models.py", "auth/basic.py"];
    let imports = |second| {
        file("tests/test_a.py")
            .import("shop.models", &["Order"])
            .import(second, &["login"])
            .import("shop", &["Order"])
            .import("os.path", &["join"])
    };
    let expected = ["models.py", "auth/basic.py", "__init__.py", "(os.path)"];
    check(imports("shop.auth.basic"), &others, &expected);
    // One module that happens to be here proves nothing.
    let expected = ["(shop.models)", "(shop.gone)", "(shop)", "(os.path)"];
    check(imports("shop.gone"), &others, &expected);
}

#[test]
fn python_finds_absolute_and_relative_modules() {
    let first = file("src/pkg/sub/a.py")
        .import("pkg.b", &["B"])
        .import(".c", &["C"])
        .import("..d", &["D"])
        .import(".", &["e"])
        .import("..", &["helper"])
        .import("os.path", &["join"])
        .import("pkg", &["Flask", "b"]);
    let others = [
        "src/pkg/__init__.py",
        "src/pkg/b.py",
        "src/pkg/d.py",
        "src/pkg/helper.py",
        "src/pkg/sub/__init__.py",
        "src/pkg/sub/c.py",
        "src/pkg/sub/e.py",
    ];
    let expected = [
        "src/pkg/b.py",
        "src/pkg/sub/c.py",
        "src/pkg/d.py",
        "src/pkg/sub/e.py",
        "src/pkg/helper.py",
        "(os.path)",
        "src/pkg/__init__.py",
        "src/pkg/b.py",
    ];
    check(first, &others, &expected);
}

#[test]
fn a_name_that_the_package_binds_is_no_submodule() {
    let files = [
        file("app.py").import("pkg", &["main", "run"]),
        file("pkg/__init__.py").import(".main", &["main"]).define(
            SymbolKind::Function,
            "run",
            (3, 4),
        ),
        file("pkg/main.py"),
        file("pkg/run.py"),
    ];
    assert_eq!(imported(&files, &[]), ["pkg/__init__.py"]);
}

#[test]
fn a_module_inside_a_package_does_not_hide_the_standard_library() {
    check(
        file("src/pkg/a.py").import("json", &["dumps"]),
        &["src/pkg/__init__.py", "src/pkg/json.py"],
        &["(json)"],
    );
}

#[test]
fn go_imports_lead_to_the_files_of_the_package() {
    let first = file("cmd/main.go")
        .import("example.com/m/util", &[])
        .import("fmt", &[])
        .import("example.com/m", &[]);
    check_with(
        first,
        &["util/a.go", "util/b.go", "util/a_test.go", "root.go"],
        &[("go.mod", "module example.com/m // root\n\ngo 1.22\n")],
        &["util/a.go", "util/b.go", "(fmt)", "root.go"],
    );
}

#[test]
fn rust_modules_and_paths_lead_to_the_longest_prefix() {
    let manifests = [
        ("Cargo.toml", "[package]\nname = \"my-lib\"\n"),
        ("other/Cargo.toml", "[package]\nname = \"other-lib\"\n"),
    ];
    let files = [
        file("src/a/b.rs")
            .import("crate::c::deep::Thing", &[])
            .import("super", &["x"])
            .import("super::super::c", &["C"])
            .import("std::collections::HashMap", &[])
            .import("other_lib::part", &["Part"])
            .import("crate", &["Root"]),
        file("src/lib.rs")
            .with(ModuleDeclaration, "a", &[])
            .with(ModuleDeclaration, "c", &[]),
        file("src/a/mod.rs").with(ModuleDeclaration, "b", &[]),
        file("src/c.rs").with(ModuleDeclaration, "deep", &[]),
        file("src/c/deep.rs"),
        file("other/src/lib.rs").with(ModuleDeclaration, "part", &[]),
        file("other/src/part.rs"),
    ];
    let expected = [
        "src/c/deep.rs",
        "src/a/mod.rs",
        "src/c.rs",
        "(std::collections::HashMap)",
        "other/src/part.rs",
        "src/lib.rs",
    ];
    assert_eq!(imported(&files, &manifests), expected);
    let graph = graph(&files, &manifests);
    let targets: Vec<Option<u32>> = graph.imports(1).iter().map(|edge| edge.target).collect();
    assert_eq!(targets, [Some(2), Some(3)]);
}

#[test]
fn super_inside_an_inline_module_stays_in_the_file() {
    let files = [
        file("src/a.rs")
            .define(SymbolKind::Module, "tests", (5, 9))
            .import_at(Import, "super", &["*"], 6)
            .import_at(Import, "crate::lib_item", &[], 7),
        file("src/lib.rs").with(ModuleDeclaration, "a", &[]),
    ];
    assert_eq!(imported(&files, &[]), ["(super)", "src/lib.rs"]);
}

#[test]
fn jvm_packages_are_the_end_of_a_path() {
    let first = file("app/src/main/java/com/x/App.java")
        .import("com.x.model.User", &[])
        .import("com.x.model.User.Inner", &[])
        .import("com.x.util.*", &[])
        .import("java.util.List", &[]);
    check(
        first,
        &[
            "core/src/main/java/com/x/model/User.java",
            "core/src/main/kotlin/com/x/util/A.kt",
            "core/src/main/kotlin/com/x/util/B.kt",
        ],
        &[
            "core/src/main/java/com/x/model/User.java",
            "core/src/main/java/com/x/model/User.java",
            "core/src/main/kotlin/com/x/util/A.kt",
            "core/src/main/kotlin/com/x/util/B.kt",
            "(java.util.List)",
        ],
    );
}

#[test]
fn includes_are_relative_or_the_end_of_a_path() {
    let first = file("src/net/a.c")
        .with(Include, "b.h", &[])
        .with(Include, "net/c.h", &[])
        .with(Include, "<lib/d.h>", &[])
        .with(Include, "<string.h>", &[]);
    check(
        first,
        &[
            "src/net/b.h",
            "src/b.h",
            "src/net/c.h",
            "include/lib/d.h",
            "src/string.h",
        ],
        &[
            "src/net/b.h",
            "src/net/c.h",
            "include/lib/d.h",
            "(<string.h>)",
        ],
    );
}

#[test]
fn ruby_requires_lie_beside_or_below_lib() {
    let first = file("lib/gem/a.rb")
        .with(Include, "b", &[])
        .import("gem/c", &[])
        .import("json", &[]);
    check(
        first,
        &["lib/gem/b.rb", "lib/gem/c.rb", "lib/gem/json.rb"],
        &["lib/gem/b.rb", "lib/gem/c.rb", "(json)"],
    );
}

#[test]
fn php_classes_follow_psr4_or_the_end_of_a_path() {
    let composer = r#"{"autoload": {"psr-4": {"Acme\\": "src/", "Acme\\Tests\\": ["tests/"]}}}"#;
    let first = file("src/App.php")
        .import("Acme\\Model\\User", &[])
        .import("Acme\\Tests\\Case1", &[])
        .with(Include, "/inc/f.php", &[])
        .import("Other\\Thing", &[]);
    check_with(
        first,
        &["src/Model/User.php", "tests/Case1.php", "src/inc/f.php"],
        &[("composer.json", composer)],
        &[
            "src/Model/User.php",
            "tests/Case1.php",
            "src/inc/f.php",
            "(Other\\Thing)",
        ],
    );
}

#[test]
fn a_using_leads_to_the_files_that_declare_the_namespace() {
    let files = [
        file("A.cs")
            .import("Acme.Core", &[])
            .import("System.Linq", &[]),
        file("B.cs").define(SymbolKind::Namespace, "Acme.Core", (1, 9)),
        file("C.cs").define(SymbolKind::Namespace, "Acme.Web", (1, 9)),
    ];
    assert_eq!(imported(&files, &[]), ["B.cs", "(System.Linq)"]);
}

#[test]
fn lua_haskell_elixir_and_zig_have_their_own_paths() {
    check(
        file("lua/p/a.lua").import("p.b", &[]).import("p.c", &[]),
        &["lua/p/b.lua", "lua/p/c/init.lua"],
        &["lua/p/b.lua", "lua/p/c/init.lua"],
    );
    check(
        file("src/A.hs").import("Data.Thing", &[]),
        &["src/Data/Thing.hs"],
        &["src/Data/Thing.hs"],
    );
    check(
        file("src/a.zig").import("b.zig", &[]).import("std", &[]),
        &["src/b.zig"],
        &["src/b.zig", "(std)"],
    );
    let files = [
        file("lib/a.ex").import("My.B", &[]),
        file("lib/b.ex").define(SymbolKind::Module, "My.B", (1, 9)),
    ];
    assert_eq!(imported(&files, &[]), ["lib/b.ex"]);
}

#[test]
fn importers_turn_the_edges_round() {
    let files = [
        file("a.ts")
            .import("./b", &["x"])
            .with(ReExport, "./b", &["*"]),
        file("b.ts").import("./b", &[]),
        file("c.ts").import("./a", &[]).import("./b", &[]),
    ];
    let graph = graph(&files, &[]);
    assert_eq!(graph.importers(1), [(0, 1), (0, 2), (2, 2)]);
    assert_eq!(graph.importers(0), [(2, 1)]);
    assert_eq!(graph.externals(1).collect::<Vec<_>>(), ["./b"]);
}

#[test]
fn cycles_are_groups_that_reach_each_other() {
    let files = [
        file("a.ts").import("./b", &[]),
        file("b.ts").import("./c", &[]),
        file("c.ts").import("./a", &[]),
        file("d.ts").import("./a", &[]),
    ];
    assert_eq!(graph(&files, &[]).cycles(), [vec![0, 1, 2]]);
}

#[test]
fn a_graph_survives_serialisation() {
    let files = [
        file("a.ts").import("./b", &["x"]).import("react", &[]),
        file("b.ts"),
    ];
    let graph = graph(&files, &[]);
    let bytes = postcard::to_allocvec(&graph).unwrap();
    assert!(bytes.len() < 64, "{} bytes", bytes.len());
    assert_eq!(
        postcard::from_bytes::<whyrank_graph::ImportGraph>(&bytes).unwrap(),
        graph
    );
}
