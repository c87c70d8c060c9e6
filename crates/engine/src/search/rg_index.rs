//! Knowledge of the files that `whyrank rg` searches, from an index.

use crate::Engine;
use roaring::RoaringBitmap;
use std::path::{Component, Path, PathBuf};
use whyrank_grams::GramQuery;
use whyrank_grep::{FileIndex, Search, Verdict};
use whyrank_index::ListedFiles;
use whyrank_source::{FileStat, Repository};

/// The files of a working tree as they were indexed, for one search. Of what changed since it knows nothing.
pub struct RgIndex {
    /// The folder of the search, below the root of the working tree.
    below: PathBuf,
    root: PathBuf,
    listed: ListedFiles,
    /// Files that may hold a match; `None` where all may.
    candidates: Option<RoaringBitmap>,
    /// Secrets were struck out by the rules that hold now.
    is_judged: bool,
}

impl Engine {
    /// Opens what the index of the repository around a search knows of its files; `None` without an index, or
    /// where it cannot be read: then everything is read.
    pub fn rg_index(&self, search: &Search) -> Option<RgIndex> {
        if !search.is_over_folders() {
            return None;
        }
        let folder = search.folder().canonicalize().ok()?;
        let repository = Repository::discover(&folder).ok()?;
        let repos = self.state.registry.all().ok()?;
        let repo = repos
            .into_iter()
            .find(|repo| repo.root == repository.root())?;
        let listed = self
            .state
            .store(&repo)
            .listed_files(&repo.view_key())
            .ok()??;
        let query = search
            .pattern_syntax()
            .map_or(GramQuery::Any, |syntax| GramQuery::of(&syntax));
        Some(RgIndex {
            below: folder.strip_prefix(repository.root()).ok()?.to_owned(),
            root: repository.root().to_owned(),
            is_judged: listed.judged_by() == repository.judged_by(),
            candidates: (!query.is_any()).then(|| listed.grams().candidates(&query)),
            listed,
        })
    }
}

impl RgIndex {
    /// The path of a file below the root; `None` for one that leads elsewhere.
    fn name_of(&self, path: &Path) -> Option<String> {
        let full = if path.is_absolute() {
            path.strip_prefix(&self.root).ok()?.to_owned()
        } else {
            self.below.join(path)
        };
        let mut name = String::new();
        for part in full.components() {
            match part {
                Component::Normal(part) => {
                    if !name.is_empty() {
                        name.push('/');
                    }
                    name.push_str(part.to_str()?);
                }
                Component::CurDir => {}
                _ => return None,
            }
        }
        Some(name)
    }

    /// The number of a file that is as it was indexed, and whose text is the file.
    fn known_file(&self, path: &Path) -> Option<(u32, FileStat)> {
        let file = self.listed.file(&self.name_of(path)?)?;
        if !self.listed.grams().knows(file) {
            return None;
        }
        let stat = FileStat::read(path).filter(|stat| self.listed.is_as_listed(file, *stat))?;
        Some((file, stat))
    }
}

impl FileIndex for RgIndex {
    fn look(&self, path: &Path) -> Verdict {
        let Some((file, stat)) = self.known_file(path) else {
            return Verdict::Unknown;
        };
        let is_ruled_out = |candidates: &RoaringBitmap| !candidates.contains(file);
        if self.candidates.as_ref().is_some_and(is_ruled_out) {
            Verdict::WithoutMatch {
                size_bytes: stat.size_bytes,
            }
        } else if self.is_judged {
            Verdict::WithoutSecrets
        } else {
            Verdict::Unknown
        }
    }
}
