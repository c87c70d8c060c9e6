//! Rerank: a language model reads the best hits and puts them in order, a window at a time.
//!
//! Listwise, as RankGPT (arXiv 2304.09542) and CoRNStack's reranker (arXiv 2412.01007) do it: windows
//! of ten slide from the tail of the list to its head by five, so that what is best of the tail is
//! carried up. Nothing is ever dropped: what an answer does not name keeps its order behind what it
//! names, and a window without a usable answer stays as it was. Nothing here knows a model or a
//! network: a [`Ranker`] answers a [`Prompt`].

pub use prompt::{NoAnswer, Ranker, RerankLimits};

mod answer;
mod apply;
mod prompt;
mod record;

pub use answer::{ParsedAnswer, parse_answer};
pub use apply::apply_order;
pub use prompt::{Candidate, Prompt};
pub use record::{RerankRecord, RerankWindow};

use prompt::{PromptBudget, Unfit};
use std::ops::Range;
use std::time::{Duration, Instant};

/// Candidates that are read together.
const WINDOW: usize = 10;
/// How far the window moves.
const STEP: usize = 5;
/// An answer is kept to this many characters in the record.
const MAX_ANSWER_CHARS: usize = 400;

/// What is put in order.
pub struct RerankRequest<'a> {
    /// The query as given.
    pub query: &'a str,
    /// The best hits, best first.
    pub candidates: &'a [Candidate],
    /// Tokens of a candidate's text at most; fewer where the context is short.
    pub snippet_tokens: usize,
}

/// The new order and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Reranked {
    /// Indices of the candidates, best first: a permutation.
    pub order: Vec<usize>,
    /// How it came about.
    pub record: RerankRecord,
}

/// Puts candidates in the order in which a model ranks them.
///
/// When time is over, the caller has had enough or the backend fails, the windows that are finished
/// count, and the record says why there are no more. `progress` hears of finished windows and of how
/// many there are.
pub fn rerank(
    request: &RerankRequest<'_>,
    ranker: &dyn Ranker,
    limits: &RerankLimits<'_>,
    progress: &mut dyn FnMut(usize, usize),
) -> Reranked {
    let started = Instant::now();
    let n = request.candidates.len();
    let mut order: Vec<usize> = (0..n).collect();
    let windows = windows(n);
    let mut record = RerankRecord::new(ranker.name(), n, windows.len());
    if windows.is_empty() {
        record.cut = Some("fewer than two hits".to_owned());
    }
    for (at, places) in windows.iter().enumerate() {
        progress(at, windows.len());
        let asked = WindowOf {
            request,
            ranker,
            limits,
        };
        match asked.rank(&mut order[places.clone()], places.start) {
            Ok(done) => record.windows.push(done),
            Err(reason) => {
                record.stopped(&reason);
                break;
            }
        }
    }
    progress(record.windows.len(), windows.len());
    let moved = order.iter().enumerate().filter(|(at, was)| at != *was);
    record.n_moved = moved.count() as u32;
    record.elapsed_ms = millis(started.elapsed());
    Reranked { order, record }
}

/// Places of the windows in the order in which they are asked: the tail first, the head last, each
/// full where the list is long enough.
fn windows(n: usize) -> Vec<Range<usize>> {
    if n < 2 {
        return Vec::new();
    }
    let mut windows = Vec::new();
    let mut start = n.saturating_sub(WINDOW);
    loop {
        windows.push(start..(start + WINDOW).min(n));
        if start == 0 {
            return windows;
        }
        start = start.saturating_sub(STEP);
    }
}

struct WindowOf<'a> {
    request: &'a RerankRequest<'a>,
    ranker: &'a dyn Ranker,
    limits: &'a RerankLimits<'a>,
}

impl WindowOf<'_> {
    /// Asks for one window and puts `members` in the order of the answer.
    fn rank(&self, members: &mut [usize], first: usize) -> Result<RerankWindow, NoAnswer> {
        if let Some(reason) = self.limits.stop() {
            return Err(reason);
        }
        let started = Instant::now();
        let before = members.to_vec();
        let mut window = RerankWindow {
            first: first as u32 + 1,
            before: ranks(&before),
            after: Vec::new(),
            answer: String::new(),
            remarks: Vec::new(),
            snippet_tokens: 0,
            prompt_tokens: 0,
            elapsed_ms: 0.0,
        };
        let candidates: Vec<&Candidate> = before
            .iter()
            .map(|at| &self.request.candidates[*at])
            .collect();
        let budget = PromptBudget {
            ranker: self.ranker,
            snippet_tokens: self.request.snippet_tokens,
        };
        match budget.fit(self.request.query, &candidates) {
            Ok(prompt) => {
                window.snippet_tokens = prompt.snippet_tokens as u32;
                window.prompt_tokens = prompt.n_tokens as u32;
                window.remarks.extend(prompt.remark.clone());
                let answer = self.ranker.answer(&prompt, self.limits)?;
                let parsed = parse_answer(&answer, before.len());
                for (place, at) in parsed.order.iter().enumerate() {
                    members[place] = before[*at];
                }
                window.remarks.extend(parsed.remarks);
                window.answer = clip(answer.trim());
            }
            Err(Unfit { remark }) => window.remarks.push(remark),
        }
        window.after = ranks(members);
        window.elapsed_ms = millis(started.elapsed());
        Ok(window)
    }
}

/// Candidates as the ranks that they came with.
fn ranks(members: &[usize]) -> Vec<u32> {
    members.iter().map(|at| *at as u32 + 1).collect()
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(MAX_ANSWER_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests;
