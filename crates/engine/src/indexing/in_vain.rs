//! Files that an update could not bring into the index as they lie there. An answer waits for such a
//! file once; the index lists it with the reason why it is left out, and it is no news until it changes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use whyrank_index::WorktreeDifference;
use whyrank_source::KnownFile;

/// The updates of a view that this process began and ended, counted.
#[derive(Default)]
pub(crate) struct UpdateCount {
    begun: AtomicU64,
    ended: AtomicU64,
}

impl UpdateCount {
    /// Counts an update that has yet to list its files; returns its number.
    pub(crate) fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Notes that the update of this number was published.
    pub(crate) fn end(&self, number: u64) {
        self.ended.fetch_max(number, Ordering::SeqCst);
    }

    /// The newest update that was published.
    pub(super) fn last_ended(&self) -> u64 {
        self.ended.load(Ordering::SeqCst)
    }

    fn last_begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }
}

/// Files that were behind at the last look.
#[derive(Default)]
pub(super) struct FilesBehind {
    files: HashMap<String, SeenBehind>,
}

struct SeenBehind {
    /// What lay there; `None` where nothing did.
    state: Option<KnownFile>,
    /// The newest update that had begun when it was first seen so: later ones have listed it.
    after_update: u64,
}

impl FilesBehind {
    /// Takes the files out of a difference, just found, that an update has listed as they are now and
    /// did not bring. `last_ended` was asked before the view was opened that they were compared with.
    pub(super) fn leave_out(
        &mut self,
        found: &mut WorktreeDifference,
        state_of: impl Fn(&str) -> Option<KnownFile>,
        updates: &UpdateCount,
        last_ended: u64,
    ) {
        let mut before = std::mem::take(&mut self.files);
        let after_update = updates.last_begun();
        found.files.retain(|path| {
            let state = state_of(path);
            let seen = before.remove(path).filter(|seen| seen.state == state);
            let seen = seen.unwrap_or(SeenBehind {
                state,
                after_update,
            });
            let is_in_vain = seen.after_update < last_ended;
            self.files.insert(path.clone(), seen);
            !is_in_vain
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_source::{BlobId, SkipReason};

    #[test]
    fn a_file_is_waited_for_once_as_long_as_it_stays_the_same() {
        let (updates, mut behind) = (UpdateCount::default(), FilesBehind::default());
        let mut left = |state: Option<KnownFile>, last_ended: u64| {
            let mut found = WorktreeDifference {
                files: vec!["a.py".to_owned()],
                head_moved: false,
            };
            behind.leave_out(&mut found, |_| state.clone(), &updates, last_ended);
            found.files.len()
        };
        let one = Some(KnownFile::Indexed(BlobId([1; 20])));
        let two = Some(KnownFile::Indexed(BlobId([2; 20])));
        let early = updates.begin();
        assert_eq!(left(one.clone(), updates.last_ended()), 1);
        updates.end(early);
        assert_eq!(
            left(one.clone(), updates.last_ended()),
            1,
            "an update that may have listed the files before it was written"
        );
        let later = updates.begin();
        let before_the_end = updates.last_ended();
        updates.end(later);
        assert_eq!(
            left(one.clone(), before_the_end),
            1,
            "compared with a view that may be the one before"
        );
        assert_eq!(left(one, updates.last_ended()), 0);
        assert_eq!(left(two, updates.last_ended()), 1, "it was written again");
        let skipped = Some(KnownFile::Skipped(SkipReason::Secret));
        assert_eq!(left(skipped, updates.last_ended()), 1);
        assert_eq!(left(None, updates.last_ended()), 1, "it went");
    }
}
