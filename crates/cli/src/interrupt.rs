//! Ctrl-C: the first asks the command to end, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Becomes true at the first Ctrl-C.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. A command that cannot listen is ended by the signal as usual.
    pub(crate) fn listen() -> Self {
        let interrupt = Self::default();
        let heard = interrupt.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build();
        if let Ok(runtime) = runtime {
            std::thread::spawn(move || {
                while runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
                    if heard.0.swap(true, Ordering::Relaxed) {
                        std::process::exit(130);
                    }
                }
            });
        }
        interrupt
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_heard(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
