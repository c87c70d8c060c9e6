//! The tools that bring several questions together.

use serde_json::{Map, Value, json};
use whyrank_engine::api::{ContextRequest, Hit, InvestigateRequest, SearchFilters, SearchRequest};

use super::{Answer, hit_result, require, write};
use crate::answer::{ToolAnswer, ToolError};
use crate::args::{
    AskArgs, Common, ContextArgs, Format, InvestigateArgs, SearchIterativeArgs, path_globs,
};
use crate::dispatch::run_tool;
use crate::present;
use crate::route::route;
use crate::session::Call;

/// Candidates of an iterative search.
const POOL: u32 = 200;

pub(crate) fn context(call: &Call<'_>, args: ContextArgs) -> Answer {
    require("task", &args.task)?;
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().context(&ContextRequest {
            repo: repo.to_owned(),
            task: args.task.clone(),
            paths: path_globs(&args.path),
            limit: 0,
            lines: args.lines.unwrap_or(0),
            as_of: None,
        })?;
        if response.pieces.is_empty() {
            call.engine()
                .check_paths(repo, &path_globs(&args.path), None)?;
        }
        let results = response.pieces.iter().map(|piece| hit_result(&piece.hit));
        Ok(write(&args.common, results.collect(), &response, |style| {
            present::context(&response, style)
        }))
    })
}

pub(crate) fn investigate(call: &Call<'_>, args: InvestigateArgs) -> Answer {
    require("query", &args.query)?;
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().investigate(&InvestigateRequest {
            repo: repo.to_owned(),
            query: args.query.clone(),
            paths: path_globs(&args.path),
            alone: args.expand_graph == Some(false),
            limit: 0,
            as_of: None,
        })?;
        if response.hits.is_empty() {
            call.engine()
                .check_paths(repo, &path_globs(&args.path), None)?;
        }
        let results = response.hits.iter().map(|one| hit_result(&one.hit));
        Ok(write(&args.common, results.collect(), &response, |style| {
            present::investigate(&response, style)
        }))
    })
}

/// Answers with the tool that fits the question; where that finds nothing, with a search.
pub(crate) fn ask(call: &Call<'_>, args: AskArgs) -> Answer {
    require("query", &args.query)?;
    let route = route(&args.query, &|word| is_place(call, &args.common, word));
    let route = match args.mode.as_deref().map(str::trim) {
        None | Some("") => route,
        Some(mode) => route.forced(mode)?,
    };
    let mut arguments = route.args.clone();
    add_common(&mut arguments, &args.common);
    let said = route.to_string();
    let answer = match run_tool(route.tool, call, arguments) {
        Err(error) if error.code == "not-found" && route.tool != "search" => {
            let mut arguments = Map::new();
            arguments.insert("query".to_owned(), Value::from(args.query.clone()));
            add_common(&mut arguments, &args.common);
            let found = run_tool("search", call, arguments)?;
            return Ok(introduced(
                found,
                &format!("{said}: {}; so search", error.message),
                &args.common,
            ));
        }
        outcome => outcome?,
    };
    Ok(introduced(answer, &said, &args.common))
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

/// Keeps a pool of candidates under a handle, and narrows it without searching again.
pub(crate) fn search_iterative(call: &Call<'_>, args: SearchIterativeArgs) -> Answer {
    let limit = args.limit.unwrap_or(10).clamp(1, POOL) as usize;
    let (query, pool) = match (&args.handle, &args.query) {
        (Some(handle), _) => {
            let kept = call.kept(handle)?;
            if kept.tool != "search_iterative" {
                return Err(ToolError::new(
                    "bad-argument",
                    format!("{handle} is an answer of {}", kept.tool),
                    "give a handle of search_iterative, or use grep_results",
                ));
            }
            (kept.call.clone(), kept.pool.clone())
        }
        (None, Some(query)) => {
            require("query", query)?;
            let repo = call.session.repo(args.common.repo.as_deref())?;
            if !call.is_searchable(&repo.id)? {
                return call.when_searchable(args.common.repo.as_deref(), |_| Ok(nothing_yet()));
            }
            let found = call.engine().search(&SearchRequest {
                repo: repo.id,
                query: query.clone(),
                limit: POOL,
                filters: SearchFilters::default(),
                as_of: None,
                weights: None,
                distinct_files: false,
            })?;
            (query.clone(), found.hits)
        }
        (None, None) => {
            return Err(ToolError::new(
                "bad-argument",
                "neither query nor handle is given",
                "give query first, then handle to narrow",
            ));
        }
    };
    let n_pool = pool.len();
    let narrowed = narrow(&args, pool)?;
    let shown: Vec<&Hit> = narrowed.iter().take(limit).collect();
    let structured =
        json!({"query": query, "pool": n_pool, "fitting": narrowed.len(), "hits": shown});
    let results = narrowed.iter().map(hit_result).collect();
    let answer = write(&args.common, results, &structured, |style| {
        present::search_iterative(&narrowed, (limit, n_pool), style)
    });
    Ok(answer.with_pool(narrowed))
}

fn nothing_yet() -> ToolAnswer {
    ToolAnswer::new(
        "the index is being built".to_owned(),
        Vec::new(),
        Value::Null,
    )
}

fn narrow(args: &SearchIterativeArgs, pool: Vec<Hit>) -> Result<Vec<Hit>, ToolError> {
    let globs = path_globs(&args.path);
    let fits_path = whyrank_engine::path_filter(&globs)?;
    let one_of = |wanted: &[String], value: &str| {
        wanted.is_empty() || wanted.iter().any(|one| one.eq_ignore_ascii_case(value))
    };
    let fitting = pool
        .into_iter()
        .filter(|hit| fits_path(&hit.path) && one_of(&args.kind, &hit.kind));
    Ok(fitting.collect())
}
