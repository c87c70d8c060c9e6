//! The files of a view with sizes and times, for who asks about files where they lie: opened without anything
//! else of the view.

use super::ViewGrams;
use crate::catalog::{Catalog, ListedFile, ViewKey};
use crate::error::Result;
use crate::layout::DERIVED;
use crate::manifest::Manifest;
use crate::store::Store;
use crate::worktree_record::settled_before;
use whyrank_source::{BlobId, FileStat};

/// Files as a view lists them, by path.
#[derive(Debug)]
pub struct ListedFiles {
    files: Vec<ListedFile>,
    /// A file that changed after this may be other than it was listed.
    settled_before_ns: i64,
    judged_by: String,
    grams: ViewGrams,
}

impl Store {
    /// Opens the files that a view lists, with their grams; `None` where there is no such view.
    ///
    /// # Errors
    /// As [`Store::reader`].
    pub fn listed_files(&self, key: &ViewKey) -> Result<Option<ListedFiles>> {
        let Some(generation) = self.layout().sound_live() else {
            return Ok(None);
        };
        Manifest::check(&generation)?;
        let catalog = Catalog::open_reader(&generation.join("catalog.db"))?;
        catalog.snapshot(|catalog| {
            let Some(view) = catalog.view(key)? else {
                return Ok(None);
            };
            let files = catalog.listed_files(view.view_id)?;
            let contents: Vec<(i64, BlobId)> = files
                .iter()
                .map(|file| (file.content_id, file.blob))
                .collect();
            Ok(Some(ListedFiles {
                files,
                settled_before_ns: settled_before(view.updated_at.saturating_mul(1_000_000_000)),
                judged_by: view
                    .fingerprint
                    .split(' ')
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
                grams: ViewGrams::open(&generation.join(DERIVED), &contents),
            }))
        })
    }
}

impl ListedFiles {
    /// Returns the number of a file by its path.
    pub fn file(&self, path: &str) -> Option<u32> {
        let place = self
            .files
            .binary_search_by(|file| file.path.as_str().cmp(path));
        place.ok().map(|file| file as u32)
    }

    /// Says whether a file is as it was when it was listed.
    pub fn is_as_listed(&self, file: u32, stat: FileStat) -> bool {
        let listed = &self.files[file as usize];
        listed.size_bytes == stat.size_bytes
            && listed.mtime_ns == stat.mtime_ns
            && stat.changed_ns < self.settled_before_ns
    }

    /// Names the rules by which the files were judged.
    pub fn judged_by(&self) -> &str {
        &self.judged_by
    }

    /// Returns their grams.
    pub fn grams(&self) -> &ViewGrams {
        &self.grams
    }
}
