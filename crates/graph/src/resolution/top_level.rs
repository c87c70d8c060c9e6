//! What is at the top of a file.

use rustc_hash::FxHashMap;
use whyrank_syntax::Symbol;

/// The definitions at the top of a file, as candidates for what it is as a value.
pub(crate) struct TopLevel {
    pub(crate) by_name: FxHashMap<String, Vec<u32>>,
    pub(crate) only: Option<u32>,
}

impl TopLevel {
    pub(crate) fn new(symbols: &[Symbol]) -> Self {
        let mut by_name: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (at, symbol) in (0u32..).zip(symbols) {
            if is_at_top(symbol) {
                by_name.entry(plain(&symbol.name)).or_default().push(at);
            }
        }
        Self {
            by_name,
            only: only_export(symbols),
        }
    }
}

pub(crate) fn plain(name: &str) -> String {
    name.replace(['-', '_', '.', '$'], "").to_lowercase()
}

pub(crate) fn is_at_top(symbol: &Symbol) -> bool {
    symbol.parent.is_none() && !symbol.kind.is_member()
}

/// The definition that a file exports, when it is the only one.
pub(crate) fn only_export(symbols: &[Symbol]) -> Option<u32> {
    let mut exported = (0u32..)
        .zip(symbols)
        .filter(|(_, symbol)| symbol.exported && is_at_top(symbol));
    let (only, _) = exported.next()?;
    exported.next().is_none().then_some(only)
}

/// Says whether a module exports definitions by name.
pub(crate) fn exports_by_name(symbols: &[Symbol]) -> bool {
    let mut symbols = symbols.iter();
    symbols.any(|symbol| symbol.signature.starts_with("export "))
}
