//! What filters mean: words of people as the index's own, and a path that fits no file.

use crate::Engine;
use crate::api::{RepoId, SearchFilters};
use crate::choices::{CHUNK_KINDS, SYMBOL_KINDS, chosen};
use crate::error::{EngineError, Result};
use std::collections::BTreeSet;
use whyrank_index::View;
use whyrank_retrieval::PathFilter;
use whyrank_syntax::{Language, languages_named};

impl Engine {
    /// Checks that at least one file of a view fits one of the globs, where there are any.
    ///
    /// # Errors
    /// `bad-argument` when none does, with the part of a glob that would fit: paths are often given
    /// from another folder than the repository's root. Those of opening the view.
    pub fn check_paths(&self, repo: &RepoId, globs: &[String], as_of: Option<&str>) -> Result<()> {
        let view = self.view_of(repo, as_of)?;
        let fits = |globs: &[String]| -> Result<bool> {
            let filter = PathFilter::new(globs)?;
            Ok(view.files.iter().any(|file| filter.passes(&file.path)))
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

/// Filters in the index's own words: `js` is JavaScript, `funcs` are functions.
///
/// # Errors
/// `bad-argument` for a kind or language that is none, and for languages that the index has no file in.
pub(super) fn in_own_words(view: &View, filters: &SearchFilters) -> Result<SearchFilters> {
    let known = [SYMBOL_KINDS.as_slice(), &CHUNK_KINDS].concat();
    let kinds = chosen("kinds", &known, &filters.kinds)?;
    let files = &view.files;
    let here = || -> String {
        let names: BTreeSet<&str> = files.iter().map(|file| file.language.name()).collect();
        format!(
            "languages here: {}",
            names.into_iter().collect::<Vec<_>>().join(", ")
        )
    };
    let mut languages: Vec<Language> = Vec::new();
    for name in &filters.languages {
        let meant = languages_named(name);
        if meant.is_empty() {
            let message = format!("`{name}` is not a language that Whyrank knows");
            return Err(EngineError::bad_argument(message, here()));
        }
        languages.extend(meant);
    }
    let is_here = |language: &Language| files.iter().any(|file| file.language == *language);
    if !languages.is_empty() && !languages.iter().any(is_here) {
        let message = format!("no indexed file is in {}", filters.languages.join(", "));
        return Err(EngineError::bad_argument(message, here()));
    }
    Ok(SearchFilters {
        languages: languages
            .iter()
            .map(|language| language.name().to_owned())
            .collect(),
        kinds: kinds.into_iter().map(str::to_owned).collect(),
        ..filters.clone()
    })
}

/// A glob without its first folder, without its first two, and so on.
fn ends_of(glob: &str) -> impl Iterator<Item = &str> {
    let cuts = glob.match_indices('/').map(|(at, _)| &glob[at + 1..]);
    cuts.filter(|end| end.contains(|char: char| char.is_alphanumeric()))
}
