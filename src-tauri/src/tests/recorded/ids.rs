//! Names in place of what differs from one recording to the next: folders, ids and the time of the recording.

use super::Said;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The person's home in the recordings.
const HOME: &str = "/home/me";
/// The moment of the recording, in milliseconds: 28 May 2026, 9:30.
pub(super) const MOMENT_MS: i64 = 1_779_960_600_000;
/// A recording takes less.
const LONGEST_MS: i64 = 600_000;

pub(super) struct Ids {
    /// Each as it is and as it is called, in the order in which they came up.
    names: Vec<(String, String)>,
    n_called: HashMap<String, usize>,
    began_ms: i64,
}

impl Ids {
    pub(super) fn new(home: &Path) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            names: vec![(home.to_string_lossy().into_owned(), HOME.to_owned())],
            n_called: HashMap::new(),
            began_ms: since.map_or(0, |since| since.as_millis() as i64) - 60_000,
        }
    }

    /// Calls an id by a name from now on.
    pub(super) fn call(&mut self, id: &str, name: &str) {
        if id.is_empty()
            || self
                .names
                .iter()
                .any(|(known, name)| known == id || name == id)
        {
            return;
        }
        let n = self.n_called.entry(name.to_owned()).or_default();
        *n += 1;
        let name = if *n > 1 {
            format!("{name}-{n}")
        } else {
            name.to_owned()
        };
        self.names.push((id.to_owned(), name));
        self.longest_first();
    }

    /// One may be the beginning of another.
    fn longest_first(&mut self) {
        self.names
            .sort_by_key(|(id, name)| std::cmp::Reverse((id.len(), name.len())));
    }

    /// Calls something by a name that other things may have as well.
    pub(super) fn also_call(&mut self, id: &str, name: &str) {
        self.names.push((id.to_owned(), name.to_owned()));
        self.longest_first();
    }

    /// Gives arguments with the real ids in them.
    pub(super) fn real(&self, given: &Value) -> Value {
        let mut names: Vec<&(String, String)> = self.names.iter().collect();
        names.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
        texts(given, &|text| {
            names.iter().fold(text.to_owned(), |text, (id, name)| {
                text.replace(name.as_str(), id)
            })
        })
    }

    /// Gives an answer with names in it; ids that came up are named after what is asked.
    pub(super) fn named(&mut self, given: &Value, said: Said) -> Said {
        match said {
            Ok(mut answer) => {
                self.learn(&answer, given);
                self.at_the_moment(&mut answer);
                Ok(texts(&answer, &|text| self.name(text)))
            }
            Err(mut error) => {
                error.message = self.name(&error.message);
                error.hint = self.name(&error.hint);
                Err(error)
            }
        }
    }

    fn name(&self, text: &str) -> String {
        // A link to set an agent up has folders in a form that nobody reads.
        let text = text.split("&config=").next().unwrap_or_default();
        self.names.iter().fold(text.to_owned(), |text, (id, name)| {
            text.replace(id.as_str(), name)
        })
    }

    fn learn(&mut self, answer: &Value, given: &Value) {
        match answer {
            Value::Object(fields) => {
                let text = |key: &str| fields.get(key).and_then(Value::as_str);
                if let Some(id) = text("query_id") {
                    let query = given.pointer("/request/query").and_then(Value::as_str);
                    self.call(id, &format!("q-{}", slug(query.unwrap_or("asked"))));
                }
                if let Some(id) = text("job_id") {
                    self.call(id, "job-1");
                }
                if let (Some(content), Some(id), Some(version)) =
                    (text("content"), text("id"), text("version"))
                {
                    self.call(id, &format!("m-{}", slug(content)));
                    self.call(version, &format!("v-{}", slug(content)));
                }
                fields.values().for_each(|value| self.learn(value, given));
            }
            Value::Array(items) => items.iter().for_each(|item| self.learn(item, given)),
            _ => {}
        }
    }

    /// Times of the recording are one moment.
    fn at_the_moment(&self, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                on_no_machine(fields);
                fields
                    .values_mut()
                    .for_each(|value| self.at_the_moment(value));
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.at_the_moment(item)),
            Value::Number(number) => {
                let figure = number.as_f64().unwrap_or_default();
                for (unit, moment) in [(1.0, MOMENT_MS), (1e3, MOMENT_MS / 1000)] {
                    let after_ms = figure * unit - self.began_ms as f64;
                    if (0.0..LONGEST_MS as f64).contains(&after_ms) {
                        *value = moment.into();
                        return;
                    }
                }
            }
            _ => {}
        }
    }
}

/// Runs of the benchmark tell of the machine that they ran on, and when; a look at the files may be over or not.
fn on_no_machine(fields: &mut Map<String, Value>) {
    let told = [
        ("looked_at", "is_looking", json!(false)),
        ("processor", "system", json!("linux x86_64")),
        ("processor", "cores", json!(8)),
        ("processor", "memory_mib", json!(32_768)),
        ("processor", "processor", json!("A processor")),
        ("started", "seconds", json!(4.0)),
        ("started", "started", json!("2026-05-28T09:30:00Z")),
    ];
    for (of, key, name) in told {
        if fields.contains_key(of)
            && let Some(value) = fields.get_mut(key)
        {
            *value = name;
        }
    }
}

/// Some words of a text, for a name.
fn slug(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words.take(4).collect::<Vec<_>>().join("-").to_lowercase()
}

/// The same with every text changed.
fn texts(value: &Value, change: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        Value::Array(items) => items.iter().map(|item| texts(item, change)).collect(),
        Value::Object(fields) => {
            let changed = fields
                .iter()
                .map(|(key, value)| (change(key), texts(value, change)));
            Value::Object(changed.collect())
        }
        other => other.clone(),
    }
}
