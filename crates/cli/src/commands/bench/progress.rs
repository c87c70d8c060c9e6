//! The progress of a run, shown while it works.

use crate::interrupt::Interrupt;
use crate::out;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;
use std::time::Duration;
use whyrank_benchmark::api::RunProgress;
use whyrank_benchmark::{BenchError, Watch};
use whyrank_mcp::ToolError;

pub(crate) const POLL: Duration = Duration::from_millis(100);

/// Between two plain lines of progress.
pub(crate) const LINES_EVERY: u32 = 50;

/// An error with the code that its kind ends with.
pub(crate) fn failure(error: BenchError) -> anyhow::Error {
    match error {
        BenchError::Engine(error) => error.into(),
        BenchError::Cancelled => ToolError::new("cancelled", "cancelled", error.hint()).into(),
        BenchError::Eval(_) | BenchError::Request { .. } => {
            ToolError::new("bad-argument", error.to_string(), error.hint()).into()
        }
        BenchError::Io { .. } => ToolError::new("io", error.to_string(), error.hint()).into(),
    }
}

/// Runs something long, with progress on standard error; Ctrl-C ends it.
pub(crate) fn show<T: Send>(
    work: impl FnOnce(Box<dyn FnOnce(&Watch) + '_>) -> Result<T, BenchError> + Send,
) -> anyhow::Result<T> {
    let interrupt = Interrupt::listen();
    let slot: std::sync::Mutex<Option<Watch>> = std::sync::Mutex::default();
    let outcome = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            work(Box::new(|watch: &Watch| {
                if let Ok(mut slot) = slot.lock() {
                    *slot = Some(watch.clone());
                }
            }))
        });
        let mut progress = BenchProgress::new();
        while !worker.is_finished() {
            let watch = slot.lock().ok().and_then(|slot| slot.clone());
            if let Some(watch) = watch {
                if interrupt.is_heard() {
                    watch.cancel();
                }
                progress.show(&watch);
            }
            std::thread::sleep(POLL);
        }
        // What a quick run noted between two looks.
        if let Some(watch) = slot.lock().ok().and_then(|slot| slot.clone()) {
            progress.show(&watch);
        }
        progress.finish();
        worker.join()
    });
    match outcome {
        Ok(outcome) => outcome.map_err(failure),
        Err(_) => Err(anyhow::anyhow!(
            "the run ended unexpectedly; answers so far are kept"
        )),
    }
}

/// A bar in a terminal, lines elsewhere.
pub(crate) struct BenchProgress {
    pub(super) bar: Option<ProgressBar>,
    pub(super) shown: u32,
    pub(super) n_notes: usize,
    pub(super) phase: String,
}

impl BenchProgress {
    pub(super) fn new() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Self {
            bar,
            shown: 0,
            n_notes: 0,
            phase: String::new(),
        }
    }

    pub(super) fn show(&mut self, watch: &Watch) {
        let (phase, progress) = (watch.phase_now(), watch.progress());
        let notes = progress
            .as_ref()
            .map(|progress| progress.notes.clone())
            .unwrap_or_default();
        for note in notes.iter().skip(self.n_notes) {
            self.say(note);
        }
        self.n_notes = notes.len();
        match (&self.bar, &progress) {
            (Some(bar), progress) => {
                if let Some(progress) = progress {
                    bar.set_length(progress.wanted.into());
                    bar.set_position(progress.done.into());
                }
                bar.set_message(phase);
            }
            (None, Some(progress)) => self.line(progress),
            (None, None) if phase != self.phase => {
                self.say(&phase);
                self.phase = phase;
            }
            (None, None) => {}
        }
    }

    pub(super) fn line(&mut self, progress: &RunProgress) {
        if progress.done < self.shown + LINES_EVERY {
            return;
        }
        self.shown = progress.done;
        self.say(&format!(
            "{} of {}: {}",
            progress.done, progress.wanted, progress.phase
        ));
    }

    pub(super) fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => out::note(text),
        }
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
