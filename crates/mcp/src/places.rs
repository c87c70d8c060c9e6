//! Arguments that name places, and what an agent may name by them. Every argument of every tool that is
//! a place stands here: a test asks each tool for places elsewhere.

use std::path::{Component, Path};

use serde_json::{Map, Value};

use crate::answer::ToolError;
use crate::session::Call;

/// The thing that an argument names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Repositories; the session says which of them the client reaches.
    Repository,
    /// Something that the index knows below a repository's root: a path, a glob, a path with lines or a symbol.
    BelowRoot,
    /// A file that is read from disk, for one answer.
    Report,
}

/// The arguments that name places, in all tools.
pub(crate) const PLACES: [(&str, Place); 8] = [
    ("repo", Place::Repository),
    ("path", Place::BelowRoot),
    ("from_path", Place::BelowRoot),
    ("to_path", Place::BelowRoot),
    ("current_file", Place::BelowRoot),
    ("anchors", Place::BelowRoot),
    ("evidence_ids", Place::BelowRoot),
    ("coverage", Place::Report),
];

/// Refuses places outside the repository to an agent.
///
/// # Errors
/// `out-of-reach`, `bad-argument`; those of finding the repository.
pub(crate) fn check(call: &Call<'_>, args: &Map<String, Value>) -> Result<(), ToolError> {
    if !call.session.is_of_agent() {
        return Ok(());
    }
    for (name, place) in PLACES {
        for text in texts(args.get(name)) {
            match place {
                Place::Repository => {}
                Place::BelowRoot if leads_out(text) => return Err(outside(text)),
                Place::BelowRoot => {}
                Place::Report => {
                    let selector = texts(args.get("repo")).next();
                    let repo = call.session.repo(selector)?;
                    call.engine().check_report_inside(&repo.id, text)?;
                }
            }
        }
    }
    Ok(())
}

/// The places of an argument, which may be a list or a text with commas.
fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let items = match value {
        Some(Value::Array(items)) => items.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    let items = items.iter().filter_map(Value::as_str);
    items.flat_map(|text| text.split(',')).map(str::trim)
}

/// Says whether a path climbs above where it begins.
fn leads_out(text: &str) -> bool {
    let path = text.trim_start_matches(['!', '{']).replace('\\', "/");
    let mut depth = 0_i32;
    Path::new(&path).components().any(|part| {
        depth += match part {
            Component::Normal(_) => 1,
            Component::ParentDir => -1,
            _ => 0,
        };
        depth < 0
    })
}

fn outside(text: &str) -> ToolError {
    ToolError::new(
        "out-of-reach",
        format!("`{text}` lies outside the repository"),
        "give a path below its root; another repository is named by repo",
    )
}
