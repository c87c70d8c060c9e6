//! One job of a process makes vectors at a time: several would share the processors, and none of their
//! repositories would be done soon. Text is never waited for.

use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::BTreeSet;
use std::time::Duration;

/// Whose turn it is, and who waits, by their numbers: who came first goes first.
#[derive(Default)]
pub(crate) struct VectorTurns {
    turns: Mutex<Turns>,
    changed: Condvar,
}

#[derive(Default)]
struct Turns {
    holder: Option<u64>,
    waiting: BTreeSet<u64>,
}

impl VectorTurns {
    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock()
    }

    /// Takes the turn, or a place among those who wait; true where it is this job's turn.
    pub(super) fn take(&self, job: u64) -> bool {
        let mut turns = self.turns();
        turns.waiting.insert(job);
        let is_free = turns.holder.is_none() && turns.waiting.first() == Some(&job);
        if is_free || turns.holder == Some(job) {
            turns.waiting.remove(&job);
            turns.holder = Some(job);
        }
        turns.holder == Some(job)
    }

    /// Waits no more; a turn that it has it keeps.
    pub(super) fn step_back(&self, job: u64) {
        self.turns().waiting.remove(&job);
        self.changed.notify_all();
    }

    /// Gives up the turn, or the place among those who wait.
    pub(super) fn leave(&self, job: u64) {
        let mut turns = self.turns();
        turns.waiting.remove(&job);
        if turns.holder == Some(job) {
            turns.holder = None;
        }
        drop(turns);
        self.changed.notify_all();
    }

    /// Waits until something changed, or the time is up.
    pub(super) fn wait(&self, job: u64, at_most: Duration) {
        let is_held = |turns: &mut Turns| turns.holder.is_some_and(|holder| holder != job);
        self.changed
            .wait_while_for(&mut self.turns(), is_held, at_most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_goes_to_who_came_first_and_stays_until_it_is_given_up() {
        let turns = VectorTurns::default();
        assert!(turns.take(2));
        assert!(!turns.take(3) && !turns.take(1));
        assert!(turns.take(2), "it keeps its turn");
        turns.leave(2);
        assert!(!turns.take(3), "an earlier one waits");
        assert!(turns.take(1));
        turns.leave(1);
        assert!(turns.take(3));
    }

    #[test]
    fn who_waits_no_more_is_in_nobodys_way() {
        let turns = VectorTurns::default();
        assert!(turns.take(1));
        assert!(!turns.take(2) && !turns.take(3));
        turns.leave(2);
        turns.leave(1);
        turns.leave(1);
        assert!(turns.take(3));
    }
}
