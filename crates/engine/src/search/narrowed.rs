//! What a path that fits no file may be meant as.

use crate::Engine;
use crate::error::{EngineError, Result};
use whyrank_retrieval::PathFilter;

impl Engine {
    /// Checks that at least one file of a view fits one of the globs, where there are any.
    ///
    /// # Errors
    /// `bad-argument` when none does, with the part of a glob that would fit: paths are often given
    /// from another folder than the repository's root. Those of opening the view.
    pub fn check_paths(&self, repo: &str, globs: &[String], as_of: Option<&str>) -> Result<()> {
        let view = self.view_of(repo, as_of)?;
        let fits = |globs: &[String]| -> Result<bool> {
            let filter = PathFilter::new(globs)?;
            Ok(view
                .index
                .view
                .files
                .iter()
                .any(|file| filter.passes(&file.path)))
        };
        if globs.is_empty() || fits(globs)? {
            return Ok(());
        }
        let mut shorter = globs.iter().flat_map(|glob| ends_of(glob));
        let fitting = shorter.find(|glob| fits(&[(*glob).to_owned()]).unwrap_or_default());
        let hint = match fitting {
            Some(glob) => format!("`{glob}` fits some; paths begin at the repository's root"),
            None => "overview() shows the folders there are".to_owned(),
        };
        // A folder is two globs, itself and what lies below.
        let mut named: Vec<&str> = globs
            .iter()
            .map(|glob| glob.trim_end_matches("/**"))
            .collect();
        named.dedup();
        let message = format!("no indexed file fits `{}`", named.join("`, `"));
        Err(EngineError::new("bad-argument", message, hint))
    }
}

/// A glob without its first folder, without its first two, and so on.
fn ends_of(glob: &str) -> impl Iterator<Item = &str> {
    let cuts = glob.match_indices('/').map(|(at, _)| &glob[at + 1..]);
    cuts.filter(|end| end.contains(|char: char| char.is_alphanumeric()))
}
