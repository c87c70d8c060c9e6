//! What of a claim the index bears out: the names and places in it, and a few kinds of sentences.
//!
//! Only what the index can decide is decided; of the rest it says that it was not judged. No language
//! model is asked.

use crate::Engine;
use crate::api::{
    ClaimVerdict, CritiquePoint, CritiqueRequest, CritiqueResponse, LookupRequest, RefsRequest,
    SymbolLine, VerifyRequest,
};
use crate::code::reports::NamedReports;
use crate::error::{EngineError, Result};
use std::collections::BTreeSet;

use super::sentences::{Names, looks_like_path, read, sentences};

/// Names looked up; a claim that names more is a book.
const MAX_NAMES: usize = 30;
const MAX_CLAIM: usize = 8 << 10;
pub(super) const MAX_PLACES: usize = 3;

impl Engine {
    /// Checks the names, places and sentences of a claim, and the evidence that it cites.
    ///
    /// # Errors
    /// `bad-argument` for an empty or huge claim; those of opening the view.
    pub fn critique(&self, request: &CritiqueRequest) -> Result<CritiqueResponse> {
        if request.claim.trim().is_empty() || request.claim.len() > MAX_CLAIM {
            return Err(EngineError::bad_argument(
                format!("the claim has {} characters", request.claim.len()),
                format!("say in 1 to {MAX_CLAIM} what is claimed"),
            ));
        }
        let critic = Critic {
            engine: self,
            request,
        };
        let words = read(&request.claim, &critic);
        let mut points = Vec::new();
        let mut seen = BTreeSet::new();
        let asked = request.symbols.iter().map(String::as_str);
        let named = words
            .iter()
            // A plain word that is a folder names no symbol.
            .filter(|word| word.is_code && (word.is_marked || !word.is_place))
            .map(|word| word.text.as_str());
        for name in asked.chain(named).take(MAX_NAMES) {
            if seen.insert(name.to_owned()) {
                points.extend(critic.exists(name)?.map(|point| CritiquePoint {
                    is_name: true,
                    ..point
                }));
            }
        }
        for sentence in sentences(&words) {
            points.push(critic.check(&sentence)?);
        }
        let order = |point: &CritiquePoint| (point.verdict, point.is_name);
        points.sort_by_key(order);
        let evidence = if request.evidence.is_empty() {
            Vec::new()
        } else {
            self.verify_evidence(&VerifyRequest {
                repo: request.repo.clone(),
                evidence: request.evidence.clone(),
                as_of: request.as_of.clone(),
            })?
            .evidence
        };
        // Several repositories have no reports of their own.
        let repo = self.state.registry.get(&request.repo).ok();
        let brought = repo.filter(|_| !points.is_empty());
        Ok(CritiqueResponse {
            points,
            evidence,
            brought: brought.map_or_else(Vec::new, |repo| NamedReports::of(&repo).brought()),
        })
    }
}

/// The question, while it is answered.
pub(super) struct Critic<'a> {
    pub(super) engine: &'a Engine,
    pub(super) request: &'a CritiqueRequest,
}

impl Critic<'_> {
    fn exists(&self, name: &str) -> Result<Option<CritiquePoint>> {
        if self.is_place(name) {
            return Ok(Some(self.place_exists(name)));
        }
        let symbol = qualified(name);
        let found = self.lookup(&symbol)?;
        let says = format!("`{name}` exists");
        if let Some(first) = found.definitions.first() {
            let shown = match found.definitions.len() {
                1 => place(first),
                n => format!("{n} definitions, first {}", place(first)),
            };
            return Ok(Some(point(
                says,
                ClaimVerdict::Holds,
                shown,
                &found.definitions,
            )));
        }
        // A library's name is defined elsewhere, and used here.
        let used = self.engine.refs(&RefsRequest {
            repo: self.request.repo.clone(),
            symbol: symbol.clone(),
            as_of: self.request.as_of.clone(),
            ..RefsRequest::default()
        })?;
        if let Some(first) = used.references.first() {
            let shown = format!("not defined here, but used: {}:{}", first.path, first.line);
            return Ok(Some(point(says, ClaimVerdict::Unknown, shown, &[])));
        }
        let near: Vec<String> = found.near.iter().take(MAX_PLACES).map(place).collect();
        let shown = if near.is_empty() {
            "no definition and no use of this name".to_owned()
        } else {
            format!("no definition of this name; near: {}", near.join(", "))
        };
        Ok(Some(point(
            says,
            ClaimVerdict::Contradicted,
            shown,
            &found.near,
        )))
    }

    fn place_exists(&self, name: &str) -> CritiquePoint {
        let (path, line) = match name.split_once(':') {
            Some((path, lines)) => {
                let first = lines.split(['-', ':']).next().unwrap_or(lines);
                (path, first.parse::<u32>().ok())
            }
            None => (name, None),
        };
        let says = format!("`{name}` exists");
        let repo = &self.request.repo;
        let preview = self
            .engine
            .preview(repo, path, self.request.as_of.as_deref());
        match preview {
            Err(error) => match self.is_inside(path) {
                Ok(Some(_)) => point(says, ClaimVerdict::Holds, "files fit it".to_owned(), &[]),
                _ => point(
                    says,
                    ClaimVerdict::Contradicted,
                    format!("{}; {}", error.message, error.hint),
                    &[],
                ),
            },
            Ok(file) => {
                let n_lines = file.text.lines().count() as u32;
                match line.filter(|line| *line > n_lines && !file.truncated) {
                    Some(_) => point(
                        says,
                        ClaimVerdict::Contradicted,
                        format!("{} has {n_lines} lines", file.path),
                        &[],
                    ),
                    None => point(
                        says,
                        ClaimVerdict::Holds,
                        format!("{} ({n_lines} lines)", file.path),
                        &[],
                    ),
                }
            }
        }
    }

    /// The files that a path means; none where it fits none.
    pub(super) fn is_inside(&self, path: &str) -> Result<Option<impl Fn(&str) -> bool>> {
        let as_of = self.request.as_of.as_deref();
        let view = self.engine.view_of(&self.request.repo, as_of)?;
        let narrowed = view.narrowed(Some(path)).ok();
        Ok(narrowed.map(|narrowed| {
            move |path: &str| view.file(path).is_some_and(|file| narrowed.has(file))
        }))
    }

    pub(super) fn lookup(&self, symbol: &str) -> Result<crate::api::LookupResponse> {
        self.engine.lookup(&LookupRequest {
            repo: self.request.repo.clone(),
            symbol: symbol.to_owned(),
            as_of: self.request.as_of.clone(),
            ..LookupRequest::default()
        })
    }
}

impl Names for Critic<'_> {
    fn is_symbol(&self, word: &str) -> bool {
        let found = self.lookup(word).map(|found| found.definitions);
        found.is_ok_and(|found| found.iter().any(|one| one.name == word))
    }

    fn is_place(&self, name: &str) -> bool {
        if !looks_like_path(name) || name.contains('/') {
            return looks_like_path(name);
        }
        let path = name.split(':').next().unwrap_or(name);
        let is_file = || self.is_inside(path).is_ok_and(|found| found.is_some());
        let symbol = qualified(name);
        let found = self.lookup(&symbol).map(|found| found.definitions);
        let is_symbol =
            found.is_ok_and(|found| found.iter().any(|one| ends_with(&one.qualified, &symbol)));
        !is_symbol || is_file()
    }

    fn is_folder(&self, word: &str) -> bool {
        let as_of = self.request.as_of.as_deref();
        let folder = format!("{}/", word.trim_end_matches('/'));
        let view = self.engine.view_of(&self.request.repo, as_of);
        view.is_ok_and(|view| view.files.iter().any(|file| file.path.starts_with(&folder)))
    }
}

/// Names with `#` for a member are written with a dot.
pub(super) fn qualified(name: &str) -> String {
    name.replace('#', ".")
}

/// Whether a qualified name ends with another, part by part.
pub(super) fn ends_with(qualified: &str, name: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(['.', ':', '\\']).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    parts(qualified).ends_with(&parts(name))
}

pub(super) fn place(one: &SymbolLine) -> String {
    format!("{} ({}:{})", one.qualified, one.path, one.name_line)
}

pub(super) fn point(
    says: String,
    verdict: ClaimVerdict,
    shown: String,
    places: &[SymbolLine],
) -> CritiquePoint {
    CritiquePoint {
        says,
        verdict,
        is_name: false,
        shown,
        places: places.iter().take(MAX_PLACES).cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_qualified_name_is_that_name() {
        assert!(ends_with("app::Router.use", "Router.use"));
        assert!(ends_with("Router.use", "use") && !ends_with("Router.reuse", "use"));
    }
}
