//! The symbol graph of a view, as search walks it: made once for each version of a view, and kept
//! beside the index for other processes.

use crate::code::symbols::GraphFacts;
use crate::views::LiveView;
use sha2::{Digest, Sha256};
use whyrank_graph::{RULES, ReferenceIndex, RelationGraph};
use whyrank_retrieval::SymbolGraph;

impl LiveView {
    /// The graph, or why there is none. A kept one is read at first need; none is made here, since
    /// that takes longer than a search may.
    pub(crate) fn symbol_graph(&self) -> Result<&SymbolGraph, String> {
        if let Some(graph) = self.search_graph.get() {
            return Ok(graph);
        }
        match self.kept_relations() {
            Some(kept) => Ok(self.search_graph.get_or_init(|| SymbolGraph::new(kept))),
            None => Err("the symbol graph is not there yet; `whyrank index` makes it".to_owned()),
        }
    }

    fn kept_relations(&self) -> Option<RelationGraph> {
        let view = self.snapshot();
        let bytes = self.reader.kept(&self.topic(), view.version)?;
        let relations: RelationGraph = postcard::from_bytes(&bytes).ok()?;
        let counts = view.files.iter().map(|file| file.n_symbols as usize);
        relations.fits(counts).then_some(relations)
    }

    /// Makes the graph from the kept uses and keeps it, when nobody has. O(uses), with the uses all
    /// rebuilt where none are kept: for commits.
    pub(crate) fn make_symbol_graph(&self) -> crate::Result<()> {
        let view = self.snapshot();
        let imports = &view.graph.imports;
        let is_whole = imports.n_files() == view.files.len();
        if !is_whole || self.symbol_graph().is_ok() {
            return Ok(());
        }
        let kept = self.reader.graph(view)?.ok();
        let facts = GraphFacts::new(self, kept.is_none());
        let inputs = facts.inputs(self);
        let table = self.table(&inputs);
        let uses = match kept {
            Some(kept) => kept.uses,
            None => ReferenceIndex::new(&inputs, imports, &table),
        };
        let shares = self.index.walk_shares();
        let relations = RelationGraph::new(&inputs, imports, &table, &uses, &shares);
        let bytes = postcard::to_stdvec(&relations).expect("plain data serialises");
        let _ = self.search_graph.set(SymbolGraph::new(relations));
        Ok(self.reader.keep(&self.topic(), view.version, &bytes)?)
    }

    /// What the graph is kept under; one that other rules made is another topic.
    fn topic(&self) -> String {
        let (key, shares) = (&self.key, self.index.walk_shares());
        let digest = Sha256::digest(format!("{RULES} {key:?} {shares:?}"));
        format!("relations-{}", &hex::encode(digest)[..16])
    }
}
