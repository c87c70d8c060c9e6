//! Compiles the grammars.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let include = std::env::var_os("DEP_TREE_SITTER_INCLUDE");
    whyrank_grammars::compile(include.expect("tree-sitter tells of its headers").as_ref());
}
