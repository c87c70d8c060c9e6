//! How much of an answer is wanted, and in which form: what is done to answers of every tool asks this.

use serde_json::{Map, Value};

use crate::args::{DEFAULT_MAX_TOKENS, LEAST_MAX_TOKENS, MOST_MAX_TOKENS};

/// What an answer may cost, and whether it is data.
#[derive(Clone, Copy)]
pub(crate) struct OutputOptions {
    pub(crate) budget: u32,
    pub(crate) is_json: bool,
}

impl OutputOptions {
    /// Reads them from the arguments as they were given.
    pub(crate) fn of(args: &Map<String, Value>) -> Self {
        let asked = args.get("max_tokens").and_then(|budget| match budget {
            Value::String(text) => text.trim().parse().ok(),
            budget => budget.as_u64(),
        });
        let asked = asked.map(|budget| u32::try_from(budget).unwrap_or(u32::MAX));
        let options = Self {
            budget: DEFAULT_MAX_TOKENS,
            is_json: (args.get("format").and_then(Value::as_str))
                .is_some_and(|format| format.trim().eq_ignore_ascii_case("json")),
        };
        options.within(asked.unwrap_or(DEFAULT_MAX_TOKENS))
    }

    /// The same for so many tokens.
    pub(crate) fn within(self, budget: u32) -> Self {
        Self {
            budget: budget.clamp(LEAST_MAX_TOKENS, MOST_MAX_TOKENS),
            ..self
        }
    }
}
