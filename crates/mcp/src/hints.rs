//! The engine's errors and notes name commands for people; an agent is told the call that does the same.

use crate::answer::{ToolAnswer, ToolError};

/// A command, and the call. Longer ones first: one may begin with another.
const CALLS: [(&str, &str); 8] = [
    ("`whyrank index --rebuild`", "index(action=\"rebuild\")"),
    ("`whyrank index`", "index()"),
    ("`whyrank memo list`", "memories()"),
    ("`whyrank memo drift`", "memories(show=\"drifted\")"),
    ("`whyrank memo history`", "memories(show=\"all\")"),
    ("`whyrank repos list`", "list_repos()"),
    ("`whyrank status`", "status()"),
    ("`whyrank search`", "search()"),
];

/// Tools whose answers are about the index and hold no text of the repository.
const OF_THE_INDEX: [&str; 3] = ["status", "list_repos", "index"];

fn told(text: &str) -> String {
    CALLS.iter().fold(text.to_owned(), |text, (command, call)| {
        text.replace(command, call)
    })
}

/// The answer as an agent reads it: what the engine says itself, the first line and the closing one, or
/// all where it is about the index. Data stays as it is.
pub(crate) fn answer_for_agents(tool: &str, answer: ToolAnswer) -> ToolAnswer {
    if !answer.text.contains("`whyrank ") || answer.text.starts_with('{') {
        return answer;
    }
    let is_own = |at: usize, line: &str, n_lines: usize| {
        OF_THE_INDEX.contains(&tool)
            || (at == 0 && answer.is_noted)
            || (at + 1 == n_lines && line.starts_with('['))
    };
    let n_lines = answer.text.lines().count();
    let lines = answer.text.lines().enumerate();
    let lines = lines.map(|(at, line)| {
        if is_own(at, line, n_lines) {
            told(line)
        } else {
            line.to_owned()
        }
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    ToolAnswer { text, ..answer }
}

/// The error as an agent reads it.
pub(crate) fn for_agents(error: ToolError) -> ToolError {
    ToolError {
        message: told(&error.message),
        hint: told(&error.hint),
        ..error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_become_calls() {
        let error = ToolError::new(
            "x",
            "no memo",
            "see `whyrank memo list`; run `whyrank index --rebuild`",
        );
        let told = for_agents(error);
        assert_eq!(told.hint, "see memories(); run index(action=\"rebuild\")");
        let answer = |text: &str| ToolAnswer::new(text.to_owned(), vec![], serde_json::Value::Null);
        let status = answer_for_agents("status", answer("stale: run `whyrank index`\nx"));
        assert_eq!(status.text, "stale: run index()\nx");
        let search = answer("docs/a.md:3 run `whyrank index`\n[1/1; run `whyrank index`]");
        let search = answer_for_agents("search", search);
        assert_eq!(
            search.text,
            "docs/a.md:3 run `whyrank index`\n[1/1; run index()]"
        );
    }
}
