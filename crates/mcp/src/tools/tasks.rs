//! The tools that bring several questions together.

use serde_json::{Map, Value};
use whyrank_engine::api::{ContextRequest, InvestigateRequest};

use super::prelude::*;
use crate::route::route;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ContextArgs {
    /// What you are about to do
    task: String,
    /// Globs or folders
    #[serde(default)]
    path: Many,
    /// At most, in whole definitions
    lines: Option<u32>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for ContextArgs {
    const ABOUT: About = About {
        name: "context",
        family: Family::Search,
        profile: Profile::Standard,
        title: "Context for a task",
        description: "Start a task with one call: the code it needs within max_tokens, with who uses \
            it, what it uses and its tests. Not for one fact: search, lookup.",
    };
    const SEVERAL: Several = Several::Best;

    fn run(self, call: &Call<'_>) -> Answer {
        require("task", &self.task)?;
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().context(&ContextRequest {
                repo: repo.to_owned(),
                task: self.task.clone(),
                paths: self.path.globs(),
                limit: 0,
                lines: self.lines.unwrap_or(0),
                as_of: None,
            })?;
            if response.pieces.is_empty() {
                call.engine().check_paths(repo, &self.path.globs(), None)?;
            }
            let results = response.pieces.iter().map(|piece| hit_result(&piece.hit));
            Ok(write(&self.common, results.collect(), &response, |style| {
                present::context(&response, style)
            }))
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct InvestigateArgs {
    query: String,
    /// Globs or folders
    #[serde(default)]
    path: Many,
    /// Neighbours, default true
    expand_graph: Option<bool>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for InvestigateArgs {
    const ABOUT: About = About {
        name: "investigate",
        family: Family::Search,
        profile: Profile::Full,
        title: "Investigate",
        description: "Answer a broad question, such as how something works: hits with their users \
            and what they use. Not for one place: search; before an edit: context.",
    };
    const SEVERAL: Several = Several::Best;

    fn run(self, call: &Call<'_>) -> Answer {
        require("query", &self.query)?;
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().investigate(&InvestigateRequest {
                repo: repo.to_owned(),
                query: self.query.clone(),
                paths: self.path.globs(),
                alone: self.expand_graph == Some(false),
                limit: 0,
                as_of: None,
            })?;
            if response.hits.is_empty() {
                call.engine().check_paths(repo, &self.path.globs(), None)?;
            }
            let results = response.hits.iter().map(|one| hit_result(&one.hit));
            Ok(write(&self.common, results.collect(), &response, |style| {
                present::investigate(&response, style)
            }))
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct AskArgs {
    query: String,
    /// Tool to use instead of the one chosen
    mode: Option<String>,
    #[serde(flatten)]
    common: Common,
}

/// Answers with the tool that fits the question; where that finds nothing, with a search.
impl Tool for AskArgs {
    const ABOUT: About = About {
        name: "ask",
        family: Family::Search,
        profile: Profile::Full,
        title: "Ask",
        description: "Ask in plain words: the best tool is chosen, called and named. Not needed \
            when you know the tool.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        require("query", &self.query)?;
        let is_place = |word: &str| is_place(call, &self.common, word);
        let route = route(&self.query, &is_place, call.tools);
        let route = match self.mode.as_deref().map(str::trim) {
            None | Some("") => route,
            Some(mode) => route.forced(mode, call.tools)?,
        };
        let mut arguments = route.args.clone();
        add_common(&mut arguments, &self.common);
        let said = route.to_string();
        let answer = match call.tools.run(route.tool, call, arguments) {
            Err(error) if error.code == "not-found" && route.tool != "search" => {
                let mut arguments = Map::new();
                arguments.insert("query".to_owned(), Value::from(self.query.clone()));
                add_common(&mut arguments, &self.common);
                let found = call.tools.run("search", call, arguments)?;
                return Ok(introduced(
                    found,
                    &format!("{said}: {}; so search", error.message),
                    &self.common,
                ));
            }
            outcome => outcome?,
        };
        Ok(introduced(answer, &said, &self.common))
    }
}

/// Whether a word is a file or folder of the repository.
fn is_place(call: &Call<'_>, common: &Common, word: &str) -> bool {
    let repo = call.session.repo(common.repo.as_deref());
    let globs = path_globs(&[word.to_owned()]);
    repo.is_ok_and(|repo| call.engine().check_paths(&repo.id, &globs, None).is_ok())
}

fn add_common(arguments: &mut Map<String, Value>, common: &Common) {
    if let Some(repo) = &common.repo {
        arguments.insert("repo".to_owned(), Value::from(repo.clone()));
    }
    // Room for the line that says which tool was chosen.
    let room = common.budget().saturating_sub(30);
    arguments.insert("max_tokens".to_owned(), Value::from(room));
    let format = match common.format() {
        Format::Concise => return,
        Format::Detailed => "detailed",
        Format::Json => "json",
    };
    arguments.insert("format".to_owned(), Value::from(format));
}

fn introduced(answer: ToolAnswer, said: &str, common: &Common) -> ToolAnswer {
    if common.format() == Format::Json {
        return answer;
    }
    let text = format!(
        "{}\n{}",
        present::clip(&format!("→ {said}"), 100),
        answer.text
    );
    let mut introduced = ToolAnswer::new(text, answer.results, answer.structured);
    introduced.full = answer.full;
    introduced
}
