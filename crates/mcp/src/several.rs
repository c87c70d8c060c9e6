//! Several repositories in one call: which can answer, and how answers of each stand beside each other. A
//! call may name no more together than it may name one by one.

use std::time::Instant;

use serde_json::{Map, Value, json};
use whyrank_engine::api::{MissingRepo, RepoName, RepoScope};

use crate::answer::{ToolAnswer, ToolError, ToolResult};
use crate::output_options::OutputOptions;
use crate::prepared_call::PreparedCall;
use crate::present;
use crate::session::{Call, Readiness};
use crate::table::TOOLS;
use crate::tool::{Family, Several, ToolRow};

/// Repositories that a question is about at most, where it is not a search.
const N_BEST: usize = 4;
/// Tokens that each repository's part has at least.
const LEAST_PART: u32 = 120;

/// Asks several repositories; `ask` asks one.
pub(crate) fn run(
    prepared: &PreparedCall,
    call: &Call<'_>,
    selectors: &[String],
    ask: impl Fn(&PreparedCall) -> Result<ToolAnswer, ToolError>,
) -> Result<ToolAnswer, ToolError> {
    let PreparedCall { row, output, .. } = prepared;
    if row.several == Several::Refused {
        return Err(takes_one(row, selectors));
    }
    let scope = match row.family {
        // Memory needs no index.
        Family::Memory => reachable(call, selectors)?,
        _ => ready(call, selectors)?,
    };
    if let (Several::Pooled, true) = (row.several, scope.repos.len() > 1) {
        let mut args = prepared.args.clone();
        args.remove("repo");
        return (row.run_pooled)(call, Value::Object(args), &scope);
    }
    match answer(prepared, call, &scope, ask) {
        Ok(answer) => Ok(with_missing(answer, &scope.missing, *output)),
        Err(error) => Err(beside_missing(error, &scope.missing)),
    }
}

/// Asks those that can answer.
fn answer(
    prepared: &PreparedCall,
    call: &Call<'_>,
    scope: &RepoScope,
    ask: impl Fn(&PreparedCall) -> Result<ToolAnswer, ToolError>,
) -> Result<ToolAnswer, ToolError> {
    let PreparedCall { args, output, .. } = prepared;
    match (scope.repos.as_slice(), prepared.row.several) {
        ([only], _) => ask(&prepared.on(only)),
        (_, Several::Best) => {
            let best = call.engine().best_repos(scope, asked(args), N_BEST)?;
            joined(answers_of(&[best], prepared, ask), *output)
        }
        (_, Several::Linked) => {
            let linked = call.engine().linked(scope)?;
            joined(answers_of(&linked, prepared, ask), *output)
        }
        (repos, Several::EachByName) => {
            let mut answers = answers_of(repos, prepared, ask);
            let symbol = args.get("symbol").and_then(Value::as_str);
            prefer_exact(&mut answers, symbol.unwrap_or_default());
            joined(answers, *output)
        }
        (repos, _) => joined(answers_of(repos, prepared, ask), *output),
    }
}

/// What a tool is asked, in words.
fn asked(args: &Map<String, Value>) -> &str {
    let mut words = ["query", "task"]
        .iter()
        .filter_map(|name| args.get(*name)?.as_str());
    words.next().unwrap_or_default()
}

fn takes_one(row: &ToolRow, selectors: &[String]) -> ToolError {
    let message = format!(
        "{} takes one repository, not {}",
        row.name,
        selectors.join(", ")
    );
    let takes = TOOLS.iter().filter(|row| row.several != Several::Refused);
    let takes: Vec<&str> = takes.map(|row| row.name).collect();
    let hint = format!(
        "call it once for each; several are taken by {}",
        takes.join(", ")
    );
    ToolError::new("bad-argument", message, hint)
}

/// The repositories that selectors mean, as far as the session reaches them.
fn reachable(call: &Call<'_>, selectors: &[String]) -> Result<RepoScope, ToolError> {
    let unknown = call.engine().unknown_selectors(selectors)?;
    let mut meant = selectors.to_vec();
    for selector in meant.iter_mut().filter(|one| unknown.contains(one)) {
        if let Some(repo) = call.session.opened(selector)? {
            *selector = repo.id.to_string();
        }
    }
    Ok(call.engine().scope(&meant)?)
}

/// Of these, those that can be asked now.
fn ready(call: &Call<'_>, selectors: &[String]) -> Result<RepoScope, ToolError> {
    let mut scope = reachable(call, selectors)?;
    let started = Instant::now();
    let (mut repos, mut first_error) = (Vec::new(), None);
    let indexed = call.engine().are_indexed(&scope.ids())?;
    for (repo, is_indexed) in std::mem::take(&mut scope.repos).into_iter().zip(indexed) {
        // One that was never indexed is not indexed because it is one of many.
        let is_ready = if is_indexed {
            is_ready(call, &repo, started)
        } else {
            Ok(false)
        };
        match is_ready {
            Ok(true) => repos.push(repo),
            Ok(false) => scope
                .missing
                .push(missing(&repo, being_indexed(call, &repo))),
            Err(error) => {
                scope.missing.push(missing(&repo, error.message.clone()));
                first_error.get_or_insert(error);
            }
        }
    }
    scope.repos = repos;
    call.freshen_all(&scope.ids())?;
    match (scope.repos.is_empty(), first_error) {
        (true, Some(error)) => Err(error),
        (true, None) => Err(ToolError::new(
            "index-missing",
            present::missing(&scope.missing),
            "ask again in a few seconds",
        )),
        _ => Ok(scope),
    }
}

fn missing(repo: &RepoName, why: String) -> MissingRepo {
    MissingRepo {
        name: repo.name.clone(),
        why,
    }
}

/// Whether there is something to search in a repository.
fn is_ready(call: &Call<'_>, repo: &RepoName, started: Instant) -> Result<bool, ToolError> {
    if let Readiness::Background { .. } = call.session.readiness() {
        call.session.repo(Some(&repo.id))?;
    }
    call.is_searchable_since(&repo.id, started)
}

fn being_indexed(call: &Call<'_>, repo: &RepoName) -> String {
    let jobs = call.engine().jobs();
    let job = jobs.iter().find(|job| job.repo == repo.id);
    match job {
        Some(job) => present::index_progress(job),
        None => format!(
            "not indexed; `whyrank index` or index(repo=\"{}\")",
            repo.name
        ),
    }
}

type Answered<'a> = Vec<(&'a RepoName, Result<ToolAnswer, ToolError>)>;

/// Asks one after another. What one leaves of its share of the budget the next may have.
fn answers_of<'a>(
    repos: &'a [RepoName],
    prepared: &PreparedCall,
    ask: impl Fn(&PreparedCall) -> Result<ToolAnswer, ToolError>,
) -> Answered<'a> {
    let mut left = prepared.output.budget;
    let ask_next = |(at, repo): (usize, &'a RepoName)| {
        let n_left = u32::try_from(repos.len() - at).unwrap_or(u32::MAX);
        let share = (left / n_left).max(LEAST_PART);
        let outcome = ask(&prepared.on(repo).within(share));
        left = left.saturating_sub(outcome.as_ref().map_or(0, |answer| answer.tokens));
        (repo, outcome)
    };
    repos.iter().enumerate().map(ask_next).collect()
}

/// Leaves out what repositories have by a similar name where one has the name itself.
fn prefer_exact(answers: &mut Answered<'_>, symbol: &str) {
    let last = |name: &str| name.rsplit([':', '.', '#']).next().map(str::to_owned);
    let has_it = |answer: &ToolAnswer| {
        let mut names = answer
            .results
            .iter()
            .filter_map(|one| one.symbol.as_deref());
        names.any(|name| last(name) == last(symbol))
    };
    let is_exact = |outcome: &Result<ToolAnswer, ToolError>| outcome.as_ref().is_ok_and(has_it);
    if answers.iter().any(|(_, outcome)| is_exact(outcome)) {
        answers.retain(|(_, outcome)| outcome.is_err() || is_exact(outcome));
    }
}

/// Puts the answers of several under their names.
fn joined(answers: Answered<'_>, output: OutputOptions) -> Result<ToolAnswer, ToolError> {
    let (mut blocks, mut results, mut parts) = (Vec::new(), Vec::new(), Map::new());
    let mut first_error = None;
    for (repo, outcome) in answers {
        match outcome {
            Ok(answer) => {
                blocks.push((repo.name.clone(), answer.text));
                let named = answer.results.into_iter();
                results.extend(named.map(|result| of_repository(result, repo)));
                parts.insert(repo.name.clone(), answer.structured);
            }
            // It is nowhere only if no repository has it.
            Err(error) if error.code == "not-found" => {
                first_error.get_or_insert(error);
            }
            Err(error) => {
                blocks.push((repo.name.clone(), error.to_string()));
                // It says more than that a name is nowhere.
                first_error = first_error.filter(|first: &ToolError| first.code != "not-found");
                first_error.get_or_insert(error);
            }
        }
    }
    // That there is nothing is said once.
    let is_same = |block: &(String, String)| block.1 == blocks[0].1;
    if results.is_empty() && blocks.len() > 1 && blocks.iter().all(is_same) {
        let names: Vec<&str> = blocks.iter().map(|(name, _)| name.as_str()).collect();
        blocks = vec![(names.join(", "), blocks[0].1.clone())];
    }
    let blocks: Vec<String> = blocks
        .into_iter()
        .map(|(name, text)| format!("## {name}\n{text}"))
        .collect();
    match first_error {
        Some(error) if parts.is_empty() => Err(error),
        _ => {
            let structured = json!({ "repositories": parts });
            let text = if output.is_json {
                present::json(&structured, output.budget)
            } else {
                blocks.join("\n")
            };
            Ok(ToolAnswer::new(text, results, structured))
        }
    }
}

/// Names the repository of a place; one of several that were asked as one begins its path.
fn of_repository(result: ToolResult, repo: &RepoName) -> ToolResult {
    let (name, path) = match result.path.split_once('/') {
        Some((name, path)) if repo.id.several().is_some() => (name.to_owned(), path.to_owned()),
        _ => (repo.name.clone(), result.path),
    };
    ToolResult {
        repo: Some(name),
        path,
        ..result
    }
}

/// Says beside an error what was not asked: it may be there that a name is.
fn beside_missing(error: ToolError, missing: &[MissingRepo]) -> ToolError {
    if missing.is_empty() {
        return error;
    }
    ToolError {
        message: format!("{}; {}", error.message, present::missing(missing)),
        ..error
    }
}

/// Puts what is missing into the first line, or into a field of an answer as JSON.
fn with_missing(answer: ToolAnswer, missing: &[MissingRepo], output: OutputOptions) -> ToolAnswer {
    if missing.is_empty() {
        return answer;
    }
    let mut structured = answer.structured;
    if let Value::Object(fields) = &mut structured {
        fields.insert("missing".to_owned(), json!(missing));
    }
    let text = if output.is_json {
        present::json(&structured, output.budget)
    } else {
        format!("{}\n{}", present::missing(missing), answer.text)
    };
    let mut noted = ToolAnswer::new(text, answer.results, structured);
    (noted.full, noted.pool) = (answer.full, answer.pool);
    noted
}
