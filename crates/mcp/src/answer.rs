//! What a tool gives back: text for the agent, places for programs.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use whyrank_engine::EngineError;
use whyrank_engine::api::{EngineErrorDto, Heir, Hit, ImpactHit, RefHit, SymbolLine};

use crate::tokens::estimate_tokens;

/// A place in the repository that an answer names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// Name of its repository, where several were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    /// Path in the repository.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Qualified name, where the place has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// `function`, `call`, `import`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Final score, where there is a ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Id by which `verify` checks that it still holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Whether scope, imports, types or a compiler settle it; none where that is no question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certain: Option<bool>,
}

impl ToolResult {
    /// Returns a whole file.
    pub fn file(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            start_line: 1,
            end_line: 1,
            ..Self::default()
        }
    }
}

impl ToolResult {
    /// Returns a definition, from the line of its name on.
    pub fn named(definition: &SymbolLine) -> Self {
        Self {
            start_line: definition.name_line,
            ..Self::from(definition)
        }
    }
}

impl From<&SymbolLine> for ToolResult {
    fn from(definition: &SymbolLine) -> Self {
        // A place to go to: the name, where it lies far below the beginning.
        let is_far = definition.name_line > definition.start_line + 3;
        Self {
            path: definition.path.clone(),
            start_line: if is_far {
                definition.name_line
            } else {
                definition.start_line
            },
            end_line: definition.end_line,
            symbol: Some(definition.qualified.clone()),
            kind: Some(definition.kind.clone()),
            ..Self::default()
        }
    }
}

impl From<&Heir> for ToolResult {
    fn from(heir: &Heir) -> Self {
        let named = Self::named(&heir.symbol);
        Self {
            start_line: heir.line.unwrap_or(named.start_line),
            kind: Some(heir.relation.to_string()),
            certain: Some(heir.certain),
            ..named
        }
    }
}

impl From<&ImpactHit> for ToolResult {
    fn from(hit: &ImpactHit) -> Self {
        Self {
            certain: Some(hit.confidence.is_certain()),
            ..Self::named(&hit.caller)
        }
    }
}

impl From<&RefHit> for ToolResult {
    fn from(hit: &RefHit) -> Self {
        Self {
            path: hit.path.clone(),
            start_line: hit.line,
            end_line: hit.line,
            symbol: hit.enclosing.clone(),
            kind: Some(hit.kind.clone()),
            certain: Some(hit.confidence.is_certain()),
            ..Self::default()
        }
    }
}

/// A tool's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolAnswer {
    /// What the agent reads, within the token budget.
    pub text: String,
    /// All places found, best first, whether or not the text had room for them.
    pub results: Vec<ToolResult>,
    /// The answer as data.
    pub structured: Value,
    /// Tokens of `text`, estimated.
    pub tokens: u32,
    /// The whole text, where the budget cut it.
    #[serde(skip)]
    pub(crate) full: Option<String>,
    /// Candidates to narrow later.
    #[serde(skip)]
    pub(crate) pool: Vec<Hit>,
    /// The first line is ours: how far the index is behind.
    #[serde(skip)]
    pub(crate) is_noted: bool,
}

impl ToolAnswer {
    /// Puts an answer together and counts its text.
    pub fn new(text: String, results: Vec<ToolResult>, structured: Value) -> Self {
        let tokens = estimate_tokens(&text);
        Self {
            text,
            results,
            structured,
            tokens,
            full: None,
            pool: Vec::new(),
            is_noted: false,
        }
    }

    /// The same with candidates to narrow later.
    pub(crate) fn with_pool(self, pool: Vec<Hit>) -> Self {
        Self { pool, ..self }
    }
}

/// Why a tool has no answer; agents read it as the tool's result, with `isError` set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}{}", if hint.is_empty() { String::new() } else { format!("\n{hint}") })]
pub struct ToolError {
    /// Stable: the engine's codes, and `unknown-tool`, `not-found`.
    pub code: String,
    /// What failed.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl ToolError {
    /// Makes an error from its parts.
    pub fn new(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            message: message.into(),
            hint: hint.into(),
        }
    }
}

impl From<EngineError> for ToolError {
    fn from(error: EngineError) -> Self {
        EngineErrorDto::from(error).into()
    }
}

impl From<EngineErrorDto> for ToolError {
    fn from(error: EngineErrorDto) -> Self {
        Self {
            code: error.code,
            message: error.message,
            hint: error.hint,
        }
    }
}
