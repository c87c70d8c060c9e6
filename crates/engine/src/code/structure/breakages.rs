//! What a change to one file breaks for certain: told to an agent right after its edit.
//!
//! Less than a review, and sooner: no tests, no likenesses, nothing by name alone. A use counts where it
//! meant the definition before, is there still, and nobody touched it since; its line is read again.

use super::at_risk::{Review, Reviewed};
use super::changes::{ChangedFile, Changes};
use super::numbering::Numbering;
use super::old_state::StandingUse;
use super::review::{Changed, targets};
use super::scope::Scope;
use crate::Engine;
use crate::api::{
    BreakageRequest, Breakages, ReviewedSymbol, RiskKind, SymbolChange, UnchangedCaller,
};
use crate::error::Result;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use whyrank_graph::SymbolId;
use whyrank_system::regular;

/// Larger files are not read again; their uses are not told.
const MAX_READ_AGAIN: u64 = 4 << 20;

impl Engine {
    /// Lists what the change of a file since the last commit breaks for certain; nothing without a symbol
    /// graph.
    ///
    /// # Errors
    /// `unknown-repository`; `source` where git's trees cannot be read.
    pub fn breakages(&self, request: &BreakageRequest) -> Result<Breakages> {
        let repo = self.state.registry.get(&request.repo)?;
        let changes = Changes::of(&repo, "")?;
        let scope = Scope::Below(request.path.clone());
        let is_meant = |file: &&ChangedFile| scope.has_file(file);
        if !changes.files.iter().any(|file| is_meant(&file)) {
            return Ok(Breakages::default());
        }
        let (session, _) = self.graph_beside(&request.repo, None)?;
        let Some(session) = session else {
            return Ok(Breakages::default());
        };
        let known = session.facts.inputs(&session.view);
        let numbers = Numbering::new(&session.view, &changes, known);
        let targets = targets(&changes, &scope, Some(&session.view));
        session.with_structure(|structure| {
            let review = Review::new(structure, &changes, &scope, &numbers);
            let mut found = review.breakages(&targets);
            let mut lines = KnownLines::of(&repo.root);
            for one in &mut found.symbols {
                lines.keep_those_that_hold(one);
            }
            found.symbols.retain(is_broken);
            found
                .broken_imports
                .retain(|one| one.path == request.path && one.now.is_none());
            Ok(found)
        })
    }
}

impl Review<'_, '_, '_> {
    fn breakages(&self, targets: &[Changed]) -> Breakages {
        let mut symbols = Reviewed::of(self.changes, targets).symbols;
        self.add_old_users(targets, &self.touched(), &mut symbols);
        let is_untouched = |one: &StandingUse| self.is_untouched(one);
        symbols.extend(self.removed_for_certain(&is_untouched));
        for one in &mut symbols {
            keep_users(one, |caller| self.has_its_imports(&caller.path));
            // Which type implements what is told by the index, which has to know the change for that.
            if !self.numbers.behind().is_empty() {
                one.reasons
                    .retain(|reason| reason.kind != RiskKind::Heritage);
            }
        }
        Breakages {
            symbols,
            broken_imports: self.broken_imports(),
        }
    }

    /// All definitions that changed, tests included: whoever was edited has followed, or was seen to.
    fn touched(&self) -> HashSet<SymbolId> {
        let files = self.changes.files.iter().enumerate();
        let touched = files.flat_map(|(place, file)| {
            let touched =
                (0..file.symbols().len() as u32).filter(|symbol| file.is_touched(*symbol));
            touched.filter_map(move |symbol| self.numbers.id(place, symbol))
        });
        touched.collect()
    }

    fn is_untouched(&self, one: &StandingUse) -> bool {
        let Some(file) = self.numbers.changed(one.file) else {
            return true;
        };
        let is_on_line = |change: &whyrank_source::LineChange| {
            change.start <= one.line && one.line < change.start + change.n_lines
        };
        match one.from {
            Some(from) => !file.is_touched(from.symbol),
            None => !file.lines.iter().any(is_on_line),
        }
    }

    /// Says whether a file imports what it imported: a name may mean something else where it does not.
    fn has_its_imports(&self, path: &str) -> bool {
        let mut files = self.changes.files.iter();
        let Some(file) = files.find(|file| file.path == path) else {
            return true;
        };
        let (Some(old), Some(new)) = (&file.old, &file.new) else {
            return false;
        };
        let (old, new) = (&old.facts.imports, &new.facts.imports);
        let is_same = old.iter().zip(new).all(|(old, new)| {
            (&old.module, &old.names, old.kind) == (&new.module, &new.names, new.kind)
        });
        is_same && old.len() == new.len()
    }
}

/// The lines of files as they are now, each file read once.
struct KnownLines<'r> {
    root: &'r Path,
    files: HashMap<String, Vec<String>>,
}

impl<'r> KnownLines<'r> {
    fn of(root: &'r Path) -> Self {
        Self {
            root,
            files: HashMap::new(),
        }
    }

    /// Drops users whose line does not hold the name: an index may be of another state than the files.
    fn keep_those_that_hold(&mut self, one: &mut ReviewedSymbol) {
        // Who uses what a type no longer implements need not name the type.
        if !is_lost(one) {
            let qualified = one.symbol.qualified.clone();
            keep_users(one, |caller| self.holds(caller, &qualified));
        }
    }

    /// Says whether a line holds the name of a definition, or that of its type, by which a constructor is called.
    fn holds(&mut self, caller: &UnchangedCaller, qualified: &str) -> bool {
        let root = self.root;
        let lines = self.files.entry(caller.path.clone()).or_insert_with(|| {
            let text = regular::read_text(&root.join(&caller.path), MAX_READ_AGAIN);
            let text = text.unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        });
        let at = caller.line.saturating_sub(1) as usize;
        let names = qualified
            .rsplit(['.', ':', '#'])
            .filter(|name| !name.is_empty());
        lines
            .get(at)
            .is_some_and(|line| names.take(2).any(|name| line.contains(name)))
    }
}

/// Keeps some of the users, and counts them anew where that are fewer.
fn keep_users(one: &mut ReviewedSymbol, is_kept: impl FnMut(&UnchangedCaller) -> bool) {
    let n_before = one.callers.len();
    one.callers.retain(is_kept);
    if one.callers.len() < n_before {
        let code = one.callers.iter().filter(|caller| !caller.test);
        one.n_callers = code.count() as u32;
    }
}

/// Says whether something is no longer implemented, or was left behind by what it overrides.
fn is_lost(one: &ReviewedSymbol) -> bool {
    let mut reasons = one.reasons.iter();
    reasons.any(|reason| reason.kind == RiskKind::Heritage)
}

fn is_broken(one: &ReviewedSymbol) -> bool {
    let has_another_head = matches!(one.change, SymbolChange::Signature | SymbolChange::Removed);
    is_lost(one) || has_another_head && !one.callers.is_empty()
}
