//! TypeScript's configurations: tsconfig.json, jsconfig.json and what they extend.
//!
//! A configuration maps the modules of the files below its folder. What it does not say itself it has from those that
//! it extends: files beside it, or of a package of the workspace. Paths lead from the folder of whoever says them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::input::paths;

/// The path that a module of a package of the workspace leads to; none for another package.
type InWorkspace<'w> = &'w dyn Fn(&str) -> Option<String>;

/// So many configurations are followed from one: each is read once, or lists that name each other would be walked
/// on every way there is.
const MOST_EXTENDED: usize = 16;

/// A configuration: where it applies and what it maps.
pub(super) struct Config {
    pub(super) folder: String,
    /// Where modules without a mapping are sought too.
    pub(super) base: Option<String>,
    /// Patterns, each with the paths that it may mean from the root.
    pub(super) mappings: Vec<(String, Vec<String>)>,
}

/// Says whether a file is a configuration, by its name: `tsconfig.json`, `tsconfig.base.json`.
pub(super) fn is_config(name: &str) -> bool {
    let is_named = name.starts_with("tsconfig") || name.starts_with("jsconfig");
    is_named && name.ends_with(".json")
}

/// Configurations as they are written, by path.
#[derive(Default)]
pub(super) struct WrittenConfigs(BTreeMap<String, Value>);

impl WrittenConfigs {
    /// Takes a configuration in. One that cannot be read says nothing.
    pub(super) fn add(&mut self, path: &str, text: &str) {
        if let Ok(json) = serde_json::from_str(&without_comments(text)) {
            self.0.insert(path.to_owned(), json);
        }
    }

    /// What each of them maps, with what it extends; first those that a compiler takes unasked.
    pub(super) fn configs(&self, in_workspace: InWorkspace<'_>) -> Vec<Config> {
        let is_main =
            |path: &&String| matches!(paths::base_name(path), "tsconfig.json" | "jsconfig.json");
        let (main, others): (Vec<&String>, Vec<&String>) = self.0.keys().partition(is_main);
        let configs = main.into_iter().chain(others).filter_map(|path| {
            let said = self.said(path, in_workspace, &mut BTreeSet::new());
            let says = said.base.is_some() || said.mappings.is_some();
            says.then(|| Config {
                folder: paths::parent(path).to_owned(),
                mappings: said.mappings(),
                base: said.base,
            })
        });
        configs.collect()
    }

    /// What a configuration says, after what it extends: of several the last counts.
    fn said(&self, path: &str, in_workspace: InWorkspace<'_>, read: &mut BTreeSet<String>) -> Said {
        let mut said = Said::default();
        let Some(json) = self.0.get(path) else {
            return said;
        };
        if read.len() >= MOST_EXTENDED || !read.insert(path.to_owned()) {
            return said;
        }
        for extended in self.extended(path, json, in_workspace) {
            said.add(self.said(&extended, in_workspace, read));
        }
        said.add(Said::of(path, json));
        said
    }

    fn extended(&self, path: &str, json: &Value, in_workspace: InWorkspace<'_>) -> Vec<String> {
        let named: Vec<&str> = match &json["extends"] {
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            name => name.as_str().into_iter().collect(),
        };
        let lead = |name: &str| {
            let from = match name.starts_with('.') {
                true => paths::join(paths::parent(path), name)?,
                false => in_workspace(name)?,
            };
            let inside = paths::join(&from, "tsconfig.json")?;
            let spelled = [from.clone(), format!("{from}.json"), inside];
            let is_other = |found: &String| found != path && self.0.contains_key(found);
            spelled.into_iter().find(is_other)
        };
        named
            .into_iter()
            .take(MOST_EXTENDED)
            .filter_map(lead)
            .collect()
    }
}

/// What a configuration says, with the folder of who says it.
#[derive(Default)]
struct Said {
    base: Option<String>,
    /// Where the mappings lead from where there is no base.
    folder: String,
    mappings: Option<Vec<(String, Vec<String>)>>,
}

impl Said {
    fn of(path: &str, json: &Value) -> Self {
        let folder = paths::parent(path).to_owned();
        let options = &json["compilerOptions"];
        let base = options["baseUrl"].as_str();
        let paths_of = |targets: &Value| {
            let targets = targets.as_array().into_iter().flatten();
            targets
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect()
        };
        let mappings = options["paths"].as_object().map(|mappings| {
            let mappings = mappings.iter();
            mappings
                .map(|(pattern, targets)| (pattern.clone(), paths_of(targets)))
                .collect()
        });
        Self {
            base: base.and_then(|base| paths::join(&folder, base)),
            folder,
            mappings,
        }
    }

    fn add(&mut self, later: Self) {
        if later.base.is_some() {
            self.base = later.base;
        }
        if later.mappings.is_some() {
            (self.mappings, self.folder) = (later.mappings, later.folder);
        }
    }

    /// The mappings with their paths from the root.
    fn mappings(&self) -> Vec<(String, Vec<String>)> {
        let from = self.base.as_deref().unwrap_or(&self.folder);
        let mappings = self.mappings.iter().flatten();
        let rooted = mappings.map(|(pattern, targets)| {
            let targets = targets
                .iter()
                .filter_map(|target| paths::join(from, target));
            (pattern.clone(), targets.collect())
        });
        rooted.collect()
    }
}

/// JSON with comments and trailing commas, as tsconfig.json may be, made plain.
fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(at) = rest.next() {
        match at {
            '"' => {
                plain.push(at);
                while let Some(inner) = rest.next() {
                    plain.push(inner);
                    match inner {
                        '\\' => plain.extend(rest.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '/' if rest.peek() == Some(&'/') => {
                while rest.next_if(|next| *next != '\n').is_some() {}
            }
            '/' if rest.peek() == Some(&'*') => {
                let mut previous = ' ';
                rest.next();
                for inner in rest.by_ref() {
                    if previous == '*' && inner == '/' {
                        break;
                    }
                    previous = inner;
                }
            }
            '}' | ']' => {
                let kept = plain.trim_end().trim_end_matches(',').len();
                if plain.trim_end().ends_with(',') {
                    plain.truncate(kept);
                }
                plain.push(at);
            }
            at => plain.push(at),
        }
    }
    plain
}
