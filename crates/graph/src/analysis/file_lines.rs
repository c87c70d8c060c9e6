//! The definitions of one file by line: which one a line lies in, and which ones are named on it. Made once for a
//! file, since every place of a name asks.

use rustc_hash::FxHashMap;
use whyrank_syntax::{Symbol, SymbolKind};

/// The lines of a file.
pub(crate) struct FileLines {
    /// The innermost definition around each line.
    innermost: Vec<Option<u32>>,
    /// Those whose name stands on a line.
    named: FxHashMap<u32, Vec<u32>>,
}

impl FileLines {
    pub(crate) fn new(symbols: &[Symbol]) -> Self {
        let mut named: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut order: Vec<u32> = Vec::with_capacity(symbols.len());
        let mut n_lines = 0;
        for (at, symbol) in (0u32..).zip(symbols) {
            named.entry(symbol.name_line).or_default().push(at);
            if symbol.kind != SymbolKind::Section {
                order.push(at);
                n_lines = n_lines.max(symbol.span.end_line as usize + 1);
            }
        }
        // What begins later lies further inside, and so does what ends sooner.
        order.sort_by_key(|at| {
            let span = symbols[*at as usize].span;
            (span.start_line, std::cmp::Reverse(span.end_line))
        });
        let mut innermost = vec![None; n_lines];
        for at in order {
            let span = symbols[at as usize].span;
            let lines = span.start_line as usize..=span.end_line as usize;
            if let Some(lines) = innermost.get_mut(lines) {
                lines.fill(Some(at));
            }
        }
        Self { innermost, named }
    }

    /// The innermost definition around a line.
    pub(crate) fn innermost(&self, line: u32) -> Option<u32> {
        self.innermost.get(line as usize).copied().flatten()
    }

    /// The definitions whose name stands on a line.
    pub(crate) fn named(&self, line: u32) -> &[u32] {
        self.named.get(&line).map_or(&[], Vec::as_slice)
    }
}
