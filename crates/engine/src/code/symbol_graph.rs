//! The symbol graph of a view, as search walks it: made once for each version of a view, and kept
//! beside the index for other processes.

use crate::views::LiveView;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use whyrank_graph::{
    FileSource as _, Implementations, RELATION_SECTIONS, RULES, ReferenceIndex, RelationGraph,
    SymbolTable, ViewParts,
};
use whyrank_index::{GraphOverlay, MappedSections, MemoryCeiling, RELATIONS};
use whyrank_retrieval::SymbolGraph;

impl LiveView {
    /// The graph, or why there is none. A kept one is read at first need; none is made here, since
    /// that takes longer than a search may.
    pub(crate) fn symbol_graph(&self) -> Result<&SymbolGraph, String> {
        if let Some(graph) = self.search_graph.get() {
            if !graph.met_damage() {
                return Ok(graph);
            }
            // Who asks next gets a view that does without, until it is made again.
            self.reader.note_damage();
            return Err("the symbol graph is damaged; `whyrank index` builds it again".to_owned());
        }
        match self.kept_relations() {
            Some(kept) => Ok(self.search_graph.get_or_init(|| SymbolGraph::new(kept))),
            None => Err("the symbol graph is not built yet; `whyrank index` builds it".to_owned()),
        }
    }

    fn kept_relations(&self) -> Option<RelationGraph> {
        let files = self.snapshot().files.iter();
        let counts = files.map(|file| file.n_symbols as usize);
        match self.kept_sections() {
            Some(file) => RelationGraph::mapped(Arc::new(file), counts),
            None => {
                let (file, overlay) = self.earlier_sections()?;
                RelationGraph::overlaid(Arc::new(file), overlay.uses)
            }
        }
    }

    /// Which types implement which, as it was kept with the graph.
    pub(crate) fn kept_implementations(&self) -> Option<Implementations> {
        match self.kept_sections() {
            Some(file) => Implementations::stored(Arc::new(file), RELATION_SECTIONS),
            None => {
                let (file, overlay) = self.earlier_sections()?;
                let file = Arc::new(file);
                Implementations::overlaid(file, RELATION_SECTIONS, overlay.uses, &overlay.ties)
            }
        }
    }

    fn kept_sections(&self) -> Option<MappedSections> {
        let version = self.snapshot().version;
        self.reader.kept(&self.topic(), version, &self.stamp())
    }

    /// What was kept of the state before the last edits, with what is other since.
    fn earlier_sections(&self) -> Option<(MappedSections, GraphOverlay)> {
        let overlay = self.reader.graph_overlay(self.snapshot())?;
        let is_ours = |stamp: &str| stamp.starts_with(RULES);
        let kept = self
            .reader
            .kept_by(&self.topic(), overlay.version, &is_ours);
        Some((kept?, overlay))
    }

    /// Makes the graph from the kept uses and keeps it, when nobody has. O(uses), with the uses all
    /// rebuilt where none are kept: for commits.
    pub(crate) fn make_symbol_graph(&self, ceiling: MemoryCeiling) -> crate::Result<()> {
        let view = self.snapshot();
        let imports = &view.graph.imports;
        let is_whole = imports.n_files() == view.files.len();
        if !is_whole || self.symbol_graph().is_ok() {
            return Ok(());
        }
        let kept = self.reader.graph(view)?.ok();
        let relations = kept.and_then(|kept| self.relations(Some(kept.uses), ceiling));
        // Uses that are damaged count as none.
        let Some((relations, implementations)) =
            relations.or_else(|| self.relations(None, ceiling))
        else {
            return Ok(());
        };
        let implementations = implementations.sections();
        let relations_first = relations.sections().into_iter();
        let sections: Vec<&[u8]> = relations_first
            .chain(implementations.iter().map(Vec::as_slice))
            .collect();
        // Who searches maps it, and shares its pages with other processes.
        let stamp = self.stamp();
        let kept = self
            .reader
            .keep(&self.topic(), view.version, &stamp, &sections);
        Ok(kept?)
    }

    /// What follows from these uses, or from all that are worked out here; `None` where they are
    /// damaged.
    fn relations(
        &self,
        kept: Option<ReferenceIndex>,
        ceiling: MemoryCeiling,
    ) -> Option<(RelationGraph, Implementations)> {
        let view = self.snapshot();
        let imports = &view.graph.imports;
        let files = view.source(kept.is_none(), ceiling);
        let mut table = SymbolTable::default();
        // Nearly all names are asked for.
        files.open(&mut |open| table = SymbolTable::new(open.files, imports));
        let parts = ViewParts {
            files: &files,
            imports,
            table: &table,
            contents: &[],
        };
        let uses = match kept {
            Some(kept) => kept,
            None => ReferenceIndex::default().update(&parts),
        };
        // One after the other, since each takes memory: the graph most, which stays.
        let implementations = Implementations::of_view(&parts, &uses);
        let shares = self.index.walk_shares();
        let mut relations = RelationGraph::default();
        files.open(&mut |open| {
            relations = RelationGraph::new(open.files, imports, &table, &uses, &shares);
        });
        (!uses.met_damage()).then_some((relations, implementations))
    }

    /// What the graph is kept under: one for each view, in place of the one before.
    fn topic(&self) -> String {
        self.key.topic(RELATIONS)
    }

    /// What it is made from besides the view: rules, and how readily files are entered.
    fn stamp(&self) -> String {
        let shares = self.index.walk_shares();
        let shares: Vec<u8> = shares
            .iter()
            .flat_map(|share| share.to_le_bytes())
            .collect();
        let digest = Sha256::digest(shares);
        format!("{RULES} {}", hex::encode(digest))
    }
}
