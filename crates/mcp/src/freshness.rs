//! Whether a call's answer is of the files as they are: looked at once a call, said in the first line.

use std::cell::{Cell, RefCell};

use serde_json::{Map, Value};
use whyrank_engine::api::{Freshness, IndexOptions};

use crate::answer::{ToolAnswer, ToolError};
use crate::dispatch::Room;
use crate::present;
use crate::session::{Call, Readiness};

/// How long an answer waits for the update of files that changed.
const WAIT_MS: u32 = 1_000;

/// What a call found out about the files behind its answer.
#[derive(Debug, Default)]
pub struct FreshnessCheck {
    /// The call is about a commit, which does not change.
    is_of_commit: Cell<bool>,
    /// By repository, as each was first needed.
    found: RefCell<Vec<(String, Freshness)>>,
}

impl FreshnessCheck {
    /// Notes what a call asks for, before it runs.
    pub(crate) fn begin(&self, args: &Map<String, Value>) {
        let as_of = args.get("as_of").and_then(Value::as_str);
        self.is_of_commit
            .set(as_of.is_some_and(|as_of| !as_of.trim().is_empty()));
    }

    fn line(&self, named: &[&str]) -> Option<String> {
        let found = self.found.borrow();
        found
            .iter()
            .find_map(|(_, one)| present::freshness(one, named))
    }

    fn behind(&self) -> Option<Value> {
        let found = self.found.borrow();
        let behind = found.iter().find(|(_, one)| !one.is_current());
        behind.and_then(|(_, one)| serde_json::to_value(one).ok())
    }
}

impl Call<'_> {
    /// Sees to it that the index shows a repository's files as they are, and waits for that a second at
    /// most; what is still behind then stands in the answer's first line.
    pub(crate) fn freshen(&self, repo: &str) -> Result<(), ToolError> {
        let check = &self.freshness;
        let is_known = check.found.borrow().iter().any(|(known, _)| known == repo);
        let readiness = self.session.readiness();
        if is_known || check.is_of_commit.get() || readiness == Readiness::Prepared {
            return Ok(());
        }
        let is_own = readiness == Readiness::OnDemand;
        let options = IndexOptions {
            rebuild: false,
            skip_vectors: is_own,
            impatient: is_own,
        };
        let found = self.engine().freshen(repo, WAIT_MS, options)?;
        check.found.borrow_mut().push((repo.to_owned(), found));
        Ok(())
    }

    /// Looks whether files that an answer names were written while it was made.
    fn look_again(&self, answer: &ToolAnswer) {
        let mut found = self.freshness.found.borrow_mut();
        let [(repo, freshness)] = found.as_mut_slice() else {
            return;
        };
        let mut named: Vec<&str> = answer.results.iter().map(|one| one.path.as_str()).collect();
        named.sort_unstable();
        named.dedup();
        if freshness.is_current()
            && let Ok(written) = self.engine().written_since(repo, &named)
            && !written.is_empty()
        {
            freshness.n_behind = u32::try_from(written.len()).unwrap_or(u32::MAX);
            freshness.behind = written;
            freshness.note = "ask again".to_owned();
        }
    }
}

/// Puts what is behind into the first line, or into a field of an answer as JSON.
pub(crate) fn note(
    call: &Call<'_>,
    room: Room,
    outcome: Result<ToolAnswer, ToolError>,
) -> Result<ToolAnswer, ToolError> {
    if let Ok(answer) = &outcome {
        call.look_again(answer);
    }
    let Some(behind) = call.freshness.behind() else {
        return outcome;
    };
    match outcome {
        Ok(answer) => {
            let named: Vec<&str> = answer.results.iter().map(|one| one.path.as_str()).collect();
            let line = call.freshness.line(&named).unwrap_or_default();
            Ok(noted(answer, &line, behind, room))
        }
        Err(error) => {
            let line = call.freshness.line(&[]).unwrap_or_default();
            Err(ToolError {
                message: format!("{line}\n{}", error.message),
                ..error
            })
        }
    }
}

fn noted(answer: ToolAnswer, line: &str, behind: Value, room: Room) -> ToolAnswer {
    let mut structured = answer.structured;
    if let Value::Object(fields) = &mut structured {
        fields.insert("index_behind".to_owned(), behind);
    }
    let text = match room.is_json {
        true => present::json(&structured, room.budget),
        false => format!("{line}\n{}", answer.text),
    };
    let mut noted = ToolAnswer::new(text, answer.results, structured);
    (noted.full, noted.pool) = (answer.full, answer.pool);
    noted
}
