//! What an agent gets while there is no index yet: lines that hold its words, beside how far
//! indexing has come.

use serde_json::{Map, Value};

use crate::answer::{ToolAnswer, ToolResult};
use crate::args::DEFAULT_MAX_TOKENS;
use crate::present;
use crate::session::{Call, is_not_yet};

/// The whole answer is to be there within a tenth of a second.
const BUDGET_MS: u32 = 25;
const MAX_LINES: usize = 8;
/// Arguments that say what is looked for.
const ASKED: [&str; 4] = ["query", "symbol", "task", "from"];

/// Adds a look at the files to an answer that only says that nothing is searchable yet.
pub(crate) fn add(call: &Call<'_>, args: &Map<String, Value>, answer: ToolAnswer) -> ToolAnswer {
    if !is_not_yet(&answer) {
        return answer;
    }
    let asked = ASKED
        .iter()
        .find_map(|name| args.get(*name).and_then(Value::as_str));
    let repo = args.get("repo").and_then(Value::as_str);
    let (Some(asked), Ok(repo)) = (asked, call.session.repo(repo)) else {
        return answer;
    };
    let grep = match call
        .engine()
        .unindexed_grep(&repo.id, asked, MAX_LINES, BUDGET_MS)
    {
        Ok(grep) if !grep.lines.is_empty() => grep,
        _ => return answer,
    };
    let budget = args.get("max_tokens").and_then(Value::as_u64);
    let budget = budget.and_then(|budget| u32::try_from(budget).ok());
    let budget = budget.unwrap_or(DEFAULT_MAX_TOKENS);
    let text = present::unindexed_grep(&answer.text, &grep, budget);
    let results = grep.lines.iter().map(|line| ToolResult {
        path: line.path.clone(),
        start_line: line.line,
        end_line: line.line,
        ..ToolResult::default()
    });
    ToolAnswer::new(text, results.collect(), answer.structured)
}
