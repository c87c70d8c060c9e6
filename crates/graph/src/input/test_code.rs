//! Tests that stand beside the code that they test.

use whyrank_syntax::{Symbol, SymbolKind};

/// Says whether a definition lies in a module of tests (`mod tests` of Rust). Files of tests are told
/// by their paths, and not here. `symbols` are all definitions of its file. O(depth).
pub fn in_test_module(symbols: &[Symbol], symbol: u32) -> bool {
    let parent = |at: &u32| symbols.get(*at as usize).and_then(|symbol| symbol.parent);
    std::iter::successors(Some(symbol), parent)
        .filter_map(|at| symbols.get(at as usize))
        .any(|symbol| {
            symbol.kind == SymbolKind::Module && matches!(symbol.name.as_str(), "tests" | "test")
        })
}
