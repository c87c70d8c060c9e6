//! Facts of a view's files, as the symbol graph reads them.

use whyrank_graph::FileInput;
use whyrank_index::{LazyFacts, View};
use whyrank_system::heap;

/// Stored bytes of what files say that stay in memory between two questions; a few hundred megabytes there.
const MOST_HELD: usize = 32 << 20;

/// The facts of a view's files as the graph wants them; those of a file are read at first need.
pub(crate) struct GraphFacts {
    facts: Vec<LazyFacts>,
    has_references: bool,
}

impl GraphFacts {
    pub(crate) fn new(view: &View, with_references: bool) -> Self {
        let facts = view.files.iter().map(|file| file.facts(with_references));
        Self {
            facts: facts.collect(),
            has_references: with_references,
        }
    }

    pub(crate) fn inputs<'a>(&'a self, view: &'a View) -> Vec<FileInput<'a>> {
        let files = view.files.iter().zip(&self.facts);
        files
            .map(|(file, facts)| FileInput {
                path: &file.path,
                language: file.language.name(),
                facts,
            })
            .collect()
    }

    /// Says whether uses and imports are among them, or not asked for.
    pub(crate) fn serve(&self, with_references: bool) -> bool {
        self.has_references || !with_references
    }

    /// Says whether questions have read much of them.
    pub(crate) fn hold_much(&self) -> bool {
        let held = self.facts.first().map_or(0, LazyFacts::held_bytes);
        held > MOST_HELD
    }
}

impl Drop for GraphFacts {
    /// What was read in many small pieces stays with the process else.
    fn drop(&mut self) {
        let held_much = self.hold_much();
        self.facts = Vec::new();
        if held_much {
            heap::give_back();
        }
    }
}
