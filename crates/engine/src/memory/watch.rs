//! Notices what is recorded, also by other processes, and tells anyone who listens.

use super::open::{OpenMemories, OpenMemory, all};
use crate::Engine;
use crate::api::EngineEvent;
use crate::error::{EngineError, Result};
use crate::events::Events;
use notify::{RecursiveMode, Watcher};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// One write is several events of the system.
const QUIET: Duration = Duration::from_millis(150);
const MAX_DELAY: Duration = Duration::from_secs(1);

impl OpenMemory {
    /// Whether something was recorded since this was asked last.
    pub(super) fn has_news(&mut self) -> bool {
        let ledger = self.memory.ledger();
        let now = (ledger.n_facts(), ledger.last_recorded_at());
        std::mem::replace(&mut self.told, now) != now
    }
}

impl Engine {
    /// Follows what other processes record in memories that are open here, for the life of this
    /// engine. Listeners hear `MemoryChanged`; what this process records they hear of in any case.
    ///
    /// # Errors
    /// `io` where the folder cannot be made or the system refuses to watch it.
    pub fn follow_memory(&self) -> Result<()> {
        let folder = self.state.paths.data_dir.join("memory");
        std::fs::create_dir_all(&folder).map_err(|error| EngineError::io(&folder, &error))?;
        let (sender, receiver) = channel();
        let refused = |error: notify::Error| {
            EngineError::new(
                "io",
                format!("{} cannot be watched: {error}", folder.display()),
                "what other programs remember shows when you ask again",
            )
        };
        let mut watcher = notify::recommended_watcher(move |event| {
            if is_write(&event) {
                // Without a listener the engine is going away.
                let _ = sender.send(());
            }
        })
        .map_err(refused)?;
        watcher
            .watch(&folder, RecursiveMode::NonRecursive)
            .map_err(refused)?;
        let (memories, events) = (self.state.memories.shared(), Arc::clone(&self.state.events));
        let memories = Arc::downgrade(&memories);
        std::thread::Builder::new()
            .name("whyrank-memory".to_owned())
            .spawn(move || listen(&receiver, &memories, &events))
            .map_err(|error| EngineError::io(&folder, &error))?;
        self.state.memories.keep_watching(watcher);
        Ok(())
    }
}

/// Ends when the watcher goes, which goes with the engine.
fn listen(writes: &Receiver<()>, memories: &Weak<OpenMemories>, events: &Events) {
    while writes.recv().is_ok() {
        let first = Instant::now();
        while first.elapsed() < MAX_DELAY && writes.recv_timeout(QUIET).is_ok() {}
        let Some(memories) = memories.upgrade() else {
            return;
        };
        if have_news(&memories) {
            events.send(&EngineEvent::MemoryChanged);
        }
    }
}

fn have_news(memories: &OpenMemories) -> bool {
    let mut has_news = false;
    for open in all(memories) {
        let mut open = open.lock();
        // What cannot be read says so where it is asked for.
        has_news |= open.memory.refresh().is_ok() && open.has_news();
    }
    has_news
}

/// Whether facts may have been written: vectors beside memory, and looks at it, say nothing.
fn is_write(event: &notify::Result<notify::Event>) -> bool {
    let Ok(event) = event else {
        return true;
    };
    let is_memory = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (name.ends_with(".db") || name.ends_with(".db-wal")) && !name.contains(".vectors.")
    };
    !event.kind.is_access() && event.paths.iter().any(|path| is_memory(path))
}
