//! Turns of the jobs of this process that write one store.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// Turns of this process's jobs, by the store that they write. Worktrees share one: of all that wait for another process one
/// asks for the lock, and the others for it.
#[derive(Default)]
pub(crate) struct WriterTurns(Mutex<HashMap<String, Arc<Mutex<()>>>>);

impl WriterTurns {
    pub(super) fn of(&self, store_key: &str) -> Arc<Mutex<()>> {
        let mut turns = self.0.lock();
        // Those that nobody waits for.
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(turns.entry(store_key.to_owned()).or_default())
    }
}
