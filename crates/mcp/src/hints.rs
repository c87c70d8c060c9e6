//! The engine's errors name commands for people; an agent is told the call that does the same.

use crate::answer::ToolError;

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

/// The error as an agent reads it.
pub(crate) fn for_agents(error: ToolError) -> ToolError {
    let told = |text: &str| {
        CALLS.iter().fold(text.to_owned(), |text, (command, call)| {
            text.replace(command, call)
        })
    };
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
    }
}
