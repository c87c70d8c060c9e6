//! Review of a diff: what changed, who depends on it unchanged, what no test reaches, what exists already.
//!
//! What changed is read from git and the files; the index tells the rest, and where it cannot, the answer
//! says so. The risk orders what to look at first; it is no probability. Every point of it has a reason.

pub(super) use super::at_risk::Changed;

use super::at_risk::{Review, Reviewed};
use super::changes::{ChangedFile, Changes};
use super::duplicates::Duplicates;
use super::numbering::Numbering;
use super::scope::Scope;
use super::{is_notable, renamed, risk};
use crate::Engine;
use crate::api::{
    MovedFile, RepoId, ReviewRequest, ReviewResponse, ReviewedFile, ReviewedSymbol, RiskKind,
    SymbolChange, UnreadChange,
};
use crate::code::graph::GraphSession;
use crate::code::symbols::line_of;
use crate::error::Result;
use crate::views::LiveView;
use std::collections::{BTreeMap, HashSet};
use whyrank_index::ViewKey;
use whyrank_retrieval::FileRole;
use whyrank_source::LineChange;
use whyrank_syntax::Symbol;

/// Definitions whose code is compared with the rest; the riskiest.
const MAX_COMPARED: usize = 12;
/// Removed definitions that are told.
pub(super) const MAX_REMOVED: usize = 200;
/// Files named that the index has otherwise.
const MAX_BEHIND: usize = 3;

impl Engine {
    /// Lists what changed since a revision or in a range, riskiest first, with the reasons.
    ///
    /// # Errors
    /// `unknown-revision`; `bad-argument` for a path at which nothing is or was.
    pub fn review_diff(&self, request: &ReviewRequest) -> Result<ReviewResponse> {
        let repo = self.state.registry.get(&request.repo)?;
        let changes = Changes::of(&repo, &request.reference)?;
        let (session, mut without) = self.graph_beside(&request.repo, None)?;
        let view = session.as_ref().map(|session| &*session.view);
        let scope = Scope::of(request.path.as_deref(), &changes, &repo, view)?;
        let targets = targets(&changes, &scope, view);
        let mut reviewed = Reviewed::of(&changes, &targets);
        match &session {
            None => reviewed.symbols.extend(removed(&changes, &scope)),
            Some(session) => {
                let known = session.facts.inputs(&session.view);
                let numbers = Numbering::new(&session.view, &changes, known);
                session.with_structure(|structure| {
                    let review = Review::new(structure, &changes, &scope, &numbers);
                    review.complete(&targets, &mut reviewed);
                    Ok(())
                })?;
                without = beside(&changes, &numbers);
                self.add_duplicates(session, request, &changes, &mut reviewed.symbols)?;
            }
        }
        renamed::join(&changes, &mut reviewed.symbols);
        sort(&mut reviewed.symbols);
        Ok(respond(reviewed, &changes, &scope, request, without))
    }

    /// The symbol graph that tells more of a change, or why there is none.
    pub(super) fn graph_beside(
        &self,
        repo: &RepoId,
        as_of: Option<&str>,
    ) -> Result<(Option<GraphSession>, String)> {
        let session = match self.open_graph_with_facts(repo, as_of) {
            Ok(session) => session,
            Err(error) if error.code == "index-damaged" => return Err(error),
            Err(error) if error.code == "index-missing" => {
                return Ok((None, "there is no index yet".to_owned()));
            }
            Err(error) => return Ok((None, error.message)),
        };
        let is_known = session.view.is_worked_out_in_memory() || session.view.has_uses()?;
        if is_known {
            return Ok((Some(session), String::new()));
        }
        Ok((None, "the symbol graph is not built yet".to_owned()))
    }

    fn add_duplicates(
        &self,
        session: &GraphSession,
        request: &ReviewRequest,
        changes: &Changes,
        symbols: &mut [ReviewedSymbol],
    ) -> Result<()> {
        // The index has the code of the working tree alone.
        if !changes.is_worktree {
            return Ok(());
        }
        sort(symbols);
        let mut duplicates = Duplicates::new(self, session, request);
        for symbol in symbols.iter_mut().take(MAX_COMPARED) {
            if let Some((twin, share)) = duplicates.of(symbol)? {
                let text = format!(
                    "{:.0}% the same as {} ({}:{})",
                    share * 100.0,
                    twin.qualified,
                    twin.path,
                    twin.name_line
                );
                let points = risk::DUPLICATE_POINTS * share;
                risk::add(symbol, RiskKind::Duplicate, text, points);
            }
        }
        Ok(())
    }
}

/// Of what state the users and tests are that an answer names; empty where it is that of the change.
pub(super) fn beside(changes: &Changes, numbers: &Numbering<'_>) -> String {
    let is_worktree = matches!(numbers.view.key, ViewKey::Worktree(_));
    if is_worktree && !changes.is_worktree {
        return "users and tests are those of the working tree".to_owned();
    }
    let behind = numbers.behind();
    if behind.is_empty() {
        return String::new();
    }
    let named = behind.iter().take(MAX_BEHIND).copied();
    let named = named.collect::<Vec<_>>().join(", ");
    let more = match behind.len().saturating_sub(MAX_BEHIND) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("users and tests are those of an index that has {named}{more} in an older state")
}

/// Whether a file holds code that is shipped, as the index says it, else by its path.
pub(super) fn is_code(file: &ChangedFile, view: Option<&LiveView>) -> bool {
    let Some(new) = &file.new else {
        return false;
    };
    let known = view.and_then(|view| Some(view.index.roles[view.file(&file.path)? as usize]));
    let role = known.unwrap_or_else(|| FileRole::of(&file.path, new.language.is_prose()));
    matches!(role, FileRole::Source | FileRole::Legacy) && file.has_definitions()
}

/// The changed definitions of code, by path and place.
pub(super) fn targets(changes: &Changes, scope: &Scope, view: Option<&LiveView>) -> Vec<Changed> {
    let mut found = Vec::new();
    for (place, file) in changes.files.iter().enumerate() {
        if scope.has_file(file) && is_code(file, view) {
            let touched = file.definitions().into_iter();
            let touched = touched.filter(|symbol| file.is_touched(*symbol));
            found.extend(touched.map(|symbol| Changed { place, symbol }));
        }
    }
    found
}

impl Reviewed {
    /// What both sides of the files say by themselves.
    pub(super) fn of(changes: &Changes, targets: &[Changed]) -> Self {
        let symbols = targets.iter().map(|target| {
            let file = &changes.files[target.place];
            let symbol = &file.symbols()[target.symbol as usize];
            let is_other = file.pairs.other_heads.get(target.symbol as usize);
            let old = file.was(target.symbol);
            let was = old.filter(|_| is_other == Some(&true));
            let mut reviewed = ReviewedSymbol {
                symbol: line_of(&file.path, symbol),
                change: match (old, was) {
                    (None, _) => SymbolChange::New,
                    (Some(_), Some(_)) => SymbolChange::Signature,
                    (Some(_), None) => SymbolChange::Changed,
                },
                was: was.map(|old| old.signature.clone()),
                from: None,
                n_lines: n_lines(symbol, &file.lines),
                risk: 0.0,
                reasons: Vec::new(),
                callers: Vec::new(),
                n_callers: 0,
                n_tests: 0,
            };
            if reviewed.change == SymbolChange::Signature {
                risk::add_signature(&mut reviewed);
            }
            risk::add_size(&mut reviewed);
            reviewed
        });
        Self {
            symbols: symbols.collect(),
            broken_imports: Vec::new(),
        }
    }
}

/// Definitions that went, and are new nowhere else.
fn removed(changes: &Changes, scope: &Scope) -> Vec<ReviewedSymbol> {
    let files = changes.files.iter();
    let new: HashSet<&str> = files.clone().flat_map(new_names).collect();
    let inside = files.filter(|file| scope.has_file(file));
    let gone = inside.flat_map(|file| file.gone().map(move |(_, symbol)| (file, symbol)));
    let told =
        gone.filter(|(_, symbol)| is_notable(symbol) && !new.contains(symbol.qualified.as_str()));
    let told = told.take(MAX_REMOVED);
    told.map(|(file, symbol)| risk::removed(&file.path, symbol, Vec::new()))
        .collect()
}

/// Names that a file has and had not.
pub(super) fn new_names(file: &ChangedFile) -> impl Iterator<Item = &str> {
    let symbols = (0u32..).zip(file.symbols());
    let new = symbols.filter(|(at, _)| file.was(*at).is_none());
    new.map(|(_, symbol)| symbol.qualified.as_str())
}

fn sort(symbols: &mut [ReviewedSymbol]) {
    let place = |one: &ReviewedSymbol| (one.symbol.path.clone(), one.symbol.name_line);
    symbols.sort_by(|a, b| {
        let by_risk = b.risk.total_cmp(&a.risk);
        by_risk.then_with(|| place(a).cmp(&place(b)))
    });
}

fn respond(
    reviewed: Reviewed,
    changes: &Changes,
    scope: &Scope,
    request: &ReviewRequest,
    without: String,
) -> ReviewResponse {
    let files = files_of(&reviewed.symbols);
    let inside: Vec<&ChangedFile> = changes
        .files
        .iter()
        .filter(|file| scope.has_file(file))
        .collect();
    let is_told = |file: &ChangedFile| {
        let is_only_moved = file.from.is_some() && file.lines.is_empty() && file.unread.is_none();
        is_only_moved || files.iter().any(|one| one.path == file.path)
    };
    let paths = |kept: &dyn Fn(&ChangedFile) -> bool| -> Vec<String> {
        let kept = inside.iter().filter(|file| kept(file));
        kept.map(|file| file.path.clone()).collect()
    };
    let (others, removed_files) = (
        paths(&|file| file.is_there && !is_told(file)),
        paths(&|file| !file.is_there),
    );
    let most = match request.max_files {
        0 => files.len(),
        most => files.len().min(most as usize),
    };
    let (files, left_out) = files.split_at(most);
    let is_kept = |one: &ReviewedSymbol| files.iter().any(|file| file.path == one.symbol.path);
    let mut symbols = reviewed.symbols;
    symbols.retain(is_kept);
    ReviewResponse {
        base: changes.base.clone(),
        notes: changes.notes.clone(),
        without,
        symbols,
        others,
        broken_imports: reviewed.broken_imports,
        moved_files: inside.iter().filter_map(|file| moved(file)).collect(),
        removed_files,
        unread: inside.iter().filter_map(|file| unread(file)).collect(),
        n_left_out: left_out.len() as u32,
        files: files.to_vec(),
    }
}

/// The files of definitions that come by risk.
fn files_of(symbols: &[ReviewedSymbol]) -> Vec<ReviewedFile> {
    let mut files: Vec<ReviewedFile> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for one in symbols {
        let path = one.symbol.path.as_str();
        match places.get(path) {
            Some(at) => {
                files[*at].n_symbols += 1;
                files[*at].n_lines += one.n_lines;
            }
            // Symbols come by risk, so the first of a file has its highest.
            None => {
                places.insert(path, files.len());
                files.push(ReviewedFile {
                    path: path.to_owned(),
                    risk: one.risk,
                    n_lines: one.n_lines,
                    n_symbols: 1,
                });
            }
        }
    }
    files
}

fn moved(file: &ChangedFile) -> Option<MovedFile> {
    let lines = file.lines.iter();
    Some(MovedFile {
        from: file.from.clone()?,
        path: file.path.clone(),
        n_lines: lines.map(|one| one.n_lines.max(one.n_removed)).sum(),
    })
}

pub(super) fn unread(file: &ChangedFile) -> Option<UnreadChange> {
    Some(UnreadChange {
        path: file.path.clone(),
        reason: file.unread.clone()?,
    })
}

/// Lines of a definition that a change touches.
fn n_lines(symbol: &Symbol, changes: &[LineChange]) -> u32 {
    let (first, last) = (symbol.span.start_line, symbol.span.end_line);
    let touched = changes.iter().map(|change| {
        let end = change.start + change.n_lines.max(1) - 1;
        let from = change.start.max(first);
        let to = end.min(last);
        let n_new = if change.n_lines > 0 && to >= from {
            to + 1 - from
        } else {
            0
        };
        let n_gone = if change.n_lines == 0 && (first..=last).contains(&change.start) {
            change.n_removed
        } else {
            0
        };
        n_new + n_gone
    });
    touched.sum()
}
