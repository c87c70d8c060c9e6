//! Tells what is other in a view than in uses that lie in a file ([`UsesOverlay`]).

use std::{borrow::Cow, ops::ControlFlow};

use crate::{
    languages::LanguageRules,
    references::{
        file_resolution::Update,
        new_names::NewNames,
        overlay::UsesOverlay,
        previous_graph::PreviousGraph,
        reference_index::ReferenceIndex,
        update::Updated,
        uses::{Basis, FileUses},
        view_parts::ViewParts,
    },
    resolution::export_fingerprint::FileFingerprint,
};

/// Files that are resolved again at most: with more, each edit would cost as much as writing all anew.
const MOST_FILES: usize = 1_000;

impl ReferenceIndex {
    /// Returns what is other in a view than in these uses, which lie in a file; `None` where that is much,
    /// or what follows from it is not told file by file, or `watch` ends it.
    ///
    /// Costs what changed and what looks at it, and a look at each file's look-ups.
    pub fn overlay(
        &self,
        parts: &ViewParts<'_>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
    ) -> Option<UsesOverlay> {
        if !self.is_stored() {
            return None;
        }
        let mut update = Update::new(parts);
        let mut known = PreviousGraph::new(self.clone(), &update);
        let other = known.other();
        if known.is_none() || other.len() > MOST_FILES {
            return None;
        }
        known.note_changes(&update);
        update.aliases = known.aliases_now(&update)?;
        known.note_aliases(&update.aliases);
        let stale = stale(&known, update.marks.len() as u32)?;
        let files = resolved(&update, &mut known, &stale, watch)?;
        let is_told_apart = keeps_method_sets(&update, &known, &files);
        (is_told_apart && !known.old.met_damage()).then_some(UsesOverlay {
            renumbering: known.renumbering,
            files,
            aliases: update.aliases,
        })
    }
}

/// The files to resolve again; `None` where they are too many.
fn stale(known: &PreviousGraph, n_files: u32) -> Option<Vec<u32>> {
    let users_of_gone = known.users_of_gone();
    let stale = (0..n_files).filter(|file| known.is_touched(*file, &users_of_gone));
    let stale: Vec<u32> = stale.take(MOST_FILES + 1).collect();
    (stale.len() <= MOST_FILES).then_some(stale)
}

fn resolved(
    update: &Update<'_>,
    known: &mut PreviousGraph,
    stale: &[u32],
    watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
) -> Option<Vec<(u32, FileUses)>> {
    let new_names = NewNames::of_pairs(&update.aliases);
    let mut files = Vec::with_capacity(stale.len());
    let outcome = update.each(stale, &mut |resolver, file| {
        let fingerprint = known.fingerprint[file as usize].take();
        let fingerprint =
            fingerprint.unwrap_or_else(|| FileFingerprint::new(resolver, &update.marks, file));
        let uses = update.resolve(resolver, &new_names, file, fingerprint);
        files.push((file, uses));
        watch(Updated {
            n_done: files.len(),
            n_files: stale.len(),
        })
    });
    outcome.is_continue().then_some(files)
}

/// Says whether all types have the methods they had: which interfaces they implement is told of all together.
fn keeps_method_sets(
    update: &Update<'_>,
    known: &PreviousGraph,
    files: &[(u32, FileUses)],
) -> bool {
    let mut keeps = true;
    update.parts.files.open(&mut |open| {
        let counts = |file: u32| {
            let language = open.files[file as usize].language;
            LanguageRules::of(language).has_method_sets
        };
        let is_any = (0..open.files.len() as u32).any(counts);
        let is_as_it_was = |(file, uses): &(u32, FileUses)| {
            let before = known.basis_before(*file);
            before.is_some_and(|before| before.fingerprint == uses.basis.fingerprint)
        };
        let mut counted = files.iter().filter(|(file, _)| counts(*file));
        keeps = !is_any || (known.renumbering.gone().next().is_none() && counted.all(is_as_it_was));
    });
    keeps
}

impl PreviousGraph {
    /// The aliases of the new view; `None` where one may be gone: whether another file gives it is not
    /// known.
    fn aliases_now(&self, update: &Update<'_>) -> Option<Vec<(String, String)>> {
        let other = self.other();
        let mut new: Vec<(String, String)> = Vec::new();
        update.parts.files.open(&mut |open| {
            let files = other.iter().map(|file| open.files[*file as usize]);
            new = NewNames::pairs_of(&files.collect::<Vec<_>>());
        });
        let gone = self.renumbering.gone().map(|at| self.old.basis(at));
        let before = other.iter().map(|file| self.basis_before(*file));
        let keeps_all = |basis: Cow<'_, Basis>| {
            let mut aliases = basis.aliases.iter();
            aliases.all(|pair| new.binary_search(pair).is_ok())
        };
        if !gone.chain(before).flatten().all(keeps_all) {
            return None;
        }
        let mut aliases = self.old.aliases().to_vec();
        aliases.extend(new);
        aliases.sort_unstable();
        aliases.dedup();
        Some(aliases)
    }
}
