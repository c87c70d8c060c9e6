//! What arguments of tools are made of. Doc comments are what agents read: keep them to a few words.

pub(crate) mod choices;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};

/// How an answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(extend("description" = null))]
#[expect(
    missing_docs,
    reason = "the names are the meaning, and texts would go into every schema"
)]
pub enum Format {
    #[default]
    Concise,
    Detailed,
    Json,
}

/// Tokens of an answer when the caller does not say.
pub(crate) const DEFAULT_MAX_TOKENS: u32 = 2_000;
/// Room for one hit and the footer.
pub(crate) const LEAST_MAX_TOKENS: u32 = 80;
/// Below what clients cut at (25,000).
pub(crate) const MOST_MAX_TOKENS: u32 = 20_000;

// What every tool takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Common {
    /// Path or name
    pub(crate) repo: Option<String>,
    /// Default 2000
    pub(crate) max_tokens: Option<u32>,
    pub(crate) format: Option<Format>,
}

impl Common {
    /// Of a tool that takes no repository.
    pub(crate) fn of(max_tokens: Option<u32>, format: Option<Format>) -> Self {
        Self {
            repo: None,
            max_tokens,
            format,
        }
    }

    /// The budget asked for, within 80 and 20,000.
    pub(crate) fn budget(&self) -> u32 {
        let asked = self.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS);
        asked.clamp(LEAST_MAX_TOKENS, MOST_MAX_TOKENS)
    }

    /// The format asked for.
    pub(crate) fn format(&self) -> Format {
        self.format.unwrap_or_default()
    }
}

/// A list, also when it comes as one string or as strings with commas: models write both.
#[derive(Debug, Default)]
pub(crate) struct Many(pub(crate) Vec<String>);

impl Many {
    /// Paths as globs; see [`path_globs`].
    pub(crate) fn globs(&self) -> Vec<String> {
        path_globs(&self.0)
    }
}

impl JsonSchema for Many {
    fn schema_name() -> Cow<'static, str> {
        "Many".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<String>::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for Many {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum OneOrMany {
            One(String),
            Many(Vec<String>),
        }
        let given = match Option::<OneOrMany>::deserialize(deserializer)? {
            None => Vec::new(),
            Some(OneOrMany::One(one)) => vec![one],
            Some(OneOrMany::Many(many)) => many,
        };
        // A comma inside braces belongs to a glob.
        let split = given.iter().flat_map(|text| {
            if text.contains('{') {
                vec![text.as_str()]
            } else {
                text.split(',').collect()
            }
        });
        let split = split.map(str::trim).filter(|text| !text.is_empty());
        Ok(Self(split.map(str::to_owned).collect()))
    }
}

/// Globs for the paths that a person or an agent names: a folder means everything below it.
pub fn path_globs(paths: &[String]) -> Vec<String> {
    paths.iter().flat_map(|path| path_glob(path)).collect()
}

fn path_glob(path: &str) -> Vec<String> {
    let (bang, path) = match path.strip_prefix('!') {
        Some(rest) => ("!", rest),
        None => ("", path),
    };
    let path = path.trim_start_matches("./").trim_start_matches('/');
    if path.contains(['*', '?', '[', '{']) {
        return vec![format!("{bang}{path}")];
    }
    let folder = path.trim_end_matches('/');
    if folder.is_empty() {
        Vec::new()
    } else {
        vec![format!("{bang}{folder}"), format!("{bang}{folder}/**")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn many(value: serde_json::Value) -> Many {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_list_may_come_as_a_string() {
        for value in [json!("a, b"), json!(["a", "b"]), json!(["a,b"])] {
            assert_eq!(many(value).0, ["a", "b"]);
        }
    }

    #[test]
    fn a_comma_in_braces_is_part_of_the_glob() {
        assert_eq!(many(json!("src/{a,b}/**")).globs(), ["src/{a,b}/**"]);
    }

    #[test]
    fn null_is_as_good_as_leaving_out() {
        assert!(many(json!(null)).0.is_empty());
        let common: Common = serde_json::from_value(json!({"max_tokens": null})).unwrap();
        assert!(common.max_tokens.is_none());
    }

    #[test]
    fn budgets_stay_within_bounds() {
        let budget = |max_tokens| {
            Common {
                max_tokens,
                ..Common::default()
            }
            .budget()
        };
        assert_eq!(budget(None), 2_000);
        assert_eq!(budget(Some(0)), 80);
        assert_eq!(budget(Some(1_000_000)), 20_000);
    }

    #[test]
    fn a_folder_means_everything_below() {
        let globs = |path: &str| path_globs(&[path.to_owned()]);
        assert_eq!(globs("src/"), ["src", "src/**"]);
        assert_eq!(globs("!./src"), ["!src", "!src/**"]);
        assert_eq!(globs("src/*.rs"), ["src/*.rs"]);
        assert!(globs("/").is_empty());
    }
}
