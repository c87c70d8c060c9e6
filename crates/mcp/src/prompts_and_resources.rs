//! What the server offers besides tools: prompts, resources, completions. All of it leads to tools.

use rmcp::model::{
    CompleteRequestParams, Prompt, PromptArgument, PromptMessage, Reference, Resource,
    ResourceTemplate, Role,
};
use serde_json::{Map, Value, json};
use whyrank_engine::api::SuggestionKind;

use crate::answer::ToolError;
use crate::dispatch::call_tool;
use crate::session::{Call, Session};

const OVERVIEW: &str = "whyrank://overview/";
const EXPLAIN: &str = "whyrank://explain/";
const MARKDOWN: &str = "text/markdown";
/// Tokens of a resource; a client reads it because a person asked it to.
const RESOURCE_TOKENS: u32 = 6_000;
const MAX_COMPLETIONS: usize = 50;

/// A prompt: what a person may start with a slash.
struct PromptRow {
    name: &'static str,
    description: &'static str,
    /// Name, what it is, and whether it is needed.
    argument: (&'static str, &'static str, bool),
    /// With `{}` for the argument.
    text: &'static str,
}

const PROMPTS: [PromptRow; 4] = [
    PromptRow {
        name: "onboard",
        description: "Get to know a code base or a folder of it",
        argument: ("path", "Folder; empty for all", false),
        text: "Get to know this code base with Whyrank. Call overview (path \"{}\"), then context for what \
            seems central, and lookup what you need of it. Then tell me in a page: what it does, its parts \
            and how they depend on each other, where a change would begin, and how it is tested. Cite path:line.",
    },
    PromptRow {
        name: "review-changes",
        description: "Review what changed since a revision",
        argument: ("ref", "Branch, tag or commit; empty for HEAD", false),
        text: "Review what changed with Whyrank. Call review_diff (ref \"{}\"). For each definition at risk \
            read its lines and the users that did not change, and say what may break and which test is \
            missing. Check what you state with critique. Begin with what matters most; leave style out.",
    },
    PromptRow {
        name: "investigate",
        description: "Answer a question about how something works",
        argument: ("question", "What to find out", true),
        text: "Find out with Whyrank: {} Begin with search or investigate, follow the calls with refs and \
            call_path, and read only the lines that they name. Answer briefly, and cite path:line for every \
            statement.",
    },
    PromptRow {
        name: "assess-impact",
        description: "See what a change of a symbol can break",
        argument: ("symbol", "Name, bare or qualified", true),
        text: "I want to change `{}`. Call impact and refs for it with Whyrank, and test_map for its file. \
            Tell me who breaks, by how much, what is tested, and in which order to change things.",
    },
];

/// The prompts as a client lists them.
pub(crate) fn prompts() -> Vec<Prompt> {
    let listed = PROMPTS.iter().map(|row| {
        let (name, what, needed) = row.argument;
        let argument = PromptArgument::new(name)
            .with_description(what)
            .with_required(needed);
        Prompt::new(row.name, Some(row.description), Some(vec![argument]))
    });
    listed.collect()
}

/// A prompt with its argument in place.
pub(crate) fn prompt(
    name: &str,
    arguments: &Map<String, Value>,
) -> Result<PromptMessage, ToolError> {
    let row = PROMPTS.iter().find(|row| row.name == name).ok_or_else(|| {
        let names: Vec<&str> = PROMPTS.iter().map(|row| row.name).collect();
        let hint = format!("the prompts are {}", names.join(", "));
        ToolError::new("bad-argument", format!("no prompt named `{name}`"), hint)
    })?;
    let (argument, _, needed) = row.argument;
    let given = arguments.get(argument).and_then(Value::as_str);
    let given = given.unwrap_or_default().trim();
    if needed && given.is_empty() {
        return Err(ToolError::new(
            "bad-argument",
            format!("`{argument}` is missing"),
            "",
        ));
    }
    Ok(PromptMessage::new_text(
        Role::User,
        row.text.replace("{}", given),
    ))
}

/// Addresses with a part to fill in.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{OVERVIEW}{{repo}}"), "overview")
            .with_description("Map of a repository by importance")
            .with_mime_type(MARKDOWN),
        ResourceTemplate::new(format!("{EXPLAIN}{{query_id}}"), "explain")
            .with_description("Why a search ranked its hits as it did")
            .with_mime_type(MARKDOWN),
    ]
}

/// The map of each repository that is known.
pub(crate) fn resources(session: &Session) -> Result<Vec<Resource>, ToolError> {
    let repos = session.engine().repos()?;
    let listed = repos.into_iter().map(|repo| {
        Resource::new(
            format!("{OVERVIEW}{}", repo.id),
            format!("{} overview", repo.name),
        )
        .with_description(format!("Map of {} by importance", repo.root))
        .with_mime_type(MARKDOWN)
    });
    Ok(listed.collect())
}

/// The text behind an address.
pub(crate) fn read(session: &Session, uri: &str) -> Result<String, ToolError> {
    let (tool, args) = if let Some(repo) = uri.strip_prefix(OVERVIEW) {
        (
            "overview",
            json!({"repo": repo, "max_tokens": RESOURCE_TOKENS}),
        )
    } else if let Some(query_id) = uri.strip_prefix(EXPLAIN) {
        (
            "explain",
            json!({"query_id": query_id, "max_tokens": RESOURCE_TOKENS}),
        )
    } else {
        let hint = format!("resources are {OVERVIEW}REPO and {EXPLAIN}QUERY_ID");
        return Err(ToolError::new(
            "not-found",
            format!("no resource {uri}"),
            hint,
        ));
    };
    let Value::Object(args) = args else {
        return Ok(String::new());
    };
    call_tool(tool, &Call::plain(session), args).map(|answer| answer.text)
}

/// What the value of an argument may go on as.
pub(crate) fn completions(session: &Session, request: &CompleteRequestParams) -> Vec<String> {
    let begun = request.argument.value.to_lowercase();
    let found: Vec<String> = match (&request.r#ref, request.argument.name.as_str()) {
        (Reference::Resource(_), "repo") => {
            let repos = session.engine().repos().unwrap_or_default();
            repos
                .into_iter()
                .flat_map(|repo| [repo.name, repo.id.to_string()])
                .collect()
        }
        (Reference::Prompt(_), "symbol" | "path") => {
            let Ok(repo) = session.repo(None) else {
                return Vec::new();
            };
            let wanted = match request.argument.name.as_str() {
                "path" => SuggestionKind::Path,
                _ => SuggestionKind::Symbol,
            };
            let suggested = session
                .engine()
                .suggest(&repo.id, &request.argument.value, 100)
                .unwrap_or_default();
            let fitting = suggested.into_iter().filter(|one| one.kind == wanted);
            return fitting.map(|one| one.text).take(MAX_COMPLETIONS).collect();
        }
        _ => Vec::new(),
    };
    let fitting = found
        .into_iter()
        .filter(|text| text.to_lowercase().starts_with(&begun));
    fitting.take(MAX_COMPLETIONS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_has_its_argument_in_place() {
        let mut arguments = Map::new();
        let error = prompt("assess-impact", &arguments).unwrap_err();
        assert_eq!(error.message, "`symbol` is missing");
        arguments.insert("symbol".to_owned(), json!("Router.use"));
        let message = prompt("assess-impact", &arguments).unwrap();
        let text = &message.content.as_text().unwrap().text;
        assert!(text.starts_with("I want to change `Router.use`"), "{text}");
        assert!(
            prompt("nope", &arguments)
                .unwrap_err()
                .hint
                .contains("onboard")
        );
        assert_eq!(prompts().len(), 4);
    }
}
