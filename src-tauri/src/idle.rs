//! What the window hands back to the system once nobody asks anything.

use parking_lot::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use whyrank_system::heap;

/// So long after the last answer the person reads it.
const QUIET: Duration = Duration::from_secs(3);

static PAUSE: Pause = Pause::new();

/// After an answer. What it took in small pieces on many threads stays with the process otherwise: 29
/// of 136 MB after six searches in 6,300 files and a look into forty of them.
pub(crate) fn after_answer() {
    if !PAUSE.begins(Instant::now()) {
        return;
    }
    thread::spawn(|| {
        while let Some(left) = PAUSE.left(Instant::now()) {
            thread::sleep(left);
        }
        heap::give_back();
    });
}

/// The time since the last answer; one thread at a time waits for its end.
struct Pause(Mutex<Option<Instant>>);

impl Pause {
    const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Whether nobody waits yet for the end of the pause that begins `now`.
    fn begins(&self, now: Instant) -> bool {
        let mut since = self.0.lock();
        since.replace(now).is_none()
    }

    /// How long the pause still lasts; none once it is over, and the next answer begins another.
    fn left(&self, now: Instant) -> Option<Duration> {
        let mut since = self.0.lock();
        let left = (*since)?.checked_add(QUIET)?.checked_duration_since(now);
        let left = left.filter(|left| !left.is_zero());
        if left.is_none() {
            *since = None;
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_once_nothing_was_answered_for_a_while() {
        let pause = Pause::new();
        let start = Instant::now();
        assert!(pause.begins(start));
        let later = start + Duration::from_secs(2);
        assert!(!pause.begins(later), "one waits for all");
        assert_eq!(pause.left(later), Some(QUIET));
        assert_eq!(
            pause.left(start + QUIET),
            Some(Duration::from_secs(2)),
            "an answer in between makes it longer"
        );
        assert_eq!(pause.left(later + QUIET), None);
        assert!(pause.begins(later + QUIET), "the next one waits anew");
    }
}
