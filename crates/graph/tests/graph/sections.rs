//! Sections of a file, in memory: a byte may be flipped, a section not be readable.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use whyrank_graph::{ReferenceIndex, SectionSink, Sections};

#[derive(Debug, Default)]
pub(crate) struct MemorySections {
    /// Words, so that numbers lie where they may.
    sections: Vec<(Vec<u64>, usize)>,
    pub(crate) unread: Option<usize>,
    met_damage: AtomicBool,
}

impl MemorySections {
    pub(crate) fn of(sections: &[impl AsRef<[u8]>]) -> Self {
        let words = |bytes: &[u8]| {
            let words = bytes.chunks(8).map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            });
            (words.collect(), bytes.len())
        };
        Self {
            sections: sections.iter().map(|bytes| words(bytes.as_ref())).collect(),
            ..Self::default()
        }
    }

    pub(crate) fn flipped(mut self, section: usize, at: usize) -> Self {
        self.sections[section].0[at / 8] ^= 0x55 << (8 * (at % 8));
        self
    }
}

impl Sections for MemorySections {
    fn len_of(&self, section: usize) -> usize {
        self.sections.get(section).map_or(0, |(_, len)| *len)
    }

    fn bytes(&self, section: usize, range: Range<usize>) -> Option<&[u8]> {
        let is_there = self.unread != Some(section) && range.end <= self.len_of(section);
        let found = self.sections.get(section).filter(|_| is_there);
        let found = found.and_then(|(words, _)| bytemuck::cast_slice(words).get(range));
        if found.is_none() {
            self.met_damage.store(true, Ordering::Relaxed);
        }
        found
    }

    fn met_damage(&self) -> bool {
        self.met_damage.load(Ordering::Relaxed)
    }
}

/// What was written, section by section.
#[derive(Default)]
pub(crate) struct Written(pub(crate) Vec<Vec<u8>>);

impl SectionSink for Written {
    fn begin(&mut self) {
        self.0.push(Vec::new());
    }

    fn extend(&mut self, bytes: &[u8]) {
        self.0
            .last_mut()
            .expect("a section was begun")
            .extend(bytes);
    }
}

/// The sections of some uses.
pub(crate) fn written(known: &ReferenceIndex) -> Vec<Vec<u8>> {
    let mut written = Written::default();
    known.write(&mut written);
    written.0
}

/// Uses as they are read from a file.
pub(crate) fn stored(known: &ReferenceIndex, n_symbols: &[usize]) -> ReferenceIndex {
    let file = Arc::new(MemorySections::of(&written(known)));
    ReferenceIndex::stored(file, n_symbols.iter().copied()).expect("it is of these files")
}
