//! The order of the crates: an edge may only run down, from a crate to one above it in the list.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// Each crate may depend on those before it.
const ORDER: &[&str] = &[
    "whyrank-source",
    "whyrank-syntax",
    "whyrank-foreign",
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
    "whyrank-benchmark",
    "whyrank-cli",
    "whyrank-desktop",
    "whyrank-tests",
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

#[test]
fn skins_reach_the_index_through_the_engine_alone() {
    let engine = place("whyrank-engine");
    // Tasks and judgements know no index, so the harness may read them.
    let inner: BTreeSet<&str> = ORDER[..engine]
        .iter()
        .copied()
        .filter(|name| *name != "whyrank-eval")
        .collect();
    for package in workspace()
        .iter()
        .filter(|package| place(&package.name) > engine)
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
