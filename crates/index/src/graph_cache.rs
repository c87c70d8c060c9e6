//! The lane of the symbol graph: what every use in a view means, kept with the view.
//!
//! It is derived data: a graph of an earlier version of the view is brought up to date, one that is
//! damaged or that other rules made is dropped and rebuilt. One row in one statement: a killed
//! process leaves the one before it, which names the version that it belongs to.

use crate::catalog::{Catalog, KEPT_GRAPHS, ViewKey};
use crate::control::{JobControl, Stage};
use crate::error::{IndexError, Result};
use crate::reader::Reader;
use crate::store::Writer;
use crate::view::{View, ViewFile};
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ops::ControlFlow;
use whyrank_graph::{
    FileSource, RULES, ReferenceIndex, SymbolRanks, SymbolTable, ViewParts, symbol_rank_of,
};

/// Layout of the stored record; what it means is [`RULES`].
const FORMAT: u32 = 1;

/// A symbol graph as it is stored.
struct CacheRow {
    /// The version of the view that it was made from.
    version: u64,
    format: String,
    digest: Vec<u8>,
    data: Vec<u8>,
}

/// What every use in a view means, and how central each definition is.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
        CachedGraph::read(&self.catalog(), view)
    }

    /// Says why a view has no symbol graph to use; `None` when it has one. Does not decode it.
    ///
    /// # Errors
    /// Those of reading the catalog.
    pub fn graph_state(&self, view: &View) -> Result<Option<NoGraph>> {
        CachedGraph::state(&self.catalog(), view)
    }
}

impl Writer {
    /// Makes the symbol graph of a view, from the one before it where there is one; answers with the
    /// number of files whose uses were resolved. Nothing is done for a graph that is current, and
    /// none is made for a view that is still being built.
    ///
    /// # Errors
    /// [`IndexError::Cancelled`]; the graph that was kept stays, and is of an earlier state then.
    pub fn graph_view(&mut self, key: &ViewKey, control: &dyn JobControl) -> Result<usize> {
        let view = self.view(key)?;
        let Some(row) = self.catalog.view(key)? else {
            return Ok(0);
        };
        if view.graph.imports.n_files() != view.files.len() {
            return Ok(0);
        }
        let kept = self.catalog.kept_graph(row.view_id)?;
        if kept.as_ref().is_some_and(|kept| check(kept, &view).is_ok()) {
            return Ok(0);
        }
        let before = kept.and_then(|kept| decode(&kept).ok()).unwrap_or_default();
        let (made, n_files) = self.make_graph(&view, before, control)?;
        let packed = lz4_flex::compress_prepend_size(&postcard::to_stdvec(&made)?);
        let row_of_graph = CacheRow {
            version: row.version,
            format: format(),
            digest: digest(&packed),
            data: packed,
        };
        self.catalog.store_graph(row.view_id, &row_of_graph)?;
        control.progress(Stage::Uses, n_files, n_files, None);
        Ok(n_files)
    }
}

impl CachedGraph {
    pub(crate) fn read(
        catalog: &Catalog,
        view: &View,
    ) -> Result<std::result::Result<Self, NoGraph>> {
        let Some(kept) = row_of(catalog, view)? else {
            return Ok(Err(NoGraph::Absent));
        };
        if let Err(reason) = check(&kept, view) {
            return Ok(Err(reason));
        }
        let damaged = |detail| NoGraph::Damaged { detail };
        Ok(unpack(&kept).map_err(damaged).and_then(|graph| {
            if graph.uses.n_files() == view.files.len() {
                Ok(graph)
            } else {
                Err(damaged("of other files".to_owned()))
            }
        }))
    }

    pub(crate) fn state(catalog: &Catalog, view: &View) -> Result<Option<NoGraph>> {
        Ok(match row_of(catalog, view)? {
            None => Some(NoGraph::Absent),
            Some(kept) => check(&kept, view).err(),
        })
    }
}

impl Catalog {
    /// The symbol graph kept with a view.
    fn kept_graph(&self, view_id: i64) -> Result<Option<CacheRow>> {
        let sql = "SELECT count(*) FROM sqlite_master WHERE name = 'view_uses'";
        let n_tables: i64 = self.connection.query_row(sql, [], |row| row.get(0))?;
        if n_tables == 0 {
            return Ok(None);
        }
        let sql = "SELECT version, format, digest, data FROM view_uses WHERE view_id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let row = statement.query_row([view_id], |row| {
            Ok(CacheRow {
                version: row.get::<_, i64>(0)? as u64,
                format: row.get(1)?,
                digest: row.get(2)?,
                data: row.get(3)?,
            })
        });
        Ok(row.optional()?)
    }

    fn store_graph(&self, view_id: i64, row: &CacheRow) -> Result<()> {
        self.connection.execute_batch(KEPT_GRAPHS)?;
        let version = row.version as i64;
        self.connection.execute(
            "INSERT OR REPLACE INTO view_uses VALUES(?1, ?2, ?3, ?4, ?5)",
            params![view_id, version, row.format, row.digest, row.data],
        )?;
        Ok(())
    }
}

fn row_of(catalog: &Catalog, view: &View) -> Result<Option<CacheRow>> {
    match catalog.view(&view.key)? {
        Some(row) => catalog.kept_graph(row.view_id),
        None => Ok(None),
    }
}

fn check(kept: &CacheRow, view: &View) -> std::result::Result<(), NoGraph> {
    if kept.format != format() {
        return Err(NoGraph::OtherRules);
    }
    if kept.version != view.version {
        return Err(NoGraph::Outdated);
    }
    if kept.digest == digest(&kept.data) {
        Ok(())
    } else {
        Err(NoGraph::Damaged {
            detail: "its digest differs".to_owned(),
        })
    }
}

/// The graph of an earlier state, as a start.
fn decode(kept: &CacheRow) -> std::result::Result<ReferenceIndex, String> {
    if kept.format != format() || kept.digest != digest(&kept.data) {
        return Err("of no use".to_owned());
    }
    unpack(kept).map(|graph| graph.uses)
}

fn unpack(kept: &CacheRow) -> std::result::Result<CachedGraph, String> {
    let bytes = lz4_flex::decompress_size_prepended(&kept.data).map_err(|e| e.to_string())?;
    postcard::from_bytes(&bytes).map_err(|error| error.to_string())
}

fn format() -> String {
    format!("{FORMAT}-{RULES}")
}

fn digest(data: &[u8]) -> Vec<u8> {
    Sha256::digest(data)[..16].to_vec()
}

impl Writer {
    fn make_graph(
        &self,
        view: &View,
        before: ReferenceIndex,
        control: &dyn JobControl,
    ) -> Result<(CachedGraph, usize)> {
        control.progress(Stage::Uses, 0, 0, None);
        let files = view.files.iter();
        let files = files.map(|file| (file.path.as_str(), file.language.name(), file.content_id));
        let facts = self.view_facts(files)?;
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
        let mut n_files = 0;
        let uses = before.update_watched(&parts, &mut |updated| {
            n_files = updated.n_files;
            control.progress(Stage::Uses, updated.n_done, updated.n_files, None);
            if control.should_stop() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let uses = uses.ok_or(IndexError::Cancelled)?;
        let ranks = symbol_rank_of(&parts, &uses);
        facts.outcome()?;
        Ok((CachedGraph { uses, ranks }, n_files))
    }
}

/// A number for a file's content, other than 0.
fn content(file: &ViewFile) -> u64 {
    let head = file.blob.0.first_chunk().copied().unwrap_or_default();
    u64::from_le_bytes(head).max(1)
}
