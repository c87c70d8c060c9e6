//! What is other in a view than in the symbol graph of an earlier state.
//!
//! After an edit of a large view its graph stays as it is, and this small file says what is other: a pass
//! over millions of uses would take minutes. Everything is told against the kept graph, never against an
//! earlier overlay; once that would be much, the graph is made anew.

use crate::catalog::ViewKey;
use crate::error::Result;
use crate::kept_graphs;
use crate::layout::DERIVED;
use crate::mapped_sections::MappedSections;
use crate::names::{MappedDefinitions, NamesLimits, OpenSegments, ViewNames};
use crate::reader::Reader;
use crate::store::Writer;
use crate::view::View;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whyrank_graph::{
    FileSource as _, Implementations, ReferenceIndex, Sections, SymbolTable, Updated, UsesOverlay,
    ViewParts,
};

/// What the files are called by.
pub(crate) const OVERLAY: &str = "overlay";

/// Sections of the file.
const USES: usize = 0;
const TIES: usize = 1;

/// What is other in a view than in the graph of an earlier version.
#[derive(Clone, Debug)]
pub struct GraphOverlay {
    /// The version of the view that the graph is of.
    pub version: u64,
    /// Uses.
    pub uses: Arc<UsesOverlay>,
    /// Edges between types, as [`Implementations::overlaid`] takes them.
    pub ties: Arc<[u8]>,
}

impl GraphOverlay {
    /// The overlay of a view, where it has one.
    pub(crate) fn read(generation: &Path, view: &View) -> Option<Self> {
        let path = overlay_path(generation, &view.key, view.version);
        let (file, stamp) = MappedSections::read(&path).ok()?;
        let version = stamp.strip_prefix(&kept_graphs::format())?.trim();
        let whole = |section| file.bytes(section, 0..file.len_of(section));
        Some(Self {
            version: version.parse().ok()?,
            uses: Arc::new(UsesOverlay::read(whole(USES)?)?),
            ties: whole(TIES)?.into(),
        })
    }
}

impl Reader {
    /// Returns what is other in a view than in the graph that is kept with it; `None` where that is the
    /// view's own, or there is none.
    pub fn graph_overlay(&self, view: &View) -> Option<GraphOverlay> {
        let overlay = GraphOverlay::read(&self.generation, view);
        let path = overlay_path(&self.generation, &view.key, view.version);
        if overlay.is_none() && path.exists() && !MappedSections::is_whole(&path) {
            self.drop_damaged(&path);
        }
        overlay
    }
}

impl Writer {
    /// Writes what is other in a view than in the graph that is kept with it, and says how many files were
    /// resolved; `None` where the graph is better made anew, or `watch` ended it.
    pub(crate) fn overlay_graph(
        &self,
        view: &Arc<View>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
    ) -> Result<Option<usize>> {
        let Some((version, path)) = kept_graphs::newest(&self.generation, &view.key) else {
            return Ok(None);
        };
        let Some(file) = kept_graphs::open(&path) else {
            return Ok(None);
        };
        let Some(made) = self.made_over(view, &file, watch)? else {
            return Ok(None);
        };
        let stamp = format!("{} {version}", kept_graphs::format());
        let path = overlay_path(&self.generation, &view.key, view.version);
        MappedSections::write(&path, &stamp, &[&made.uses, &made.ties])?;
        remove_overlays(&self.generation, &view.key, Some(view.version));
        Ok(Some(made.n_files))
    }

    fn made_over(
        &self,
        view: &Arc<View>,
        file: &Arc<dyn Sections>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
    ) -> Result<Option<Made>> {
        let facts = view.source(true, self.ceiling).of_few();
        let imports = &view.graph.imports;
        let definitions = MappedDefinitions::new(Arc::clone(view)).map(Arc::new);
        let mut table = SymbolTable::default();
        facts.open(&mut |open| {
            table = match &definitions {
                Some(names) => SymbolTable::over(
                    open.files,
                    &view.graph.file_rank,
                    Arc::<MappedDefinitions>::clone(names),
                ),
                None => SymbolTable::new(open.files, imports),
            };
        });
        let contents: Vec<u64> = view.files.iter().map(kept_graphs::content).collect();
        let parts = ViewParts {
            files: &facts,
            imports,
            table: &table,
            contents: &contents,
        };
        let made = Made::over(view, file, &parts, watch);
        facts.outcome()?;
        let is_sound = definitions.is_none_or(|names| !names.has_failed());
        Ok(made.filter(|_| is_sound))
    }
}

/// Sections of an overlay in the making.
struct Made {
    uses: Vec<u8>,
    ties: Vec<u8>,
    n_files: usize,
}

impl Made {
    fn over(
        view: &View,
        file: &Arc<dyn Sections>,
        parts: &ViewParts<'_>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
    ) -> Option<Self> {
        let earlier = ReferenceIndex::stored_whole(Arc::clone(file))?;
        let overlay = Arc::new(earlier.overlay(parts, watch)?);
        drop(earlier);
        let counts = view.files.iter().map(|file| file.n_symbols as usize);
        let known = ReferenceIndex::overlaid(Arc::clone(file), Arc::clone(&overlay), counts)?;
        let ties = Implementations::overlay(parts, &known, &overlay);
        (!known.met_damage()).then(|| Self {
            uses: overlay.stored(),
            ties,
            n_files: overlay.files().count(),
        })
    }
}

/// Opens segments of names for a view of a writer, which asks for few of them.
pub(crate) fn with_names(generation: &Path, view: View) -> View {
    let (folder, limits) = (generation.join(DERIVED), NamesLimits::default());
    let names = ViewNames::open(&folder, &OpenSegments::default(), &view.files, limits);
    view.with_names(names)
}

/// Removes the overlays of a view but for one version.
pub(crate) fn remove_overlays(generation: &Path, key: &ViewKey, but: Option<u64>) {
    let keep = but.map(|version| overlay_path(generation, key, version));
    let start = format!("{}.", key.topic(OVERLAY));
    let entries = std::fs::read_dir(generation.join(DERIVED));
    for entry in entries.into_iter().flatten().flatten() {
        let is_one = entry.file_name().to_string_lossy().starts_with(&start);
        if is_one && Some(entry.path()) != keep {
            // A reader that has it open goes on with it.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn overlay_path(generation: &Path, key: &ViewKey, version: u64) -> PathBuf {
    let name = format!("{}.{version}.bin", key.topic(OVERLAY));
    generation.join(DERIVED).join(name)
}
