//! The files of recorded calls: what is asked, and what was said.
//!
//! A line is `{"command": "…", "given": {…}}` and what was said, `"answer"` or `"error"`. `"in"` names the scene
//! in which it is asked, none for the demo as it is; `"leads_to"` the scene that begins with it.

use super::Said;
use super::same::{difference, is_same, without_figures};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) command: String,
    #[serde(rename = "in", default, skip_serializing_if = "String::is_empty")]
    pub(super) scene: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) leads_to: String,
    #[serde(default)]
    pub(super) given: Map<String, Value>,
    #[serde(
        default,
        deserialize_with = "said",
        skip_serializing_if = "Option::is_none"
    )]
    answer: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// A command that gives nothing says null, which is an answer.
fn said<'de, D: Deserializer<'de>>(kept: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(kept).map(Some)
}

impl Call {
    /// Says the same as before.
    pub(super) fn says(&self, said: &Said) -> bool {
        match said {
            Ok(answer) => self
                .answer
                .as_ref()
                .is_some_and(|kept| self.difference(kept, answer).is_none()),
            Err(error) => {
                let error = super::wire(error);
                self.error
                    .as_ref()
                    .is_some_and(|kept| is_same(kept, &error))
            }
        }
    }

    /// The first place at which two answers differ. Searches may have been asked several times: their figures
    /// are not compared.
    fn difference(&self, old: &Value, new: &Value) -> Option<String> {
        if self.command == "stage_stats" {
            return difference(&without_figures(old), &without_figures(new));
        }
        difference(old, new)
    }

    pub(super) fn was_asked(&self) -> bool {
        self.answer.is_some() || self.error.is_some()
    }

    fn keep(&mut self, said: &Said) {
        (self.answer, self.error) = match said {
            Ok(answer) => (Some(answer.clone()), None),
            Err(error) => (None, Some(super::wire(error))),
        };
    }

    fn is_search(&self) -> bool {
        self.command.starts_with("search")
    }
}

/// A scene: where it begins, and the acts that lead to it, by their places among all calls.
pub(super) struct Scene {
    pub(super) name: String,
    pub(super) begins_with: String,
    pub(super) acts: Vec<usize>,
}

impl Scene {
    /// True of the act that opens this scene, false of those on the way to it.
    pub(super) fn is_of(&self, act: usize) -> bool {
        self.acts.last() == Some(&act)
    }
}

pub(super) struct Calls {
    calls: Vec<Call>,
    /// Each file, and how many calls it has.
    files: Vec<(PathBuf, usize)>,
    updates: bool,
    stale: Vec<String>,
}

impl Calls {
    pub(super) fn read() -> Self {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ui/src/ipc/recorded");
        let entries = std::fs::read_dir(&folder).expect("the folder of recordings");
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
        paths.sort();
        let (mut calls, mut files) = (Vec::new(), Vec::new());
        for path in paths {
            let text = std::fs::read_to_string(&path).expect("a file of recordings");
            let of_file: Vec<Call> = serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            files.push((path, of_file.len()));
            calls.extend(of_file);
        }
        let updates = std::env::var_os("WHYRANK_UPDATE_RECORDED").is_some();
        Self {
            calls,
            files,
            updates,
            stale: Vec::new(),
        }
    }

    pub(super) fn at(&self, at: usize) -> &Call {
        &self.calls[at]
    }

    /// All scenes: those that begin by themselves, the plain one first, then those that acts lead to.
    pub(super) fn scenes(&self) -> Vec<Scene> {
        let opened: Vec<&str> = self
            .calls
            .iter()
            .map(|call| call.leads_to.as_str())
            .collect();
        let mut scenes: Vec<Scene> = Vec::new();
        let mut names: Vec<&str> = self.calls.iter().map(|call| call.scene.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names
            .into_iter()
            .filter(|name| name.is_empty() || !opened.contains(name))
        {
            let name = name.to_owned();
            scenes.push(Scene {
                begins_with: name.clone(),
                name,
                acts: Vec::new(),
            });
        }
        let mut n_opened = 0;
        while n_opened < scenes.len() {
            let of_it =
                |call: &Call| call.scene == scenes[n_opened].name && !call.leads_to.is_empty();
            let acts = self
                .calls
                .iter()
                .enumerate()
                .filter(|(_, call)| of_it(call));
            let next: Vec<Scene> = acts
                .map(|(act, call)| Scene {
                    name: call.leads_to.clone(),
                    begins_with: scenes[n_opened].begins_with.clone(),
                    acts: scenes[n_opened].acts.iter().copied().chain([act]).collect(),
                })
                .collect();
            scenes.extend(next);
            n_opened += 1;
        }
        scenes
    }

    /// The calls of a scene that lead to no other; searches first, which others ask about.
    pub(super) fn in_order(&self, scene: &str) -> Vec<usize> {
        let is_asked = |call: &Call| call.scene == scene && call.leads_to.is_empty();
        let mut order: Vec<usize> = (0..self.calls.len())
            .filter(|at| is_asked(&self.calls[*at]))
            .collect();
        order.sort_by_key(|at| !self.calls[*at].is_search());
        order
    }

    /// Compares what is said with what was kept, or keeps it.
    pub(super) fn say(&mut self, at: usize, said: &Said) {
        let call = &mut self.calls[at];
        // How fast a machine is decides which steps of an index are told of.
        let is_of_the_run = call.command == "events" && call.was_asked();
        if is_of_the_run || call.says(said) {
            return;
        }
        if self.updates {
            call.keep(said);
            return;
        }
        let new = said.as_ref().map_or_else(super::wire, Clone::clone);
        let old = call.answer.as_ref().or(call.error.as_ref());
        let place = call.difference(old.unwrap_or(&Value::Null), &new);
        let place = place.unwrap_or_default();
        self.stale.push(format!(
            "{} {}: {place}",
            call.command,
            Value::Object(call.given.clone())
        ));
    }

    /// Rewrites the files where that is asked for.
    ///
    /// # Panics
    /// An answer is another than the one that was kept.
    pub(super) fn finish(self) {
        let mut rest = self.calls.as_slice();
        for (path, n_calls) in &self.files {
            let (calls, others) = rest.split_at(*n_calls);
            rest = others;
            if self.updates {
                let mut text = String::from("[\n");
                for call in calls {
                    let line = serde_json::to_string(call).expect("a call is plain data");
                    writeln!(text, "{line},").expect("a text takes any line");
                }
                let lines = text.trim_end_matches(",\n").to_owned();
                std::fs::write(path, lines + "\n]\n").expect("the recordings can be written");
            }
        }
        assert!(
            self.stale.is_empty(),
            "the engine answers otherwise than ui/src/ipc/recorded says; run with WHYRANK_UPDATE_RECORDED=1 \
             to ask again:\n{}",
            self.stale.join("\n")
        );
    }
}
