//! A reranker behind an endpoint that speaks as OpenAI's chat completions do: vLLM, llama.cpp, Ollama,
//! LM Studio and hosted ones.

use super::address::Address;
use super::failure::failed;
use crate::api::RerankSettings;
use crate::error::{EngineError, Result};
use serde::{Deserialize, Serialize};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use ureq::tls::{RootCerts, TlsConfig};
use whyrank_retrieval::{NoAnswer, Prompt, Ranker, RerankLimits};

/// Bytes of a token at the least, over code in common tokenizers.
const BYTES_PER_TOKEN: usize = 3;
/// What a server serves that was not told otherwise.
const USUAL_CONTEXT: usize = 4096;
/// Snippets in a prompt, and what is around them.
const SNIPPETS: usize = 10;
const AROUND: usize = 1536;
/// Tokens of an answer; models that reason aloud need more than the ranking takes.
const ANSWER_TOKENS: usize = 1024;
/// More is no answer.
const MAX_BODY_BYTES: u64 = 1 << 20;
const MAX_SAID_CHARS: usize = 200;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How often a waiting call looks whether it is still wanted.
const POLL: Duration = Duration::from_millis(50);

pub(super) struct HttpRanker {
    agent: ureq::Agent,
    address: Address,
    model: String,
    key: Option<String>,
    context_tokens: usize,
}

impl HttpRanker {
    /// Checks the settings and reads the key; opens no connection.
    pub(super) fn new(settings: &RerankSettings) -> Result<Self> {
        let address = Address::parse(settings)?;
        Ok(Self {
            agent: agent(&address),
            model: settings.endpoint_model.trim().to_owned(),
            key: key(&settings.key_env)?,
            context_tokens: (settings.snippet_tokens as usize * SNIPPETS + AROUND)
                .max(USUAL_CONTEXT),
            address,
        })
    }
}

/// The key, out of the environment at every use.
fn key(name: &str) -> Result<Option<String>> {
    if name.is_empty() {
        return Ok(None);
    }
    match std::env::var(name) {
        Ok(key) if !key.trim().is_empty() => Ok(Some(key.trim().to_owned())),
        _ => Err(EngineError::new(
            "reranker",
            format!("the environment variable {name} with the endpoint's key is not set"),
            "set it where Whyrank is started from",
        )),
    }
}

/// Redirects are not followed: snippets go where the settings say and nowhere else.
fn agent(address: &Address) -> ureq::Agent {
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .build();
    let config = ureq::Agent::config_builder()
        .tls_config(tls)
        .user_agent("whyrank")
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_connect(Some(CONNECT_TIMEOUT));
    let config = if address.is_loopback {
        config.proxy(None)
    } else {
        config
    };
    config.build().into()
}

#[derive(Serialize)]
struct ChatRequest<'a> {
    model: &'a str,
    messages: [Message<'a>; 2],
    temperature: f64,
    max_tokens: usize,
    stream: bool,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'a str,
    content: &'a str,
}

#[derive(Deserialize)]
struct Answered {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: ChatMessage,
}

#[derive(Deserialize)]
struct ChatMessage {
    content: Option<String>,
}

/// Status and body, or why there are none.
type Outcome = std::result::Result<(u16, String), ureq::Error>;

impl Ranker for HttpRanker {
    fn name(&self) -> String {
        format!("{} at {}", self.model, self.address.host)
    }

    fn context_tokens(&self) -> usize {
        self.context_tokens
    }

    fn n_tokens(&self, text: &str) -> usize {
        text.len().div_ceil(BYTES_PER_TOKEN)
    }

    fn cut<'t>(&self, text: &'t str, max_tokens: usize) -> &'t str {
        let mut end = text.len().min(max_tokens * BYTES_PER_TOKEN);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        &text[..end]
    }

    /// The request runs on a thread of its own, so that a cancel need not wait for the server.
    fn answer(
        &self,
        prompt: &Prompt,
        limits: &RerankLimits<'_>,
    ) -> std::result::Result<String, NoAnswer> {
        let question = ChatRequest {
            model: &self.model,
            messages: [("system", &prompt.system), ("user", &prompt.user)]
                .map(|(role, content)| Message { role, content }),
            temperature: 0.0,
            max_tokens: ANSWER_TOKENS.max(prompt.answer_tokens),
            stream: false,
        };
        let body = serde_json::to_string(&question).map_err(|error| failed(error.to_string()))?;
        let left = limits.deadline.saturating_duration_since(Instant::now());
        let (agent, url) = (self.agent.clone(), self.address.url.clone());
        let key = self.key.clone();
        let (sender, receiver) = channel();
        let spawned = std::thread::Builder::new()
            .name("whyrank-rerank".to_owned())
            .spawn(move || sender.send(post(&agent, &url, key.as_deref(), left, &body)));
        spawned.map_err(|error| failed(format!("no thread for the request: {error}")))?;
        loop {
            match receiver.recv_timeout(POLL) {
                Ok(outcome) => return self.read(outcome),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(failed("the request ended without an answer"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(reason) = limits.stop() {
                        return Err(reason);
                    }
                }
            }
        }
    }
}

fn post(agent: &ureq::Agent, url: &str, key: Option<&str>, left: Duration, body: &str) -> Outcome {
    let mut request = agent
        .post(url)
        .config()
        .timeout_global(Some(left.max(POLL)))
        .build()
        .content_type("application/json");
    if let Some(key) = key {
        request = request.header("Authorization", format!("Bearer {key}"));
    }
    let mut response = request.send(body)?;
    let status = response.status().as_u16();
    let text = response
        .body_mut()
        .with_config()
        .limit(MAX_BODY_BYTES)
        .read_to_string()?;
    Ok((status, text))
}

impl HttpRanker {
    fn read(&self, outcome: Outcome) -> std::result::Result<String, NoAnswer> {
        let host = &self.address.host;
        let (status, text) = match outcome {
            Ok(answered) => answered,
            Err(ureq::Error::Timeout(_)) => return Err(NoAnswer::TimedOut),
            Err(error) => {
                let message = format!("no answer from {host}: {error}; is the server running?");
                return Err(failed(message));
            }
        };
        if status != 200 {
            return Err(failed(self.refusal(status, &text)));
        }
        let answered: Answered = serde_json::from_str(&text).map_err(|error| {
            failed(format!(
                "{host} does not answer as a chat completion: {error}; check the endpoint's address"
            ))
        })?;
        let said = answered.choices.into_iter().next();
        let said = said.and_then(|choice| choice.message.content);
        said.ok_or_else(|| failed(format!("{host} answered without a message")))
    }

    fn refusal(&self, status: u16, text: &str) -> String {
        let host = &self.address.host;
        let what_next = match status {
            300..=399 => "it sends elsewhere, which is not followed: set the final address",
            401 | 403 => "check the key in the environment variable",
            404 => "check the address and the model's name",
            413 => "lower the tokens of a snippet",
            429 => "it is asked too often: wait, or ask another",
            500..=599 => "look into the server's log",
            _ => "check the model's name and the server's log",
        };
        let said = said_by(text);
        if said.is_empty() {
            format!("{host} answered {status}; {what_next}")
        } else {
            format!("{host} answered {status}: {said}; {what_next}")
        }
    }
}

/// The server's own message, on one line.
fn said_by(text: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let places = ["/error/message", "/message", "/detail", "/error"];
    let mut found = places
        .iter()
        .filter_map(|place| json.pointer(place)?.as_str());
    let said = match found.next() {
        Some(said) => said,
        None if text.trim_start().starts_with('<') => "",
        None => text,
    };
    let words: Vec<&str> = said.split_whitespace().collect();
    crate::views::cut(&words.join(" "), MAX_SAID_CHARS).to_owned()
}
