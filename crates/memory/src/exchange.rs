//! Export and import: one fact a line, in order of recording. A merge is the union of two exports,
//! since facts never change and the same fact has the same id everywhere.

use crate::endings::{Ending, EndingFinder, Endings};
use crate::fact::Fact;
use crate::ledger::Ledger;
use crate::store::Memory;
use crate::{MemoryError, Result};
use std::collections::{HashMap, HashSet};

/// Versions and marks of one memo that an import may bring it to.
const MAX_VERSIONS: usize = 10_000;
const MAX_MARKS: usize = 1000;

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
    /// Memos that were here and have another text now.
    pub n_edited: usize,
    /// The endings of what is here, made or left out: whether it was taken in was the caller's choice.
    pub endings: Vec<Ending>,
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
    /// Takes in an export, all of it or nothing. Facts that are known already are passed over; what would
    /// end something that is here goes by `endings`. `latest_ms` is the last moment at which one can have
    /// been recorded.
    ///
    /// # Errors
    ///
    /// `BadLine` for a line that is no fact, was changed, or names what cannot be; those of [`Memory::write`].
    pub fn import(&mut self, text: &str, latest_ms: i64, endings: Endings) -> Result<Imported> {
        let facts = parse(text, latest_ms)?;
        let mut imported = Imported::default();
        self.write(0, |ledger, _| {
            let fresh = imported.take(ledger, &facts, endings)?;
            imported.n_added = fresh.len();
            Ok(fresh)
        })?;
        Ok(imported)
    }
}

impl Imported {
    /// Returns the facts that are to be recorded.
    fn take(
        &mut self,
        ledger: &Ledger,
        facts: &[(usize, Fact)],
        endings: Endings,
    ) -> Result<Vec<Fact>> {
        let finder = EndingFinder::new(ledger, facts.iter().map(|(_, fact)| fact));
        let mut room = Room::default();
        let mut fresh = Vec::new();
        let mut seen = HashSet::new();
        let mut edited = HashSet::new();
        let brought: HashSet<&str> = facts
            .iter()
            .filter(|(_, fact)| !matches!(fact, Fact::Purge(_)))
            .filter_map(|(_, fact)| fact.memo())
            .collect();
        for (line, fact) in facts {
            let id = fact.id();
            if ledger.knows(&id) || !seen.insert(id) {
                self.n_known += 1;
                continue;
            } else if fact.memo().is_some_and(|memo| ledger.is_purged(memo)) {
                self.n_purged += 1;
                continue;
            } else if let Fact::Purge(purge) = fact
                && (ledger.memo(&purge.memo).is_some() || brought.contains(purge.memo.as_str()))
            {
                self.n_kept += 1;
                continue;
            }
            let problem = of_another_memo(fact, &finder).or_else(|| room.lacks(ledger, fact));
            if let Some(detail) = problem {
                return Err(MemoryError::BadLine {
                    line: *line,
                    detail,
                });
            }
            if let Fact::Version(version) = fact
                && ledger.memo(&version.memo).is_some()
            {
                edited.insert(&version.memo);
            }
            let ending = finder.ending(fact);
            let is_left_out = ending.is_some() && endings == Endings::LeaveOut;
            self.endings.extend(ending);
            if !is_left_out {
                fresh.push(fact.clone());
            }
        }
        self.n_edited = edited.len();
        // Each goes behind those before it: in another order each would move all of its memo.
        fresh.sort_by_cached_key(|fact| (fact.recorded_at(), fact.id()));
        Ok(fresh)
    }
}

/// Says that a closing names a version of another memo than its own: its end would be that one's.
fn of_another_memo(fact: &Fact, finder: &EndingFinder<'_>) -> Option<String> {
    let Fact::Closing(closing) = fact else {
        return None;
    };
    let memo = &finder.version(&closing.version)?.memo;
    (*memo != closing.memo)
        .then(|| format!("{} is no version of {}", closing.version, closing.memo))
}

/// The number of a memo's facts: adding one costs what there is of its memo.
#[derive(Default)]
struct Room {
    taken: HashMap<String, [usize; 2]>,
}

impl Room {
    fn lacks(&mut self, ledger: &Ledger, fact: &Fact) -> Option<String> {
        let (kind, most, what) = match fact {
            Fact::Version(_) => (0, MAX_VERSIONS, "versions"),
            Fact::Mark(_) => (1, MAX_MARKS, "marks"),
            Fact::Closing(_) | Fact::Commit(_) | Fact::Purge(_) => return None,
        };
        let memo = fact.memo()?;
        let here = || {
            let known = ledger.memos.get(memo);
            known.map_or([0, 0], |known| [known.versions.len(), known.marks.len()])
        };
        let taken = self.taken.entry(memo.to_owned()).or_insert_with(here);
        taken[kind] += 1;
        (taken[kind] > most).then(|| format!("{memo} has more than {most} {what}"))
    }
}

fn parse(text: &str, latest_ms: i64) -> Result<Vec<(usize, Fact)>> {
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
                None => Ok((at + 1, fact)),
            }
        })
        .collect()
}
