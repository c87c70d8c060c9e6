//! The order of the crates: an edge may only run down, from a crate to one above it in the list.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// Each crate may depend on those before it.
const ORDER: &[&str] = &[
    "whyrank-system",
    "whyrank-sqlite",
    "whyrank-secrets",
    "whyrank-source",
    "whyrank-grams",
    "whyrank-grep",
    "whyrank-grammars",
    "whyrank-syntax",
    "whyrank-external",
    "whyrank-graph",
    "whyrank-inference",
    "whyrank-late-interaction",
    "whyrank-index",
    "whyrank-retrieval",
    "whyrank-memory",
    "whyrank-eval",
    "whyrank-engine",
    "whyrank-agents",
    "whyrank-mcp",
    "whyrank-lsp",
    "whyrank-benchmark",
    "whyrank-cli",
    "whyrank-desktop",
    "whyrank-tests",
    "whyrank-lab",
];

/// What only the skins above the engine may know, and what only the command line may.
const OUTER: &[&str] = &["tauri", "tokio", "rmcp", "axum", "anyhow", "clap"];

struct Crate {
    name: String,
    /// Direct dependencies; those for tests apart.
    normal: Vec<String>,
    dev: Vec<String>,
}

#[test]
fn no_edge_runs_up() {
    for package in workspace() {
        let own = place(&package.name);
        for other in package.normal.iter().chain(&package.dev) {
            if other.starts_with("whyrank-") {
                assert!(place(other) < own, "{} -> {other} runs up", package.name);
            }
        }
    }
}

#[test]
fn nothing_below_the_engine_knows_window_runtime_or_protocol() {
    let engine = place("whyrank-engine");
    for package in workspace()
        .iter()
        .filter(|package| place(&package.name) <= engine)
    {
        for other in &package.normal {
            let outer = OUTER.contains(&other.as_str()) || other.starts_with("tauri-");
            assert!(!outer, "{} depends on {other}", package.name);
        }
    }
}

/// The lab is no skin: it makes memos as `memory` writes them.
#[test]
fn skins_reach_the_index_through_the_engine_alone() {
    let engine = place("whyrank-engine");
    // Neither tasks and judgements nor the machine nor what is a secret know an index.
    let inner: BTreeSet<&str> = ORDER[..engine]
        .iter()
        .copied()
        .filter(|name| !["whyrank-eval", "whyrank-secrets", "whyrank-system"].contains(name))
        .collect();
    for package in workspace()
        .iter()
        .filter(|package| place(&package.name) > engine && package.name != "whyrank-lab")
    {
        for other in &package.normal {
            assert!(
                !inner.contains(other.as_str()),
                "{} passes the engine by: {other}",
                package.name
            );
        }
    }
}

/// A second place would have to think of every question that the first one answers: which file, which
/// folder, which environment, what ends it. The window restarts itself; benchmarks run what their
/// tasks pin, in checkouts of their own.
#[test]
fn one_place_starts_programs() {
    let tests = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tests.parent().expect("the workspace");
    let mut starting = Vec::new();
    for folder in ["crates", "src-tauri"] {
        sources(&root.join(folder), &mut |path, text| {
            let is_code = !path.contains("/tests/") && !path.ends_with("/tests.rs");
            if is_code && (text.contains("process::Command") || text.contains("Command::new(")) {
                starting.push(
                    path.rsplit_once("/src/")
                        .map_or(path, |(_, file)| file)
                        .to_owned(),
                );
            }
        });
    }
    starting.sort();
    assert_eq!(starting, ["program.rs", "program/watcher.rs"]);
}

/// Who resolves a name, follows a use or judges dead code asks the rules of a language: a branch on its
/// family elsewhere is one that the recipe for a language does not lead to.
#[test]
fn only_its_own_folder_knows_a_language_family() {
    let tests = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tests.parent().expect("the workspace");
    let (mut naming, mut n_keys) = (Vec::new(), 0);
    sources(&root.join("crates/graph/src"), &mut |path, text| {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let names = |line: &str| line.split(|c| !is_word(c)).any(|word| word == "Family");
        if !path.contains("/languages/") {
            let lines = || text.lines().filter(|line| names(line));
            let tells_apart = |line: &&str| {
                let variants = line.split("Family::").skip(1);
                variants
                    .into_iter()
                    .any(|rest| rest.starts_with(char::is_uppercase))
            };
            naming.extend(lines().filter(tells_apart).map(str::to_owned));
            n_keys += lines().count();
        }
    });
    assert_eq!(naming, [""; 0], "ask `LanguageRules` instead");
    // Where files of one family are told from others, whichever it is.
    assert!(n_keys <= 14, "{n_keys} lines name a family as a key");
}

fn sources(folder: &std::path::Path, each: &mut dyn FnMut(&str, &str)) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("gen") {
            sources(&path, each);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source");
            each(&path.to_string_lossy(), &text);
        }
    }
}

fn place(name: &str) -> usize {
    ORDER
        .iter()
        .position(|known| *known == name)
        .unwrap_or_else(|| {
            panic!("{name} has no place in the order: add it to ORDER and to ARCHITECTURE.md")
        })
}

fn workspace() -> Vec<Crate> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo is there");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    list(&metadata["packages"]).iter().map(read).collect()
}

fn read(package: &Value) -> Crate {
    let text = |value: &Value| value.as_str().expect("names are text").to_owned();
    let (dev, normal): (Vec<_>, Vec<_>) = list(&package["dependencies"])
        .iter()
        .partition(|edge| edge["kind"] == "dev");
    let names = |edges: Vec<&Value>| edges.iter().map(|edge| text(&edge["name"])).collect();
    Crate {
        name: text(&package["name"]),
        normal: names(normal),
        dev: names(dev),
    }
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}
