//! What is asked, and what a right answer is. One shape for every task format.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// Kinds of tasks.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type,
)]
pub enum Category {
    /// Where is a symbol defined?
    P1,
    /// Where is it used?
    P2,
    /// Where is a symbol defined or used that another repository defines?
    P3,
    /// What does a file import, and who imports it?
    P4,
    /// Is a symbol dead?
    P5,
    /// Which of these symbols are dead?
    P5S,
    /// Which functions call it?
    #[serde(rename = "CALLERS")]
    Callers,
    /// Which functions may break when it changes?
    #[serde(rename = "IMPACT")]
    Impact,
    /// Who implements, extends or overrides it?
    #[serde(rename = "IMPLEMENTS")]
    Implements,
    /// What is dead in this folder? The whole list.
    #[serde(rename = "DEAD")]
    Dead,
    /// Which tests fail when its body is broken?
    #[serde(rename = "TESTS")]
    Tests,
    /// A doc comment in other words: which function does it describe?
    #[serde(rename = "NLDOC")]
    NlDoc,
    /// The message of a commit: which files did it change?
    #[serde(rename = "NLFIX")]
    NlFix,
    /// An issue as it was filed: which files, functions and lines did its fix change?
    #[serde(rename = "issue")]
    Issue,
    /// A question in words or a name: which files answer it?
    #[serde(rename = "search")]
    Search,
    /// One symbol among all.
    #[serde(rename = "needle")]
    Needle,
    /// Symbols that should come high.
    #[serde(rename = "ranking")]
    Ranking,
    /// The neighbours of a symbol.
    #[serde(rename = "expansion")]
    Expansion,
    /// A query over a corpus of documents.
    #[serde(rename = "corpus")]
    Corpus,
}

impl Category {
    /// Returns its name, as in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::P1 => "P1",
            Self::P2 => "P2",
            Self::P3 => "P3",
            Self::P4 => "P4",
            Self::P5 => "P5",
            Self::P5S => "P5S",
            Self::Callers => "CALLERS",
            Self::Impact => "IMPACT",
            Self::Implements => "IMPLEMENTS",
            Self::Dead => "DEAD",
            Self::Tests => "TESTS",
            Self::NlDoc => "NLDOC",
            Self::NlFix => "NLFIX",
            Self::Issue => "issue",
            Self::Search => "search",
            Self::Needle => "needle",
            Self::Ranking => "ranking",
            Self::Expansion => "expansion",
            Self::Corpus => "corpus",
        }
    }
}

/// A task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Unique in its suite.
    pub id: String,
    /// Key of the repository that it is asked of.
    pub repo: String,
    /// Language.
    pub language: String,
    /// Kind.
    pub category: Category,
    /// What makes it easy or hard, for tables; may be empty.
    pub stratum: String,
    /// The question.
    pub question: Question,
    /// The answer.
    pub expected: Expected,
}

/// Which side of a file's dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// What it imports.
    Imports,
    /// Who imports it.
    Importers,
    /// Both.
    Both,
}

/// What is asked about a symbol that one repository defines and another uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Where it is defined.
    #[default]
    Definition,
    /// Where it is used.
    Uses,
    /// Which functions call it.
    Callers,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Question {
    /// About a symbol: its definition, its uses, its callers.
    Symbol {
        /// Name, bare or qualified.
        symbol: String,
        /// File of the definition meant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// Its line.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
        /// Steps at most, for impact.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_depth: Option<u32>,
        /// Other indexed repositories that may hold the answer.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        elsewhere: Vec<String>,
        /// What is asked across repositories.
        #[serde(default)]
        relation: Relation,
    },
    /// About a file's dependencies.
    File {
        /// Path.
        file: String,
        /// Side.
        direction: Direction,
    },
    /// Whether one symbol is dead.
    Dead {
        /// Name.
        symbol: String,
        /// File of its definition.
        file: String,
        /// Line of its name.
        line: u32,
    },
    /// Which of these are dead.
    DeadAmong {
        /// The candidates.
        symbols: Vec<Place>,
    },
    /// Which exported names of the repository are dead.
    DeadNames,
    /// All that is dead below a folder.
    DeadBelow {
        /// The folder; empty for the repository.
        path: String,
    },
    /// Words.
    Text {
        /// The query.
        text: String,
        /// Path prefix to stay below.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scope: Option<String>,
        /// Symbol kinds to stay with.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        kinds: Vec<String>,
        /// Results that count.
        top_k: u32,
        /// Commit to ask about instead of the working tree.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        as_of: Option<String>,
    },
}

impl Question {
    /// Returns the further repositories that may hold the answer.
    pub fn elsewhere(&self) -> &[String] {
        match self {
            Self::Symbol { elsewhere, .. } => elsewhere,
            _ => &[],
        }
    }
}

impl Question {
    /// Returns the question on one line.
    pub fn line(&self) -> String {
        let at = |file: &str, line: u32| format!("{file}:{line}");
        match self {
            Self::Symbol {
                symbol, file, line, ..
            } => match (file, line) {
                (Some(file), Some(line)) => format!("{symbol} ({})", at(file, *line)),
                (Some(file), None) => format!("{symbol} ({file})"),
                _ => symbol.clone(),
            },
            Self::File {
                file,
                direction: Direction::Imports,
            } => format!("imports of {file}"),
            Self::File {
                file,
                direction: Direction::Importers,
            } => format!("importers of {file}"),
            Self::File {
                file,
                direction: Direction::Both,
            } => format!("imports and importers of {file}"),
            Self::Dead { symbol, file, line } => format!("is {symbol} ({}) dead?", at(file, *line)),
            Self::DeadAmong { symbols } => format!("which of {} symbols are dead?", symbols.len()),
            Self::DeadNames => "which exported names are dead?".to_owned(),
            Self::DeadBelow { path } if path.is_empty() => "what is dead?".to_owned(),
            Self::DeadBelow { path } => format!("what is dead below {path}?"),
            Self::Text { text, .. } => text.clone(),
        }
    }
}

/// A place in a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Place {
    /// Path.
    pub file: String,
    /// First line; 0 means the whole file.
    #[serde(default)]
    pub line: u32,
    /// Last line, inclusive; 0 where only the first is known.
    #[serde(default)]
    pub end_line: u32,
    /// Name, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Repository, where it is not the task's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
}

impl Place {
    /// Returns a whole file.
    pub fn file(path: impl Into<String>) -> Self {
        Self {
            file: path.into(),
            ..Self::default()
        }
    }
}

/// How found places are compared with expected ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matching {
    /// Nearest first, each at most once; what matches an optional place does not count.
    OneToOne,
    /// The original primitives benchmark: any found place near any expected one.
    Lenient,
    /// As [`Matching::Lenient`], and one hit settles it (its P1).
    LenientAny,
}

/// A file that a fix changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatchedFile {
    /// Path before the fix.
    pub path: String,
    /// Lines before the fix that it changed: first and last of each run.
    #[serde(default)]
    pub spans: Vec<(u32, u32)>,
    /// Functions around them.
    #[serde(default)]
    pub functions: Vec<PatchedFunction>,
}

/// A function that a fix changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatchedFunction {
    /// Name, qualified by its class.
    pub name: String,
    /// First line.
    pub start: u32,
    /// Last line, inclusive.
    pub end: u32,
}

impl PatchedFile {
    /// Its functions, or the file where there are none.
    fn places(&self) -> Vec<Place> {
        let functions = self.functions.iter().map(|function| Place {
            line: function.start,
            end_line: function.end,
            symbol: Some(function.name.clone()),
            ..Place::file(&self.path)
        });
        if self.functions.is_empty() {
            vec![Place::file(&self.path)]
        } else {
            functions.collect()
        }
    }
}

/// A right answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Expected {
    /// A set of lines.
    Places {
        /// All of them.
        places: Vec<Place>,
        /// Right as well, but not asked for.
        #[serde(default)]
        optional: Vec<Place>,
        /// Lines off that still count.
        tolerance: u32,
        /// Whether any line inside an expected span counts.
        within_span: bool,
        /// Whether places in tests are optional.
        optional_tests: bool,
        /// Rule.
        matching: Matching,
    },
    /// A set of files.
    Files {
        /// All of them.
        files: Vec<String>,
        /// Right as well, but not asked for.
        #[serde(default)]
        optional: Vec<String>,
        /// Folders whose files do not count.
        #[serde(default)]
        optional_prefixes: Vec<String>,
        /// File names that do not count.
        #[serde(default)]
        optional_basenames: Vec<String>,
    },
    /// Both sides of a file's dependencies, extensions left out (the original's P4).
    Deps {
        /// Imported files.
        imports: Vec<String>,
        /// Importing files.
        importers: Vec<String>,
    },
    /// Whether it is dead.
    Dead {
        /// The truth.
        dead: bool,
    },
    /// A set of names (the original's P5).
    Names {
        /// The names.
        names: Vec<String>,
    },
    /// A ranking in which these files come early.
    Ranked {
        /// Places, each once; those with lines count for the span metrics too.
        relevant: Vec<Place>,
        /// Whether a path that ends with the expected one counts.
        by_suffix: bool,
        /// Whether a place with lines is met only by a result that overlaps them (semble).
        needs_overlap: bool,
        /// Places that a person called wrong: each takes a further rank from what comes after it. Nothing is
        /// known then of what is neither here nor relevant. `None`: whatever is not relevant is wrong.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<Vec<Place>>,
    },
    /// What a fix changed: files, functions in them, lines.
    Patch {
        /// Files, each once.
        files: Vec<PatchedFile>,
    },
    /// Symbols among the first `top_k` (CKB).
    Symbols {
        /// Their names.
        names: Vec<String>,
        /// Share of them that must be there; 0 means any one.
        share: f64,
        /// How many results count.
        top_k: u32,
    },
    /// Graded documents of a corpus.
    Documents {
        /// Grade by document id.
        grades: BTreeMap<String, u32>,
    },
}

impl Expected {
    /// Returns the expected places, as far as the answer has places.
    pub fn places(&self) -> Vec<Place> {
        match self {
            Self::Places { places, .. } => places.clone(),
            Self::Ranked { relevant, .. } => relevant.clone(),
            Self::Files { files, .. } => files.iter().map(Place::file).collect(),
            Self::Patch { files } => files.iter().flat_map(PatchedFile::places).collect(),
            Self::Deps { imports, importers } => {
                imports.iter().chain(importers).map(Place::file).collect()
            }
            Self::Documents { grades } => grades.keys().map(Place::file).collect(),
            Self::Symbols { names, .. } | Self::Names { names } => names
                .iter()
                .map(|name| Place {
                    symbol: Some(name.clone()),
                    ..Place::default()
                })
                .collect(),
            Self::Dead { .. } => Vec::new(),
        }
    }
}
