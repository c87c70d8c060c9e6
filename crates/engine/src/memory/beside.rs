//! Memos beside other answers: those about what a search asks, and about code that is shown.
//!
//! An answer never fails for them: where memory cannot be read it goes without.

use super::MemorySession;
use super::code::AnchoredCode;
use crate::Engine;
use crate::api::{Hit, Memo, MemoMoment, RepoId, SymbolLine};
use crate::error::Result;
use std::collections::HashMap;
use whyrank_memory::{Anchor, AsOf, Query, Recalled, ResolvedVersion, check_anchor};

/// A memo is about what a search asks when it holds so much of the question.
const SPEAKS_SHARE: f32 = 0.6;
/// Memos beside an answer.
pub(crate) const MAX_BESIDE: usize = 3;

/// Memos beside an answer, and what it took to know that they hold.
#[derive(Default)]
pub(crate) struct Beside {
    pub(crate) memos: Vec<Memo>,
    /// Commits read and diffs of commits computed.
    pub(crate) n_read: u32,
    /// Why the memory says nothing or not all, where it cannot be read.
    pub(crate) gap: Option<String>,
}

/// Code that an answer shows.
pub(crate) struct ShownCode<'a> {
    pub(crate) path: &'a str,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    /// Qualified name of the definition, where it is one.
    pub(crate) symbol: Option<&'a str>,
    /// A memo about the whole file is about it, too.
    pub(crate) with_file: bool,
}

impl<'a> From<&'a Hit> for ShownCode<'a> {
    fn from(hit: &'a Hit) -> Self {
        Self {
            path: &hit.path,
            start_line: hit.start_line,
            end_line: hit.end_line,
            symbol: hit.symbol.as_deref(),
            with_file: true,
        }
    }
}

impl<'a> From<&'a SymbolLine> for ShownCode<'a> {
    fn from(definition: &'a SymbolLine) -> Self {
        Self {
            path: &definition.path,
            start_line: definition.start_line,
            end_line: definition.end_line,
            symbol: Some(&definition.qualified),
            with_file: false,
        }
    }
}

impl Engine {
    /// Memos about what a search asks or about the files that it found; at most three.
    pub(crate) fn memos_beside(
        &self,
        repo: &RepoId,
        query: &str,
        as_of: Option<&str>,
        paths: &[String],
    ) -> Beside {
        self.beside(repo, as_of, |session, as_of| {
            let near = paths.iter().enumerate();
            let asked = Query {
                text: query.to_owned(),
                near: near
                    .map(|(rank, path)| (path.clone(), 1.0 / (rank as f32 + 1.0)))
                    .collect(),
                ..Query::default()
            };
            let found = session.snapshot(as_of)?.recall(&session.open.words, &asked);
            // Of the best hits' files only what shares words with the question as well.
            let speaks = |one: &&Recalled| {
                one.share >= SPEAKS_SHARE
                    || one.nearness >= 0.9
                    || (one.nearness >= 0.3 && one.share >= 0.25)
            };
            let code = session.code_at(as_of);
            let memos = found.iter().filter(speaks).take(MAX_BESIDE);
            Ok(memos
                .map(|one| session.seen_memo(as_of, &one.resolved, &code))
                .collect())
        })
    }

    /// Memos anchored to code that is shown, that of the first code first; at most three.
    pub(crate) fn memos_about(
        &self,
        repo: &RepoId,
        as_of: Option<&str>,
        shown: &[ShownCode<'_>],
    ) -> Beside {
        self.beside(repo, as_of, |session, as_of| {
            let code = session.code_at(as_of);
            let ledger = session.open.memory.ledger();
            let mut by_path: HashMap<&str, Vec<usize>> = HashMap::new();
            for (place, one) in shown.iter().enumerate() {
                by_path.entry(one.path).or_default().push(place);
            }
            let mut found: Vec<(usize, bool, i64, ResolvedVersion)> = Vec::new();
            for resolved in session.snapshot(as_of)?.resolved_versions() {
                let Some(version) = ledger.version(resolved.version) else {
                    continue;
                };
                let touched = version.anchors.iter().filter_map(|anchor| {
                    let places = by_path.get(anchor.path.as_str())?.iter();
                    let mut places = places.filter(|place| touches(anchor, &shown[**place], &code));
                    places.next().copied()
                });
                if let Some(place) = touched.min() {
                    let is_pinned = ledger.is_pinned(&version.memo, as_of.known_at);
                    found.push((place, !is_pinned, -version.recorded_at, resolved));
                }
            }
            found.sort_by_key(|(place, is_loose, age, _)| (*place, *is_loose, *age));
            let found = found.iter().take(MAX_BESIDE);
            Ok(found
                .map(|(.., resolved)| session.seen_memo(as_of, resolved, &code))
                .collect())
        })
    }

    fn beside(
        &self,
        repo: &RepoId,
        as_of: Option<&str>,
        find: impl FnOnce(&MemorySession<'_>, AsOf) -> Result<Vec<Memo>>,
    ) -> Beside {
        // Each repository has a memory of its own.
        if repo.several().is_some() {
            return Beside::default();
        }
        let found = self.with_memory(repo, |session| {
            let gap = session.damage();
            if session.open.memory.ledger().n_versions() == 0 {
                return Ok(Beside {
                    gap,
                    ..Beside::default()
                });
            }
            let moment = MemoMoment {
                as_of: as_of.map(str::to_owned),
                known_at: None,
            };
            let as_of = session.as_of(&moment)?;
            let memos = find(session, as_of)?;
            Ok(Beside {
                memos,
                n_read: session.n_read(),
                gap,
            })
        });
        found.unwrap_or_else(|error| {
            tracing::warn!(%error, "memos are left out");
            Beside {
                gap: Some(format!("memos left out: {error}")),
                ..Beside::default()
            }
        })
    }
}

impl MemorySession<'_> {
    /// What this call has read of git.
    fn n_read(&self) -> u32 {
        let (before, now) = (self.work_before, self.open.work());
        let n_commits = now.n_commits.saturating_sub(before.n_commits);
        (n_commits + now.n_patches.saturating_sub(before.n_patches)) as u32
    }
}

/// Whether an anchor in the same file is about shown code, wherever its lines lie now.
fn touches(anchor: &Anchor, shown: &ShownCode<'_>, code: &AnchoredCode<'_>) -> bool {
    if anchor.start_line == 0 {
        return shown.with_file;
    }
    if anchor.symbol.is_some() && anchor.symbol.as_deref() == shown.symbol {
        return true;
    }
    let now = check_anchor(anchor, code).now;
    let now = now.as_ref().unwrap_or(anchor);
    now.path == shown.path && now.start_line <= shown.end_line && shown.start_line <= now.end_line
}
