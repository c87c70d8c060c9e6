//! The part of a change that a path means: a folder, a file or the end of one, or a glob. What went counts,
//! and so does what no index has.

use super::changes::{Changes, is_below};
use super::clean;
use crate::error::{EngineError, Result};
use crate::registry::Registered;
use crate::views::LiveView;
use whyrank_retrieval::PathFilter;

/// Which paths an answer is about.
pub(super) enum Scope {
    All,
    /// All below this folder, or this file.
    Below(String),
    Fitting(PathFilter),
}

impl Scope {
    /// # Errors
    /// `bad-argument` for a path at which nothing is or was.
    pub(super) fn of(
        path: Option<&str>,
        changes: &Changes,
        repo: &Registered,
        view: Option<&LiveView>,
    ) -> Result<Self> {
        let path = clean(path.unwrap_or_default().trim());
        if path.is_empty() {
            return Ok(Self::All);
        }
        let changed = || {
            let files = changes.files.iter();
            files.flat_map(|file| [Some(file.path.as_str()), file.from.as_deref()])
        };
        let mut of_changes = changed().flatten();
        if of_changes.any(|one| is_below(one, Some(path))) || is_there(repo, path) {
            return Ok(Self::Below(path.to_owned()));
        }
        let filter = PathFilter::new(&[path.to_owned()])?;
        if changed().flatten().any(|one| filter.passes(one)) {
            return Ok(Self::Fitting(filter));
        }
        let end = format!("/{path}");
        let mut ends: Vec<&str> = changed()
            .flatten()
            .filter(|one| one.ends_with(&end))
            .collect();
        ends.dedup();
        match (ends.as_slice(), view) {
            ([one], _) => Ok(Self::Below((*one).to_owned())),
            ([_, ..], _) => Err(EngineError::bad_argument(
                format!("`{path}` names {} changed files", ends.len()),
                format!("give one of {}", ends[..ends.len().min(5)].join(", ")),
            )),
            // What did not change is known by the index alone.
            ([], Some(view)) => view.below(path).map(|_| Self::Fitting(filter)),
            ([], None) => Err(EngineError::bad_argument(
                format!("no file lies below `{path}`"),
                "give a path from the root of the repository",
            )),
        }
    }

    pub(super) fn has(&self, path: &str) -> bool {
        match self {
            Self::All => true,
            Self::Below(folder) => is_below(path, Some(folder)),
            Self::Fitting(filter) => filter.passes(path),
        }
    }

    /// Whether it has a changed file, where it is or where it was.
    pub(super) fn has_file(&self, file: &super::changes::ChangedFile) -> bool {
        self.has(&file.path) || file.from.as_deref().is_some_and(|from| self.has(from))
    }
}

fn is_there(repo: &Registered, path: &str) -> bool {
    !path.split('/').any(|part| part == "..") && repo.root.join(path).exists()
}
