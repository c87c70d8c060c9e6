//! The files that a path means: one file, all below a folder, or those that a glob fits.

use super::deps::find_file;
use crate::error::Result;
use crate::views::LiveView;
use std::collections::HashSet;
use whyrank_retrieval::PathFilter;

/// Files that an answer is narrowed to.
pub(crate) enum Narrowed {
    /// Nothing was said.
    All,
    /// These.
    Files(HashSet<u32>),
}

impl Narrowed {
    /// Whether a file is one of them.
    pub(crate) fn has(&self, file: u32) -> bool {
        match self {
            Self::All => true,
            Self::Files(files) => files.contains(&file),
        }
    }

    /// The file, where it is one alone.
    pub(crate) fn only(&self) -> Option<u32> {
        match self {
            Self::Files(files) if files.len() == 1 => files.iter().next().copied(),
            _ => None,
        }
    }
}

impl LiveView {
    /// The files that a path means: a file or the end of one, a folder, or a glob.
    ///
    /// # Errors
    /// `bad-argument` where no indexed file fits, with near ones.
    pub(crate) fn narrowed(&self, path: Option<&str>) -> Result<Narrowed> {
        let Some(path) = path.map(str::trim).filter(|path| !is_all(path)) else {
            return Ok(Narrowed::All);
        };
        let folder = format!("{}/", path.trim_start_matches("./").trim_matches('/'));
        let files = (0u32..).zip(&self.files);
        let below = files.filter(|(_, file)| file.path.starts_with(&folder));
        let below: HashSet<u32> = below.map(|(file, _)| file).collect();
        if !below.is_empty() {
            return Ok(Narrowed::Files(below));
        }
        if self.file(path.trim_start_matches("./")).is_none() {
            let filter = PathFilter::new(&[path.to_owned()])?;
            let files = (0u32..).zip(&self.files);
            let fitting = files.filter(|(_, file)| filter.passes(&file.path));
            let fitting: HashSet<u32> = fitting.map(|(file, _)| file).collect();
            if !fitting.is_empty() {
                return Ok(Narrowed::Files(fitting));
            }
        }
        Ok(Narrowed::Files(HashSet::from([find_file(self, path)?])))
    }
}

/// Whether a path means the whole repository.
fn is_all(path: &str) -> bool {
    matches!(path, "" | "." | "./" | "/")
}
