//! The words of files and definitions: parts of names, and how documentation begins.

use super::known::Member;
use super::{StructureSession, is_notable};
use crate::error::Result;
use std::collections::{BTreeMap, HashMap};
use whyrank_graph::is_telling;
use whyrank_index::stem;
use whyrank_syntax::{SymbolKind, identifier_parts};

/// Words of a file's name and folder, of a definition's name and of documentation, in that proportion.
const PATH_WORDS: f64 = 2.0;
const NAME_WORDS: f64 = 1.0;
const DOC_WORDS: f64 = 0.3;

/// Counts words by stem and remembers how each is written.
#[derive(Default)]
pub(super) struct WordCounts {
    written: HashMap<String, BTreeMap<String, u32>>,
    texts: HashMap<u32, Vec<String>>,
}

impl WordCounts {
    /// Counts the words of a definition, or of a file: with its definitions where it represents the
    /// whole of it.
    pub(super) fn add(
        &mut self,
        structure: &StructureSession<'_, '_>,
        member: Member,
        is_whole: bool,
        counts: &mut BTreeMap<String, f64>,
    ) -> Result<()> {
        let entry = &structure.view.files[member.file as usize];
        let symbols = &entry.outline().symbols;
        let is_own = |at: u32| match member.symbol {
            None => is_whole,
            Some(own) => at == own,
        };
        if member.symbol.is_none() {
            let stem = entry
                .path
                .rsplit_once('.')
                .map_or(entry.path.as_str(), |(stem, _)| stem);
            let mut parts = stem.rsplit('/');
            parts
                .by_ref()
                .take(2)
                .for_each(|part| self.words(part, PATH_WORDS, counts));
        }
        for (_, symbol) in (0u32..).zip(symbols).filter(|(at, _)| is_own(*at)) {
            if matches!(symbol.kind, SymbolKind::Section | SymbolKind::Impl) {
                continue;
            }
            self.words(&symbol.name, NAME_WORDS, counts);
            if let (Some(doc), true) = (symbol.doc, is_notable(symbol)) {
                let lines = self.doc(structure, member.file, (doc.start_line, doc.end_line))?;
                self.words(&lines, DOC_WORDS, counts);
            }
        }
        Ok(())
    }

    /// The first sentence or so: further lines list arguments and examples.
    fn doc(
        &mut self,
        structure: &StructureSession<'_, '_>,
        file: u32,
        lines: (u32, u32),
    ) -> Result<String> {
        const MAX_LINES: u32 = 4;
        if let std::collections::hash_map::Entry::Vacant(slot) = self.texts.entry(file) {
            let text = structure.view.text(file)?;
            slot.insert(text.lines().map(str::to_owned).collect());
        }
        let last = lines.1.min(lines.0 + MAX_LINES - 1);
        let range = lines.0.saturating_sub(1) as usize..last as usize;
        let text = self.texts[&file].get(range).unwrap_or_default();
        let prose = text.iter().filter(|line| !line.contains('@'));
        Ok(prose.cloned().collect::<Vec<_>>().join(" "))
    }

    fn words(&mut self, text: &str, weight: f64, counts: &mut BTreeMap<String, f64>) {
        for (stem, word) in stems(text) {
            *counts.entry(stem.clone()).or_default() += weight;
            let written = self.written.entry(stem).or_default();
            *written.entry(word).or_default() += 1;
        }
    }

    pub(super) fn written(self) -> HashMap<String, String> {
        let most = |words: BTreeMap<String, u32>| {
            let best = words
                .into_iter()
                .max_by_key(|(word, n)| (*n, std::cmp::Reverse(word.len())));
            best.map(|(word, _)| word).unwrap_or_default()
        };
        let all = self.written.into_iter();
        all.map(|(stem, words)| (stem, most(words))).collect()
    }
}

/// The telling words of a text: stem and word.
pub(super) fn stems(text: &str) -> Vec<(String, String)> {
    let words = text.split(|char: char| !char.is_alphanumeric() && char != '_');
    words
        .flat_map(identifier_parts)
        .filter(|word| is_telling(word))
        .map(|word| (stem(&word).to_owned(), word))
        .collect()
}
