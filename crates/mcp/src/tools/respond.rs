//! What the tools share: what is missing from a call, a name that nothing bears, an answer within its
//! budget.

use serde::Serialize;
use serde_json::Value;
use whyrank_engine::api::{Hit, SymbolLine};

use crate::answer::{ToolAnswer, ToolError, ToolResult};
use crate::args::{Common, Format, MOST_MAX_TOKENS};
use crate::present::{self, Style};
use crate::tokens::estimate_tokens;

/// Characters by which a whole answer is longer than one that was cut, its footer aside.
const CLEARLY_LONGER: usize = 40;

pub(super) fn write(
    common: &Common,
    results: Vec<ToolResult>,
    response: &impl Serialize,
    text: impl Fn(Style) -> String,
) -> ToolAnswer {
    let structured = serde_json::to_value(response).unwrap_or(Value::Null);
    let budget = common.budget();
    let within = |budget: u32| match common.format() {
        Format::Json => present::json(&structured, budget),
        format => text(Style {
            budget,
            detailed: format == Format::Detailed,
        }),
    };
    let text = within(budget);
    // What fills its budget was cut; the rest is kept for the tools over earlier answers.
    let may_be_cut = estimate_tokens(&text) > budget / 2;
    let full = may_be_cut.then(|| within(MOST_MAX_TOKENS));
    let full = full.filter(|full| full.len() > text.len() + CLEARLY_LONGER);
    let mut answer = ToolAnswer::new(text, results, structured);
    answer.full = full;
    answer
}

pub(super) fn require(name: &str, value: &str) -> Result<(), ToolError> {
    if value.trim().is_empty() {
        Err(ToolError::new(
            "bad-argument",
            format!("{name} is empty"),
            match name {
                "content" => "say what to record".to_owned(),
                "claim" => "say what is claimed".to_owned(),
                "query" | "task" | "pattern" | "symbol" => "say what to find".to_owned(),
                name => format!("give the {name}"),
            },
        ))
    } else {
        Ok(())
    }
}

pub(super) fn not_found(symbol: &str, near: &[SymbolLine], tool: &str) -> ToolError {
    let message = format!("no definition of `{symbol}`");
    let hint = match near.first() {
        None => format!("try search(query=\"{symbol}\")"),
        Some(first) => format!(
            "nearest: {}. Try {tool}(symbol=\"{}\") or search(query=\"{symbol}\")",
            present::near_names(near),
            first.qualified
        ),
    };
    ToolError::new("not-found", message, hint)
}

/// A hit as a place, with what `verify` checks it by.
pub(super) fn hit_result(hit: &Hit) -> ToolResult {
    ToolResult {
        repo: hit.repo.clone(),
        path: hit.path.clone(),
        start_line: hit.start_line,
        end_line: hit.end_line,
        symbol: hit.symbol.clone(),
        kind: Some(hit.kind.clone()),
        score: Some(hit.score),
        evidence: Some(hit.evidence_id.clone()),
        ..ToolResult::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_symbol_names_its_nearest() {
        let near = SymbolLine {
            path: "src/a.rs".to_owned(),
            start_line: 12,
            end_line: 20,
            name_line: 12,
            kind: "struct".to_owned(),
            name: "FooBar".to_owned(),
            qualified: "FooBar".to_owned(),
            signature: "struct FooBar".to_owned(),
            exported: true,
        };
        let error = not_found("Foo", &[near], "lookup");
        insta::assert_snapshot!(error.to_string(), @r#"
        no definition of `Foo`
        nearest: FooBar (src/a.rs:12). Try lookup(symbol="FooBar") or search(query="Foo")
        "#);
    }
}
