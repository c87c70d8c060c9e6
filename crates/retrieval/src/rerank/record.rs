//! How a reranking came about: window by window, with the answers as given.

use super::NoAnswer;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The reranker's part of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RerankRecord {
    /// Who ranked: `qwen2.5-coder:7b at http://localhost:11434`.
    pub backend: String,
    /// Hits that were given.
    pub n_asked: u32,
    /// Hits that stand in another place than before.
    pub n_moved: u32,
    /// Windows that the list has.
    pub n_windows: u32,
    /// Those that were finished, in the order in which they were asked: the tail first.
    pub windows: Vec<RerankWindow>,
    /// Wall time in milliseconds.
    pub elapsed_ms: f64,
    /// Why it ended before the last window; `None` when it did not.
    pub cut: Option<String>,
    /// Whether it was time that ended it.
    pub timed_out: bool,
    /// Whether the caller ended it.
    pub cancelled: bool,
}

/// One question to the model. Hits are named by the ranks that they came with, from 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RerankWindow {
    /// Rank of the window's first place.
    pub first: u32,
    /// The hits in their order before.
    pub before: Vec<u32>,
    /// The hits in their order after.
    pub after: Vec<u32>,
    /// The answer as given, cut.
    pub answer: String,
    /// What was odd about prompt or answer, in words.
    pub remarks: Vec<String>,
    /// Tokens of each hit that the model saw at most.
    pub snippet_tokens: u32,
    /// Tokens of the prompt, or an upper estimate.
    pub prompt_tokens: u32,
    /// Wall time in milliseconds.
    pub elapsed_ms: f64,
}

impl RerankRecord {
    pub(super) fn new(backend: String, n_asked: usize, n_windows: usize) -> Self {
        Self {
            backend,
            n_asked: n_asked as u32,
            n_moved: 0,
            n_windows: n_windows as u32,
            windows: Vec::new(),
            elapsed_ms: 0.0,
            cut: None,
            timed_out: false,
            cancelled: false,
        }
    }

    /// Returns the record of a reranker that could not even be asked.
    pub fn unavailable(n_asked: usize, reason: String) -> Self {
        Self {
            cut: Some(reason),
            ..Self::new("no reranker".to_owned(), n_asked, 0)
        }
    }

    pub(super) fn stopped(&mut self, reason: &NoAnswer) {
        self.timed_out = *reason == NoAnswer::TimedOut;
        self.cancelled = *reason == NoAnswer::Cancelled;
        let done = format!("{} of {} windows done", self.windows.len(), self.n_windows);
        self.cut = Some(match reason {
            NoAnswer::Cancelled => format!("stopped with {done}"),
            NoAnswer::TimedOut => format!("time was over with {done}"),
            NoAnswer::Failed(message) if self.windows.is_empty() => message.clone(),
            NoAnswer::Failed(message) => format!("{message} ({done})"),
        });
    }

    /// Returns what came of it in a sentence: `3 of 30 hits moved, 5 windows in 21 s`.
    pub fn sentence(&self) -> String {
        let n_usable = self.windows.iter().filter(|window| window.is_usable());
        let took = format!("{:.1} s", self.elapsed_ms / 1e3);
        match &self.cut {
            Some(cut) if self.n_moved == 0 => format!("order kept: {cut}"),
            Some(cut) => format!("{} of {} hits moved; {cut}", self.n_moved, self.n_asked),
            None if n_usable.count() == 0 => {
                format!("order kept: no answer held a ranking, {took}")
            }
            None => format!("{} of {} hits moved in {took}", self.n_moved, self.n_asked),
        }
    }
}

impl RerankWindow {
    /// Whether the answer named a hit.
    fn is_usable(&self) -> bool {
        !self
            .remarks
            .iter()
            .any(|remark| remark == super::answer::NO_RANKING)
    }
}
