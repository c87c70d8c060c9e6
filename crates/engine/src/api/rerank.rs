//! The listwise reranker: how it is set, and what it made of an answer.

use super::QueryId;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Who ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum RerankMode {
    /// Nobody.
    #[default]
    Off,
    /// An endpoint that speaks as OpenAI's does. Code snippets are sent to it.
    Http,
}

/// The reranker as it is set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RerankSettings {
    /// Who ranks.
    pub mode: RerankMode,
    /// Hits that it is given.
    pub top_n: u32,
    /// Seconds after which it is stopped; what is finished counts.
    pub time_limit_s: u32,
    /// Tokens of a hit that it reads at most.
    pub snippet_tokens: u32,
    /// Base address of the endpoint: `http://localhost:11434/v1`.
    pub endpoint: String,
    /// The model's name there.
    pub endpoint_model: String,
    /// Name of the environment variable that holds the key; empty for none. The key itself is never
    /// kept.
    pub key_env: String,
    /// Also without encryption to other machines.
    pub allow_plain_http: bool,
    /// Seconds that answers to agents wait for it; 0 to answer at once without it.
    pub agents_wait_s: u32,
}

impl Default for RerankSettings {
    fn default() -> Self {
        Self {
            mode: RerankMode::Off,
            top_n: 30,
            time_limit_s: 60,
            snippet_tokens: 256,
            endpoint: String::new(),
            endpoint_model: String::new(),
            key_env: String::new(),
            allow_plain_http: false,
            agents_wait_s: 0,
        }
    }
}

/// What the reranker made of an answer. Windows and answers as given are in the trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RerankNote {
    /// Who ranked.
    pub backend: String,
    /// What came of it in a sentence.
    pub sentence: String,
    /// Whether every window was finished.
    pub complete: bool,
    /// Whether it was stopped by the caller.
    pub cancelled: bool,
    /// Hits that it was given.
    pub n_asked: u32,
    /// Of all of them those that stand elsewhere now.
    pub n_moved: u32,
    /// Wall time in milliseconds.
    pub elapsed_ms: f64,
    /// For each hit of the answer the rank that it had before.
    pub before: Vec<u32>,
}

/// A reranking at work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RerankProgress {
    /// The answer's id.
    pub query_id: QueryId,
    /// Windows done.
    pub done: u32,
    /// Windows in all.
    pub total: u32,
}

/// What came of asking the reranker to order two snippets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RerankTest {
    /// Who ranked.
    pub backend: String,
    /// Whether it answered in the form that it should.
    pub ok: bool,
    /// What came of it in a sentence.
    pub sentence: String,
    /// The answer as given, cut.
    pub answer: String,
    /// Wall time in milliseconds, loading included.
    pub elapsed_ms: f64,
}
