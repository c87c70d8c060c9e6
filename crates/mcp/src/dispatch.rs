//! Calling a row: arguments checked, what was cut kept, what was ignored said.

use std::borrow::Cow;

use serde_json::{Map, Value};
use whyrank_system::visible;

use crate::answer::{ToolAnswer, ToolError};
use crate::catalogue::find_tool;
use crate::freshness::{self, FreshnessCheck};
use crate::output_options::OutputOptions;
use crate::places;
use crate::prepared_call::{NamedCall, PreparedCall};
use crate::present;
use crate::result_cache::{AnswerBasis, with_handle};
use crate::session::{Call, Session, Tools};
use crate::several;
use crate::tokens::{chars_within, estimate_tokens};
use crate::tool::Effect;
use crate::unindexed_grep;

/// Calls a tool. Arguments that it does not know are left out, and the answer says so; where the index is
/// behind the files, its first line does.
///
/// # Errors
///
/// `unknown-tool`, `bad-argument`, `not-found`, and the engine's errors.
pub fn call_tool(
    name: &str,
    call: &Call<'_>,
    args: Map<String, Value>,
) -> Result<ToolAnswer, ToolError> {
    let prepared = NamedCall::new(name, args).and_then(|named| {
        call.freshness.begin(&named.args);
        named.prepared(call)
    });
    let output = match &prepared {
        Ok(prepared) => prepared.output,
        Err(_) => OutputOptions::of(&Map::new()),
    };
    let outcome = prepared.and_then(|prepared| run(&prepared, call));
    match freshness::note(call, output, outcome) {
        Ok(answer) => Ok(within(shown(answer), output)),
        Err(error) => Err(ToolError::new(
            &error.code,
            visible::text(&error.message),
            visible::text(&error.hint),
        )),
    }
}

impl<'a> Call<'a> {
    /// Returns a call that nobody watches or cancels.
    pub fn plain(session: &'a Session) -> Self {
        Self {
            session,
            progress: &|_| {},
            cancelled: &|| false,
            is_task: false,
            caller: None,
            freshness: FreshnessCheck::default(),
            tools: &AllTools,
        }
    }
}

/// The tools of the table.
pub(crate) struct AllTools;

impl Tools for AllTools {
    fn find(&self, name: &str) -> Option<(&'static str, Map<String, Value>)> {
        find_tool(name).map(|row| (row.name, row.schema()))
    }

    fn run(
        &self,
        name: &str,
        call: &Call<'_>,
        args: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolError> {
        run(&NamedCall::new(name, args)?.prepared(call)?, call)
    }
}

/// What files and memos hold may command a terminal or read otherwise than it runs: it is shown.
fn shown(answer: ToolAnswer) -> ToolAnswer {
    match visible::text(&answer.text) {
        Cow::Borrowed(_) => answer,
        Cow::Owned(text) => ToolAnswer {
            tokens: estimate_tokens(&text),
            text,
            ..answer
        },
    }
}

/// Runs a tool within a call that has begun.
fn run(prepared: &PreparedCall, call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    let (answer, output) = (run_alone(prepared, call)?, prepared.output);
    let answer = keep(call, prepared, answer);
    Ok(within(with_note(answer, &prepared.ignored, output), output))
}

/// Asks the repositories that are meant, the one or several.
fn run_alone(prepared: &PreparedCall, call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    places::check(call, &prepared.args)?;
    if let Some(selectors) = &prepared.selectors {
        return several::run(prepared, call, selectors, |one| run(one, call));
    }
    let row = prepared.row;
    let ask = || (row.run)(call, Value::Object(prepared.args.clone()));
    let answer = match row.effect {
        Effect::Reads => match whyrank_engine::whole(ask) {
            // What is damaged is repaired when the index is opened again.
            Err(error) if error.code == "index-damaged" => whyrank_engine::whole(ask)?,
            outcome => outcome?,
        },
        // What was done is done: an error would have it done again.
        _ => ask()?,
    };
    Ok(unindexed_grep::add(call, &prepared.args, answer))
}

/// Whole lines within the budget, for what was added to an answer and tools that ask for none.
fn within(answer: ToolAnswer, output: OutputOptions) -> ToolAnswer {
    if answer.tokens <= output.budget {
        return answer;
    }
    if output.is_json {
        let text = present::json(&answer.structured, output.budget);
        return ToolAnswer::new(text, answer.results, answer.structured);
    }
    let mut left = chars_within(output.budget);
    let lines = answer.text.lines().take_while(|line| {
        let cost = line.chars().count() + 1;
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        fits
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    ToolAnswer {
        is_noted: answer.is_noted,
        ..ToolAnswer::new(text, answer.results, answer.structured)
    }
}

/// Keeps what the budget cut, and pools, under a handle that the answer names.
fn keep(call: &Call<'_>, prepared: &PreparedCall, mut answer: ToolAnswer) -> ToolAnswer {
    let PreparedCall {
        row, args, output, ..
    } = prepared;
    let pool = std::mem::take(&mut answer.pool);
    if answer.full.is_none() && pool.is_empty() {
        return answer;
    }
    let contents = call.contents_of(&answer.results);
    let basis = AnswerBasis { pool, contents };
    let kept = call.session.kept();
    let handle = kept.keep(row.name, args, &answer, basis);
    if output.is_json {
        answer
    } else {
        with_handle(answer, &handle, output.budget)
    }
}

fn with_note(answer: ToolAnswer, ignored: &[String], output: OutputOptions) -> ToolAnswer {
    if ignored.is_empty() {
        return answer;
    }
    let text = if output.is_json {
        let Ok(mut object) = serde_json::from_str::<Map<String, Value>>(&answer.text) else {
            return answer;
        };
        object.insert("ignored_arguments".to_owned(), ignored.into());
        Value::Object(object).to_string()
    } else {
        format!(
            "{}\n[ignored arguments: {}]",
            answer.text,
            ignored.join(", ")
        )
    };
    if estimate_tokens(&text) > output.budget {
        answer
    } else {
        ToolAnswer {
            tokens: estimate_tokens(&text),
            text,
            ..answer
        }
    }
}
