//! Export and import: one fact a line, in order of recording. A merge is the union of two exports,
//! since facts never change and the same fact has the same id everywhere.

use crate::fact::Fact;
use crate::ledger::Ledger;
use crate::store::Memory;
use crate::{MemoryError, Result};
use std::collections::HashSet;

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Facts that were new.
    pub n_added: usize,
    /// Facts that were there already.
    pub n_known: usize,
    /// Facts of memos that were purged here: they stay out.
    pub n_purged: usize,
    /// Deletions of memos that are here: they are not carried over, a merge loses nothing.
    pub n_kept: usize,
}

impl Ledger {
    /// Returns all facts, by time of recording, then by id.
    pub fn facts(&self) -> Vec<Fact> {
        let versions = self.versions.iter().flatten().cloned().map(Fact::Version);
        let is_kept = |memo: &str| self.memos.contains_key(memo);
        let closings = self
            .closings
            .iter()
            .filter(|closing| is_kept(&closing.memo));
        let closings = closings.cloned().map(Fact::Closing);
        let marks = self
            .memos
            .values()
            .flat_map(|memo| memo.marks.iter().cloned().map(Fact::Mark));
        let commits = self.commits.values().cloned().map(Fact::Commit);
        let purges = self.purges.iter().cloned().map(Fact::Purge);
        let mut facts: Vec<Fact> = versions
            .chain(closings)
            .chain(marks)
            .chain(commits)
            .chain(purges)
            .collect();
        facts.sort_by_cached_key(|fact| (fact.recorded_at(), fact.id()));
        facts
    }

    /// Returns the export: a line of JSON for each fact. The same facts give the same bytes.
    pub fn export(&self) -> String {
        let mut text = String::new();
        for fact in self.facts() {
            text.push_str(&fact.json());
            text.push('\n');
        }
        text
    }
}

impl Memory {
    /// Takes in an export, all of it or nothing. Facts that are known already are passed over.
    /// `latest_ms` is the last moment at which one can have been recorded.
    ///
    /// # Errors
    ///
    /// `BadLine` for a line that is no fact, was changed, or names what cannot be; those of [`Memory::write`].
    pub fn import(&mut self, text: &str, latest_ms: i64) -> Result<Imported> {
        let facts = parse(text, latest_ms)?;
        let mut imported = Imported::default();
        self.write(0, |ledger, _| {
            let mut fresh = Vec::new();
            let mut seen = HashSet::new();
            let brought: HashSet<String> = facts
                .iter()
                .filter(|fact| !matches!(fact, Fact::Purge(_)))
                .filter_map(|fact| fact.memo().map(str::to_owned))
                .collect();
            for fact in facts {
                let id = fact.id();
                if ledger.knows(&id) || !seen.insert(id) {
                    imported.n_known += 1;
                } else if fact.memo().is_some_and(|memo| ledger.is_purged(memo)) {
                    imported.n_purged += 1;
                } else if let Fact::Purge(purge) = &fact
                    && (ledger.memo(&purge.memo).is_some() || brought.contains(&purge.memo))
                {
                    imported.n_kept += 1;
                } else {
                    fresh.push(fact);
                }
            }
            imported.n_added = fresh.len();
            Ok(fresh)
        })?;
        Ok(imported)
    }
}

fn parse(text: &str, latest_ms: i64) -> Result<Vec<Fact>> {
    let lines = text.lines().enumerate();
    let written = lines.filter(|(_, line)| !line.trim().is_empty());
    written
        .map(|(at, line)| {
            let bad = |detail: String| MemoryError::BadLine {
                line: at + 1,
                detail,
            };
            let fact: Fact = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
            if !fact.is_sound() {
                let id = fact.id();
                return Err(bad(format!("what it says does not fit its id {id}")));
            }
            match fact.out_of_range(latest_ms) {
                Some(problem) => Err(bad(problem)),
                None => Ok(fact),
            }
        })
        .collect()
}
