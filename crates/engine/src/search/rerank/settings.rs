//! The reranker's part of the settings file, and what is allowed there.

use super::address::Address;
use crate::api::{RerankMode, RerankSettings};
use crate::error::{EngineError, Result};
use crate::paths::MAX_FILE_BYTES;
use serde::de::{IgnoredAny, IntoDeserializer};
use serde::{Deserialize, Deserializer, Serialize};
use std::path::Path;
use whyrank_system::regular;

/// Only what differs from the defaults is written.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RerankFile {
    #[serde(deserialize_with = "mode_of_today")]
    mode: Option<RerankMode>,
    top_n: Option<u32>,
    time_limit_s: Option<u32>,
    snippet_tokens: Option<u32>,
    /// A model that older versions ran: read and left out.
    #[serde(skip_serializing)]
    model: IgnoredAny,
    endpoint: Option<String>,
    endpoint_model: Option<String>,
    key_env: Option<String>,
    allow_plain_http: Option<bool>,
    agents_wait_s: Option<u32>,
}

impl RerankFile {
    pub(crate) fn of(set: &RerankSettings) -> Self {
        let usual = RerankSettings::default();
        Self {
            mode: changed(&set.mode, &usual.mode),
            top_n: changed(&set.top_n, &usual.top_n),
            time_limit_s: changed(&set.time_limit_s, &usual.time_limit_s),
            snippet_tokens: changed(&set.snippet_tokens, &usual.snippet_tokens),
            model: IgnoredAny,
            endpoint: changed(&set.endpoint, &usual.endpoint),
            endpoint_model: changed(&set.endpoint_model, &usual.endpoint_model),
            key_env: changed(&set.key_env, &usual.key_env),
            allow_plain_http: changed(&set.allow_plain_http, &usual.allow_plain_http),
            agents_wait_s: changed(&set.agents_wait_s, &usual.agents_wait_s),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn apply(self, settings: &mut RerankSettings) {
        take(&mut settings.mode, self.mode);
        take(&mut settings.top_n, self.top_n);
        take(&mut settings.time_limit_s, self.time_limit_s);
        take(&mut settings.snippet_tokens, self.snippet_tokens);
        take(&mut settings.endpoint, self.endpoint);
        take(&mut settings.endpoint_model, self.endpoint_model);
        take(&mut settings.key_env, self.key_env);
        take(&mut settings.allow_plain_http, self.allow_plain_http);
        take(&mut settings.agents_wait_s, self.agents_wait_s);
    }
}

/// The mode of older versions that ran a model on this machine.
const LOCAL: &str = "local";

/// Reads a mode; that of a removed reranker is none.
fn mode_of_today<'de, D>(deserializer: D) -> std::result::Result<Option<RerankMode>, D::Error>
where
    D: Deserializer<'de>,
{
    let name = String::deserialize(deserializer)?;
    if name == LOCAL {
        return Ok(None);
    }
    RerankMode::deserialize(name.into_deserializer()).map(Some)
}

/// Says whether a settings file chooses the removed reranker.
pub(super) fn names_local_model(path: &Path) -> bool {
    let text = regular::read_text(path, MAX_FILE_BYTES).unwrap_or_default();
    let table: toml::Table = toml::from_str(&text).unwrap_or_default();
    let mode = table.get("rerank").and_then(|rerank| rerank.get("mode"));
    mode.and_then(toml::Value::as_str) == Some(LOCAL)
}

fn changed<T: Clone + PartialEq>(value: &T, usual: &T) -> Option<T> {
    (value != usual).then(|| value.clone())
}

fn take<T>(slot: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *slot = value;
    }
}

/// Refuses what cannot be meant.
pub(crate) fn check(settings: &RerankSettings) -> Result<()> {
    let bounds = [
        ("top-n", settings.top_n, 2, 100),
        ("time-limit-s", settings.time_limit_s, 1, 3600),
        ("snippet-tokens", settings.snippet_tokens, 16, 4096),
        ("agents-wait-s", settings.agents_wait_s, 0, 600),
    ];
    for (name, value, least, most) in bounds {
        if !(least..=most).contains(&value) {
            return Err(EngineError::bad_argument(
                format!("the reranker's {name} is {value}"),
                format!("it must be between {least} and {most}"),
            ));
        }
    }
    let key = &settings.key_env;
    let is_name = key
        .chars()
        .all(|char| char.is_ascii_alphanumeric() || char == '_')
        && !key.starts_with(|char: char| char.is_ascii_digit());
    if !is_name {
        return Err(EngineError::bad_argument(
            "the reranker's key-env is not the name of an environment variable",
            "put the key into a variable such as OPENAI_API_KEY and name that; keys are never kept in \
             settings",
        ));
    }
    if settings.mode == RerankMode::Http || !settings.endpoint.is_empty() {
        Address::parse(settings)?;
    }
    if settings.mode == RerankMode::Http && settings.endpoint_model.trim().is_empty() {
        return Err(EngineError::bad_argument(
            "the endpoint's model is not named",
            "name a model that the endpoint serves",
        ));
    }
    Ok(())
}
