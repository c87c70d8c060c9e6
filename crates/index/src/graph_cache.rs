//! The lane of the symbol graph: what every use in a view means, kept with the view.
//!
//! It is derived data, in a file of its own that names the version of the view it belongs to: a graph
//! of an earlier version is brought up to date, one that is damaged or that other rules made is
//! rebuilt. A killed process leaves the one before it, and the files that it got through
//! ([`crate::graph_journal`]). Of a large view not all is made anew after an edit
//! ([`crate::graph_overlay`]).

use crate::catalog::ViewKey;
use crate::control::{JobControl, Stage};
use crate::error::{IndexError, Result};
use crate::graph_journal::GraphJournal;
use crate::graph_overlay::{self, GraphOverlay};
use crate::kept_graphs::{
    content, format, kept_path, newest, newest_of_all, open, remove_others, remove_unfinished,
};
use crate::layout::DERIVED;
use crate::mapped_sections::{MappedSections, SectionsWriter};
use crate::reader::Reader;
use crate::store::Writer;
use crate::view::View;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use whyrank_graph::{
    FileSource, ReferenceIndex, SectionSink as _, Sections, SymbolRanks, SymbolTable,
    USES_SECTIONS, Updated, UsesJournal as _, ViewParts, symbol_rank_of,
};

/// What the files are called by that hold the relations which follow from uses.
pub const RELATIONS: &str = "relations";

/// Definitions of a view from which on an edit writes what is other in it than in its graph: to make all
/// anew takes seconds.
pub const LEAST_OVERLAID: u64 = 100_000;

/// What every use in a view means, and how central each definition is.
#[derive(Clone, Debug)]
pub struct CachedGraph {
    /// Uses; file `i` is the view's file `i`.
    pub uses: ReferenceIndex,
    /// PageRank of the definitions.
    pub ranks: SymbolRanks,
}

/// Why a view has no symbol graph to use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGraph {
    /// It was not made yet.
    #[error("not made yet")]
    Absent,
    /// It belongs to an earlier state of the view.
    #[error("of an earlier state of the files")]
    Outdated,
    /// Another version of the program made it.
    #[error("made by another version")]
    OtherRules,
    /// It cannot be read.
    #[error("damaged ({detail})")]
    Damaged {
        /// What was met.
        detail: String,
    },
}

impl Reader {
    /// Returns the symbol graph kept with a view, or why there is none to use.
    ///
    /// # Errors
    /// Those of reading the catalog.
    pub fn graph(&self, view: &View) -> Result<std::result::Result<CachedGraph, NoGraph>> {
        let graph = CachedGraph::read(&self.generation, view);
        if matches!(graph, Err(NoGraph::Damaged { .. })) {
            self.drop_damaged(&kept_path(&self.generation, &view.key, view.version));
        }
        Ok(graph)
    }

    /// Says why a view has no symbol graph to use; `None` when it has one. O(files).
    ///
    /// # Errors
    /// Those of reading the catalog.
    pub fn graph_state(&self, view: &View) -> Result<Option<NoGraph>> {
        Ok(CachedGraph::read(&self.generation, view).err())
    }
}

impl Writer {
    /// Makes the symbol graph of a view, from the one before it where there is one; answers with the
    /// number of files whose uses were resolved. Nothing is done for a graph that is current, and
    /// none is made for a view that is still being built.
    ///
    /// # Errors
    /// [`IndexError::Cancelled`]; the graph that was kept stays, and is of an earlier state then. The files
    /// that were resolved by then are not resolved again, unless the view changes.
    pub fn graph_view(&mut self, key: &ViewKey, control: &dyn JobControl) -> Result<usize> {
        // Over a graph without relations there would be none to walk, after every edit.
        let is_complete = |(version, _)| {
            let relations = format!("{}.{version}.bin", key.topic(RELATIONS));
            self.generation.join(DERIVED).join(relations).exists()
        };
        let least = match newest(&self.generation, key).is_some_and(is_complete) {
            true => LEAST_OVERLAID,
            false => u64::MAX,
        };
        self.graph_view_within(key, least, control)
    }

    /// The same; `least_overlaid`: definitions from which on what is other since is enough.
    ///
    /// # Errors
    /// As [`Writer::graph_view`].
    pub fn graph_view_within(
        &mut self,
        key: &ViewKey,
        least_overlaid: u64,
        control: &dyn JobControl,
    ) -> Result<usize> {
        // Where earlier versions kept it.
        let connection = &self.catalog.connection;
        connection.execute_batch("DROP TABLE IF EXISTS view_uses")?;
        let view = Arc::new(graph_overlay::with_names(&self.generation, self.view(key)?));
        let Some(row) = self.catalog.view(key)? else {
            return Ok(0);
        };
        if view.graph.imports.n_files() != view.files.len() {
            return Ok(0);
        }
        if CachedGraph::read(&self.generation, &view).is_ok() {
            return Ok(0);
        }
        remove_unfinished(&self.generation, key);
        let n_symbols: u64 = view
            .files
            .iter()
            .map(|file| u64::from(file.n_symbols))
            .sum();
        if n_symbols >= least_overlaid {
            let mut watch = watching(control);
            if let Some(n_files) = self.overlay_graph(&view, &mut watch)? {
                control.progress(Stage::Uses, n_files, n_files, None);
                return Ok(n_files);
            }
            if control.should_stop() {
                return Err(IndexError::Cancelled);
            }
        }
        let before = earlier(&self.generation, &view).unwrap_or_default();
        let path = kept_path(&self.generation, key, row.version);
        let n_files = self.make_graph(&view, before, &path, control)?;
        remove_others(&self.generation, key, row.version);
        graph_overlay::remove_overlays(&self.generation, key, None);
        control.progress(Stage::Uses, n_files, n_files, None);
        Ok(n_files)
    }
}

impl CachedGraph {
    fn read(generation: &Path, view: &View) -> std::result::Result<Self, NoGraph> {
        let path = kept_path(generation, &view.key, view.version);
        if !path.exists() {
            let overlay = GraphOverlay::read(generation, view);
            let overlaid = overlay.and_then(|overlay| Self::overlaid(&overlay, generation, view));
            return overlaid.ok_or_else(|| match newest(generation, &view.key) {
                None => NoGraph::Absent,
                Some(_) => NoGraph::Outdated,
            });
        }
        let damaged = |detail: &str| NoGraph::Damaged {
            detail: detail.to_owned(),
        };
        let read = MappedSections::read(&path);
        let (file, stamp) = read.map_err(|error| damaged(&error.to_string()))?;
        if stamp != format() {
            return Err(NoGraph::OtherRules);
        }
        let file: Arc<dyn Sections> = Arc::new(file);
        let counts = || view.files.iter().map(|file| file.n_symbols as usize);
        let uses = ReferenceIndex::stored(Arc::clone(&file), counts());
        let uses = uses.ok_or_else(|| damaged("of other files"))?;
        let ranks = SymbolRanks::mapped(file, USES_SECTIONS, counts());
        Ok(Self {
            uses,
            ranks: ranks.ok_or_else(|| damaged("of other definitions"))?,
        })
    }

    /// The graph of an earlier version with what is other in the view; `None` where that graph is gone or
    /// cannot be read.
    fn overlaid(overlay: &GraphOverlay, generation: &Path, view: &View) -> Option<Self> {
        let path = kept_path(generation, &view.key, overlay.version);
        let file = open(&path)?;
        let counts = view.files.iter().map(|file| file.n_symbols as usize);
        let uses = ReferenceIndex::overlaid(Arc::clone(&file), Arc::clone(&overlay.uses), counts)?;
        let ranks = SymbolRanks::overlaid(file, USES_SECTIONS, Arc::clone(&overlay.uses))?;
        Some(Self { uses, ranks })
    }
}

/// The graph of an earlier state, as a start; of a view that has none, that of another: files of one path and
/// content mostly mean the same in a commit and in the working tree.
fn earlier(generation: &Path, view: &View) -> Option<ReferenceIndex> {
    let own = newest(generation, &view.key).map(|(_, path)| path);
    let path = own.or_else(|| newest_of_all(generation))?;
    ReferenceIndex::stored_whole(open(&path)?)
}

impl Writer {
    /// Writes the graph of a view; says how many files were resolved. Each file is written as soon as its
    /// uses are known, so that what is in memory grows little with the view.
    fn make_graph(
        &self,
        view: &View,
        before: ReferenceIndex,
        path: &Path,
        control: &dyn JobControl,
    ) -> Result<usize> {
        control.progress(Stage::Uses, 0, 0, None);
        let facts = view.source(true, self.ceiling);
        let contents: Vec<u64> = view.files.iter().map(content).collect();
        let imports = &view.graph.imports;
        let mut table = SymbolTable::default();
        facts.open(&mut |open| table = SymbolTable::new(open.files, imports));
        let parts = ViewParts {
            files: &facts,
            imports,
            table: &table,
            contents: &contents,
        };
        let mut writer = SectionsWriter::create(path, &format())?;
        let mut journal = GraphJournal::open(&self.generation.join(DERIVED), view)?;
        let written = write_uses(before, &parts, &mut journal, &mut writer, control);
        let read = facts.outcome().and(journal.outcome());
        if read.is_err() {
            // What was made of what cannot be read is not gone on with.
            journal.clear();
        }
        read?;
        let n_files = written?;
        let ranks = {
            let counts = view.files.iter().map(|file| file.n_symbols as usize);
            let written = ReferenceIndex::stored(Arc::new(writer.so_far()?), counts);
            let damaged = || IndexError::Damaged {
                path: path.to_owned(),
                detail: "it is not what was written".to_owned(),
            };
            let written = written.ok_or_else(damaged)?;
            let ranks = symbol_rank_of(&parts, &written);
            facts.outcome()?;
            (!written.met_damage())
                .then_some(ranks)
                .ok_or_else(damaged)?
        };
        writer.begin();
        writer.extend(ranks.section());
        writer.finish()?;
        journal.remove();
        Ok(n_files)
    }
}

fn write_uses(
    before: ReferenceIndex,
    parts: &ViewParts<'_>,
    journal: &mut GraphJournal,
    writer: &mut SectionsWriter,
    control: &dyn JobControl,
) -> Result<usize> {
    let mut n_files = 0;
    let mut told = watching(control);
    let mut watch = |updated: Updated| {
        n_files = updated.n_files;
        told(updated)
    };
    let written = before.update_into(parts, &mut watch, journal, writer);
    written.ok_or(IndexError::Cancelled)?;
    Ok(n_files)
}

/// Tells of each file, and asks whether to go on.
fn watching(control: &dyn JobControl) -> impl FnMut(Updated) -> ControlFlow<()> + '_ {
    |updated| {
        control.progress(Stage::Uses, updated.n_done, updated.n_files, None);
        if control.should_stop() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
