//! Fixtures that ask the client before they answer: from 2026-07-28 on, questions are a result, and
//! the answers come with the next try.

use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap};

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, GetPromptRequestParams, InputRequests,
    InputRequiredResult, InputResponses,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

use super::arguments::{missing, read};
use super::tasks;

/// The prompt that asks first.
pub(super) const PROMPT: &str = "test_input_required_result_prompt";

/// A fixture with what it asks, round by round.
pub(super) struct FixtureRow {
    name: &'static str,
    rounds: &'static [&'static [Question]],
    /// Whether a state goes to the client and has to come back.
    has_state: bool,
    /// What it says when all is answered.
    pub(super) done: &'static str,
}

/// A key, and what is asked under it.
type Question = (&'static str, Kind);

#[derive(Clone, Copy)]
enum Kind {
    /// A form with one field.
    Form(&'static str),
    Sampling,
    Roots,
}

static ROWS: [FixtureRow; 11] = [
    row("elicitation", &[&[(USER_NAME, Kind::Form("name"))]], false),
    row(
        "sampling",
        &[&[("capital_question", Kind::Sampling)]],
        false,
    ),
    row("list_roots", &[&[("client_roots", Kind::Roots)]], false),
    row("request_state", &[&[("confirm", Kind::Form("ok"))]], true),
    row("tampered_state", &[&[("confirm", Kind::Form("ok"))]], true),
    row("multiple_inputs", &[&ALL_KINDS], true),
    row(
        "multi_round",
        &[
            &[("step1", Kind::Form("name"))],
            &[("step2", Kind::Form("color"))],
        ],
        true,
    ),
    row("capabilities", &[&ALL_KINDS], false),
    row(
        "prompt",
        &[&[("user_context", Kind::Form("context"))]],
        false,
    ),
    row("streaming", &[&[("value", Kind::Form("value"))]], false),
    row("task", &[&[(USER_NAME, Kind::Form("name"))]], false),
];
const ALL_KINDS: [Question; 3] = [
    (USER_NAME, Kind::Form("name")),
    ("greeting", Kind::Sampling),
    ("client_roots", Kind::Roots),
];
/// The key under which a name is asked for.
pub(super) const USER_NAME: &str = "user_name";
/// The one row of this module whose tool has a name without the usual beginning.
const STREAMING: &str = "test_streaming_elicitation";

const fn row(
    name: &'static str,
    rounds: &'static [&'static [Question]],
    has_state: bool,
) -> FixtureRow {
    let done = if has_state { "state-ok" } else { "thank you" };
    FixtureRow {
        name,
        rounds,
        has_state,
        done,
    }
}

/// The row behind a tool or a prompt.
pub(super) fn find(name: &str) -> Option<&'static FixtureRow> {
    let short = match name {
        STREAMING => "streaming",
        tasks::AFTER_ASKING => "task",
        _ => name.strip_prefix("test_input_required_result_")?,
    };
    ROWS.iter().find(|row| row.name == short)
}

/// Names of the tools that ask.
pub(super) fn tools() -> impl Iterator<Item = &'static str> {
    const TOOLS: [&str; 9] = [
        "test_input_required_result_elicitation",
        "test_input_required_result_sampling",
        "test_input_required_result_list_roots",
        "test_input_required_result_request_state",
        "test_input_required_result_tampered_state",
        "test_input_required_result_multiple_inputs",
        "test_input_required_result_multi_round",
        "test_input_required_result_capabilities",
        STREAMING,
    ];
    TOOLS.into_iter()
}

/// What a try brings along.
pub(super) struct Round<'a> {
    responses: Option<&'a InputResponses>,
    state: Option<&'a str>,
    declared: ClientCapabilities,
}

impl<'a> Round<'a> {
    pub(super) fn of_call(
        request: &'a CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Self {
        Self {
            responses: request.input_responses.as_ref(),
            state: request.request_state.as_deref(),
            declared: context.client_capabilities().unwrap_or_default(),
        }
    }

    pub(super) fn of_prompt(
        request: &'a GetPromptRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Self {
        Self {
            responses: request.input_responses.as_ref(),
            state: request.request_state.as_deref(),
            declared: context.client_capabilities().unwrap_or_default(),
        }
    }

    fn answers(&self, key: &str) -> bool {
        let response = self.responses.and_then(|responses| responses.get(key));
        response.is_some_and(Value::is_object)
    }
}

/// What comes next.
pub(super) enum Next {
    Ask(InputRequiredResult),
    Done,
}

/// The states that were given out, each with its round. A state that was not is refused: what a
/// client sends back is its word alone.
#[derive(Default)]
pub(super) struct States(Mutex<HashMap<String, usize>>);

impl States {
    /// Asks, asks again for what is missing, goes on to the next round, or ends.
    pub(super) fn go_on(&self, row: &FixtureRow, turn: &Round<'_>) -> Result<Next, ErrorData> {
        let round = match turn.state {
            None => 0,
            Some(state) => self.round(state)?,
        };
        let asked = allowed(row.rounds[round], &turn.declared)?;
        let came_back = !row.has_state || turn.state.is_some();
        if !came_back || !asked.iter().all(|(key, _)| turn.answers(key)) {
            return self.ask(row, round, &asked);
        }
        match row.rounds.get(round + 1) {
            None => Ok(Next::Done),
            Some(next) => self.ask(row, round + 1, &allowed(next, &turn.declared)?),
        }
    }

    fn ask(&self, row: &FixtureRow, round: usize, asked: &[Question]) -> Result<Next, ErrorData> {
        let asked = asked.iter().map(|(key, kind)| (key, kind.request()));
        let asked: BTreeMap<_, _> = asked.collect();
        let requests: InputRequests = read(json!(asked))?;
        let state = row.has_state.then(|| self.mint(round)).transpose()?;
        Ok(Next::Ask(InputRequiredResult::new(Some(requests), state)))
    }

    fn mint(&self, round: usize) -> Result<String, ErrorData> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let state: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut states = self.0.lock();
        states.insert(state.clone(), round);
        Ok(state)
    }

    fn round(&self, state: &str) -> Result<usize, ErrorData> {
        let states = self.0.lock();
        let round = states.get(state).copied();
        round.ok_or_else(|| ErrorData::invalid_params("no such requestState was given out", None))
    }
}

/// Only what the client has declared is asked of it.
fn allowed(
    questions: &[Question],
    declared: &ClientCapabilities,
) -> Result<Vec<Question>, ErrorData> {
    let is_declared = |kind: Kind| match kind {
        Kind::Form(_) => declared.elicitation.is_some(),
        Kind::Sampling => declared.sampling.is_some(),
        Kind::Roots => declared.roots.is_some(),
    };
    let questions = questions.iter().copied();
    let left: Vec<Question> = questions.filter(|(_, kind)| is_declared(*kind)).collect();
    if left.is_empty() {
        Err(missing(json!({"elicitation": {}})))
    } else {
        Ok(left)
    }
}

impl Kind {
    fn request(self) -> Value {
        let (method, params) = match self {
            Self::Form(field) => return form(field),
            Self::Sampling => {
                let content = json!({"type": "text", "text": "What is the capital of France?"});
                let messages = json!([{"role": "user", "content": content}]);
                let params = json!({"messages": messages, "maxTokens": 100});
                ("sampling/createMessage", params)
            }
            Self::Roots => ("roots/list", json!({})),
        };
        json!({"method": method, "params": params})
    }
}

/// A form with one field.
pub(super) fn form(field: &str) -> Value {
    let kind = if field == "ok" { "boolean" } else { "string" };
    let schema = json!({
        "type": "object",
        "properties": {field: {"type": kind}},
        "required": [field],
    });
    let params = json!({
        "mode": "form",
        "message": format!("Which {field}?"),
        "requestedSchema": schema,
    });
    json!({"method": "elicitation/create", "params": params})
}

/// Asks first, and is a task from its last round on.
pub(crate) const AFTER_ASKING: &str = "test_tool_with_task";
