//! Earlier answers under a handle, so that an agent narrows or pages them without asking again.
//!
//! A handle is made of what was asked and answered, so the same answer has the same one. The newest 64
//! are kept, for as long as the process lives; a handle that has expired says so and how to go on.

use parking_lot::{Mutex, MutexGuard};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value};
use whyrank_engine::api::{Hit, RepoId};

use crate::answer::{ToolAnswer, ToolError, ToolResult};

const MAX_KEPT: usize = 64;
/// Names of expired handles that are remembered.
const MAX_NAMES: usize = 2_000;

/// The index's state that an answer was made from.
#[derive(Default)]
pub(crate) struct AnswerBasis {
    /// As [`CachedAnswer::pool`].
    pub(crate) pool: Vec<Hit>,
    /// As [`CachedAnswer::contents`].
    pub(crate) contents: Option<(RepoId, u64)>,
}

/// An answer with all of its text and places.
pub(crate) struct CachedAnswer {
    pub(crate) handle: String,
    pub(crate) tool: String,
    /// The call, as one could write it again.
    pub(crate) call: String,
    pub(crate) text: String,
    pub(crate) results: Vec<ToolResult>,
    /// The candidates of `search_iterative`.
    pub(crate) pool: Vec<Hit>,
    pub(crate) at: Instant,
    /// The repository, and the contents that the files it names had; `None` as of a commit.
    pub(crate) contents: Option<(RepoId, u64)>,
}

/// What a process has answered lately.
#[derive(Default)]
pub(crate) struct ResultCache {
    state: Mutex<CacheState>,
}

#[derive(Default)]
struct CacheState {
    /// Oldest first.
    kept: VecDeque<Arc<CachedAnswer>>,
    expired: VecDeque<(String, String)>,
}

impl ResultCache {
    /// Keeps an answer; gives its handle.
    pub(crate) fn keep(
        &self,
        tool: &str,
        args: &Map<String, Value>,
        answer: &ToolAnswer,
        basis: AnswerBasis,
    ) -> String {
        let text = answer.full.as_ref().unwrap_or(&answer.text);
        let call = call_text(tool, args);
        let handle = handle_of(&call, text);
        let kept = Arc::new(CachedAnswer {
            handle: handle.clone(),
            tool: tool.to_owned(),
            text: text.clone(),
            results: answer.results.clone(),
            at: Instant::now(),
            call,
            pool: basis.pool,
            contents: basis.contents,
        });
        let mut state = self.state();
        state.kept.retain(|other| other.handle != handle);
        state.kept.push_back(kept);
        if state.kept.len() > MAX_KEPT
            && let Some(oldest) = state.kept.pop_front()
        {
            let name = (oldest.handle.clone(), oldest.call.clone());
            state.expired.push_back(name);
            if state.expired.len() > MAX_NAMES {
                state.expired.pop_front();
            }
        }
        handle
    }

    /// The answer under a handle, also when it is written as `ctx://r1a2b3`.
    pub(crate) fn get(&self, handle: &str) -> Result<Arc<CachedAnswer>, ToolError> {
        let handle = handle.trim().trim_start_matches("ctx://");
        let state = self.state();
        if let Some(kept) = state.kept.iter().find(|kept| kept.handle == handle) {
            return Ok(Arc::clone(kept));
        }
        if let Some((_, call)) = state.expired.iter().find(|(name, _)| name == handle) {
            return Err(ToolError::new(
                "expired-handle",
                format!("{handle} has expired: the newest {MAX_KEPT} answers are kept"),
                format!("ask again: {call}"),
            ));
        }
        let names: Vec<&str> = state
            .kept
            .iter()
            .rev()
            .take(5)
            .map(|kept| kept.handle.as_str())
            .collect();
        let hint = if names.is_empty() {
            "handles live as long as the server runs; no answer is kept yet".to_owned()
        } else {
            format!(
                "handles live as long as the server runs; the newest are {}",
                names.join(", ")
            )
        };
        Err(ToolError::new(
            "unknown-handle",
            format!("no answer under `{handle}`"),
            hint,
        ))
    }

    /// All that are kept, newest first.
    pub(crate) fn all(&self) -> Vec<Arc<CachedAnswer>> {
        self.state().kept.iter().rev().cloned().collect()
    }

    fn state(&self) -> MutexGuard<'_, CacheState> {
        // A poisoned list is still a list of answers.
        self.state.lock()
    }
}

/// `search(query="retries", limit=3)`.
fn call_text(tool: &str, args: &Map<String, Value>) -> String {
    let args: Vec<String> = args
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("{tool}({})", args.join(", "))
}

fn handle_of(call: &str, text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (call, text).hash(&mut hasher);
    format!("r{:05x}", hasher.finish() & 0xf_ffff)
}

/// Puts a handle into the closing line of a text, where the budget has room for it.
pub(crate) fn with_handle(answer: ToolAnswer, handle: &str, budget: u32) -> ToolAnswer {
    let text = answer.text.trim_end();
    let text = match text.strip_suffix(']') {
        Some(body) if last_line(text).starts_with('[') => format!("{body}; rest {handle}]"),
        _ => format!("{text}\n[rest {handle}]"),
    };
    let mut noted = ToolAnswer::new(text, answer.results.clone(), answer.structured.clone());
    if noted.tokens > budget {
        return answer;
    }
    noted.full.clone_from(&answer.full);
    noted
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(text: &str) -> ToolAnswer {
        ToolAnswer::new(text.to_owned(), Vec::new(), Value::Null)
    }

    fn args(query: &str) -> Map<String, Value> {
        let Value::Object(args) = json!({"query": query}) else {
            unreachable!()
        };
        args
    }

    #[test]
    fn the_same_answer_has_the_same_handle() {
        let kept = ResultCache::default();
        let one = kept.keep("search", &args("a"), &answer("x"), AnswerBasis::default());
        assert_eq!(
            kept.keep("search", &args("a"), &answer("x"), AnswerBasis::default()),
            one
        );
        assert_ne!(
            kept.keep("search", &args("b"), &answer("x"), AnswerBasis::default()),
            one
        );
        assert_eq!(kept.all().len(), 2);
        assert_eq!(kept.get(&format!("ctx://{one}")).unwrap().text, "x");
    }

    #[test]
    fn what_has_expired_says_how_to_go_on() {
        let kept = ResultCache::default();
        let first = kept.keep(
            "search",
            &args("first"),
            &answer("x"),
            AnswerBasis::default(),
        );
        for n in 0..MAX_KEPT {
            kept.keep(
                "search",
                &args(&n.to_string()),
                &answer("x"),
                AnswerBasis::default(),
            );
        }
        let Err(error) = kept.get(&first) else {
            panic!("it expired")
        };
        assert_eq!(error.code, "expired-handle");
        assert_eq!(error.hint, "ask again: search(query=\"first\")");
        let Err(error) = kept.get("r00000") else {
            panic!("it never was")
        };
        assert_eq!(error.code, "unknown-handle");
    }

    #[test]
    fn a_handle_goes_into_the_footer_and_never_over_the_budget() {
        let cut = answer("a.rs:1\n[1/9 hits; 12 tokens]");
        assert_eq!(
            with_handle(cut.clone(), "r1", 100).text,
            "a.rs:1\n[1/9 hits; 12 tokens; rest r1]"
        );
        assert_eq!(with_handle(cut.clone(), "r1", 8), cut);
        assert_eq!(with_handle(answer("x"), "r1", 100).text, "x\n[rest r1]");
    }
}
