//! Room that vectors of vanished texts took is given back.
//!
//! Vectors belong to texts and outlive the chunks that had them: who goes back to a branch finds them
//! again. Once contents are swept, nothing leads to the texts that only these had.

use crate::error::Result;
use crate::graph_cache::RELATIONS;
use crate::graph_journal::BEGUN;
use crate::graph_overlay::OVERLAY;
use crate::kept_graphs::USES;
use crate::layout::DERIVED;
use crate::static_lane::prune_static;
use crate::store::Writer;
use crate::token_vectors::prune_tokens;
use crate::vectors::prune_vectors;
use roaring::RoaringBitmap;
use std::collections::HashSet;
use std::path::Path;

/// What belongs to a view and goes with it.
const GRAPHS: [&str; 4] = [USES, RELATIONS, OVERLAY, BEGUN];

impl Writer {
    /// Lets go of the symbol graphs of views that are gone.
    pub(crate) fn prune_graphs(&self) -> Result<()> {
        let views = self.catalog.views()?;
        let topics: HashSet<String> = views
            .iter()
            .flat_map(|(key, _)| GRAPHS.map(|what| key.topic(what)))
            .collect();
        let entries = std::fs::read_dir(self.generation.join(DERIVED));
        for path in entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
        {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_graph = GRAPHS
                .iter()
                .any(|what| name.starts_with(&format!("{what}-")));
            let topic = name.split('.').next().unwrap_or_default();
            if is_graph && !topics.contains(topic) {
                let _ = std::fs::remove_file(&path);
            }
        }
        Ok(())
    }

    /// Lets go of what only swept chunks had: vectors of every kind and of every model.
    ///
    /// What cannot be done now (a damaged file, a full disk) is left as it is: the index is whole with it,
    /// and the next sweep of contents tries again.
    pub(crate) fn prune_vectors(&self) -> Result<()> {
        let live = self.catalog.chunk_ids()?;
        for entry in std::fs::read_dir(&self.generation)
            .into_iter()
            .flatten()
            .flatten()
        {
            let _ = prune_one(&entry.path(), &live);
        }
        Ok(())
    }
}

fn prune_one(path: &Path, live: &RoaringBitmap) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_database = name.ends_with(".db");
    match name.split('-').next() {
        Some("vectors") if is_database => prune_vectors(path, live),
        // A lane that older versions had.
        Some("sparse") => {
            let _ = std::fs::remove_file(path);
            Ok(())
        }
        Some("tokens") => prune_tokens(path, live),
        Some("static") => {
            prune_static(path, live);
            Ok(())
        }
        _ => Ok(()),
    }
}
