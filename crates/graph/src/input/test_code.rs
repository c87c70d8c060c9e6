//! Tests that stand beside the code that they test.

use whyrank_syntax::{Symbol, SymbolKind};

/// Says whether a definition lies in a module of tests (`mod tests` of Rust) or is a block of tests
/// (`test "…"` of Zig). Files of tests are told by their paths, and not here. `symbols` are all
/// definitions of its file. O(depth).
pub fn in_test_module(symbols: &[Symbol], symbol: u32) -> bool {
    let parent = |at: &u32| symbols.get(*at as usize).and_then(|symbol| symbol.parent);
    std::iter::successors(Some(symbol), parent)
        .filter_map(|at| symbols.get(at as usize))
        .any(|symbol| match symbol.kind {
            SymbolKind::Module => is_of_tests(&symbol.name),
            SymbolKind::Function => symbol.signature.trim_start().starts_with("test \""),
            _ => false,
        })
}

/// `tests`, `test`, `unit_tests`.
fn is_of_tests(module: &str) -> bool {
    let last = module.rsplit('_').next().unwrap_or(module);
    matches!(last, "tests" | "test")
}

#[cfg(test)]
mod tests {
    use super::in_test_module;

    fn is_test(path: &str, text: &str, name: &str) -> bool {
        let language = whyrank_syntax::detect(path, text.as_bytes()).expect("a language");
        let facts = whyrank_syntax::analyze(text, language);
        let at = facts.symbols.iter().position(|symbol| symbol.name == name);
        in_test_module(&facts.symbols, at.expect("defined") as u32)
    }

    #[test]
    fn tests_beside_the_code_are_known_by_their_module_or_block() {
        let rust = "fn add() {}\nmod unit_tests {\n    fn adds() {}\n}\nmod latest {\n    fn new() {}\n}\n";
        assert!(is_test("a.rs", rust, "adds"));
        assert!(!is_test("a.rs", rust, "add") && !is_test("a.rs", rust, "new"));
        let zig = "pub fn add() void {}\ntest \"adds two\" {\n    add();\n}\n";
        assert!(is_test("a.zig", zig, "adds two") && !is_test("a.zig", zig, "add"));
    }
}
