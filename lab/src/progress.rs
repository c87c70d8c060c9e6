//! Progress on standard error, and Ctrl-C: the first cancels what runs, the second ends the program.

use std::pin::pin;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use whyrank_benchmark::Watch;

use crate::out;

const POLL: Duration = Duration::from_millis(100);
/// Answers between two lines of progress.
const LINES_EVERY: u32 = 50;

/// Tells what a watch is at, on a thread that ends with this value.
#[derive(Default)]
pub(crate) struct Follower {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Follower {
    /// Starts one over a new watch.
    pub(crate) fn of_new_watch() -> (Self, Watch) {
        let (mut follower, watch) = (Self::default(), Watch::default());
        follower.start(&watch);
        (follower, watch)
    }

    /// Follows this watch from now on.
    pub(crate) fn start(&mut self, watch: &Watch) {
        let (watch, is_over) = (watch.clone(), self.is_over.clone());
        self.thread = Some(std::thread::spawn(move || follow(&watch, &is_over)));
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // Progress that broke off is no reason to fail.
            let _ = thread.join();
        }
    }
}

fn follow(watch: &Watch, is_over: &AtomicBool) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let Ok(runtime) = runtime else { return };
    runtime.block_on(async {
        let mut told = Told::default();
        let mut interrupt = pin!(tokio::signal::ctrl_c());
        while !is_over.load(Ordering::Relaxed) {
            if let Ok(heard) = tokio::time::timeout(POLL, &mut interrupt).await {
                if heard.is_ok() && watch.is_cancelled() {
                    process::exit(out::INTERRUPTED.into());
                }
                watch.cancel();
                interrupt.set(tokio::signal::ctrl_c());
            }
            told.tell(watch);
        }
        told.tell(watch);
    });
}

/// What has been told.
#[derive(Default)]
struct Told {
    n_done: u32,
    n_notes: usize,
    phase: String,
}

impl Told {
    fn tell(&mut self, watch: &Watch) {
        let phase = watch.phase_now();
        let Some(progress) = watch.progress() else {
            if phase != self.phase {
                out::note(&phase);
                self.phase = phase;
            }
            return;
        };
        for note in progress.notes.iter().skip(self.n_notes) {
            out::note(note);
        }
        self.n_notes = progress.notes.len();
        if progress.done >= self.n_done + LINES_EVERY {
            self.n_done = progress.done;
            out::note(&format!(
                "{} of {}: {phase}",
                progress.done, progress.wanted
            ));
        }
    }
}
