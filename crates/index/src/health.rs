//! Whether what lies on disk is what was written, and what becomes of what is not.
//!
//! Every file of a generation has checksums: pages of SQLite files, files of the lexical store, token
//! segments, sketches, derived files. All of it can be rebuilt. What can be taken away alone goes, and
//! the next writer makes it again; where catalog, lexical store or manifest is damaged, the generation is
//! condemned: it counts as not there, and the next writer makes another one beside it, with the vectors
//! of texts that are the same.

use crate::catalog::Catalog;
use crate::error::{IndexError, Result};
use crate::grams;
use crate::graph_journal;
use crate::layout::{DERIVED, condemn};
use crate::lexical::LexicalReader;
use crate::manifest::Manifest;
use crate::mapped_sections::MappedSections;
use crate::names;
use crate::sketch;
use crate::static_lane::check_static;
use crate::store::Store;
use crate::token_vectors::check_tokens;
use crate::vectors::sketch_folders;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use whyrank_sqlite::Sums;

/// A part of an index that is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedPart {
    /// The file or folder.
    pub path: PathBuf,
    /// What was found.
    pub detail: String,
    /// The index cannot be used without it.
    pub is_vital: bool,
}

impl Store {
    /// Reads every byte of the live generation and compares it with its checksums; `deep` also has
    /// SQLite look at how its pages hang together. O(bytes).
    pub fn verify(&self, deep: bool) -> Vec<DamagedPart> {
        match self.layout().live() {
            Some(live) => parts(&live, deep),
            None => Vec::new(),
        }
    }

    /// Returns what was found in an index that is to be rebuilt; none where one can be read.
    pub fn set_aside(&self) -> Option<String> {
        match self.layout().missing() {
            IndexError::SetAside { detail } => Some(detail),
            _ => None,
        }
    }

    /// Verifies, and takes away what is damaged, so that the next writer rebuilds it.
    ///
    /// # Errors
    /// [`IndexError::Locked`] while another process writes, [`IndexError::Io`].
    pub fn repair(&self) -> Result<Vec<DamagedPart>> {
        let Some(live) = self.layout().live() else {
            return Ok(Vec::new());
        };
        let _lock = self.layout().lock()?;
        let found = parts(&live, false);
        for part in &found {
            if part.is_vital {
                condemn(&live, &part.detail)?
            } else {
                remove(&part.path)
            }
        }
        Ok(found)
    }
}

fn parts(generation: &Path, deep: bool) -> Vec<DamagedPart> {
    let mut found = Vec::new();
    let mut note = |path: PathBuf, is_vital: bool, detail: Option<String>| {
        found.extend(detail.map(|detail| DamagedPart {
            path,
            detail,
            is_vital,
        }));
    };
    let manifest = match Manifest::check(generation) {
        Err(IndexError::Damaged { detail, .. }) => Some(detail),
        // One of another version is not damaged.
        Err(_) if !deep => return Vec::new(),
        _ => None,
    };
    note(generation.join("manifest.json"), true, manifest);
    let catalog = generation.join("catalog.db");
    let of_catalog = match catalog.exists() {
        true => database(&catalog, deep),
        false => Some("no catalog".to_owned()),
    };
    let is_sound = of_catalog.is_none();
    note(catalog.clone(), true, of_catalog);
    if is_sound {
        note(
            generation.join("lexical"),
            true,
            lexical(generation, &catalog),
        );
    }
    for path in entries(generation) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_database = name.ends_with(".db");
        let detail = match name.split('-').next() {
            Some("vectors") if is_database => database(&path, deep),
            Some("tokens") => {
                database(&path.join("table.db"), deep).or_else(|| check_tokens(&path))
            }
            Some("sketch") => sketch::check(&path),
            Some("static") => check_static(&path),
            _ => None,
        };
        note(path, false, detail);
    }
    for path in entries(&generation.join(DERIVED)) {
        let detail = (!is_derived_whole(&path)).then(|| "does not fit its checksum".to_owned());
        note(path, false, detail);
    }
    found
}

fn database(path: &Path, deep: bool) -> Option<String> {
    let found = if deep {
        whyrank_sqlite::verify(path, Sums::Required)
    } else {
        whyrank_sqlite::damage(path, Sums::Required)
    };
    match found {
        Ok(found) if found.is_empty() => None,
        Ok(found) => Some(found.join("; ")),
        Err(error) => is_damage(&error).then(|| error.to_string()),
    }
}

/// A file that cannot be opened or is locked now is not called damaged.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    matches!(
        error.sqlite_error_code(),
        Some(DatabaseCorrupt | NotADatabase)
    )
}

/// The checksums of its files, and whether it holds every chunk of the catalog.
fn lexical(generation: &Path, catalog: &Path) -> Option<String> {
    let look = || -> Result<Option<String>> {
        let chunks = Catalog::open_writer(catalog)?.live_chunk_ids()?;
        let n_held = LexicalReader::open_checked(&generation.join("lexical"))?.n_held(&chunks)?;
        let n_all = chunks.len();
        Ok((n_held != n_all).then(|| format!("{n_held} of {n_all} chunks are in it")))
    };
    // Its library takes its own files for sound, and panics where they are not.
    match catch_unwind(AssertUnwindSafe(look)) {
        Ok(Ok(detail)) => detail,
        Ok(Err(IndexError::Damaged { detail, .. })) => Some(detail),
        Ok(Err(IndexError::Lexical(error))) => Some(error.to_string()),
        Ok(Err(_)) => None,
        Err(_) => Some("it cannot be read".to_owned()),
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// With its logs, and vectors with their sketch. What cannot be removed now is found again.
fn remove(path: &Path) {
    if path.is_dir() {
        let _ = fs::remove_dir_all(path);
        return;
    }
    for ending in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(ending);
        let _ = fs::remove_file(PathBuf::from(file));
    }
    for sketch in sketch_folders(path) {
        let _ = fs::remove_dir_all(sketch);
    }
}

/// Says whether a derived file is what was written.
fn is_derived_whole(path: &Path) -> bool {
    if graph_journal::is_journal(path) {
        // Who goes on with it looks at all of it.
        true
    } else if names::is_names_file(path) {
        names::is_whole(path)
    } else if grams::is_grams_file(path) {
        grams::is_whole(path)
    } else {
        MappedSections::is_whole(path)
    }
}
