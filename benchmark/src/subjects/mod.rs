//! What answers tasks: Whyrank, the baselines, and adapters for other tools.

mod behind;
mod bm25;
mod command;
mod grep;
mod mcp;
mod random;
mod side_by_side;
mod whyrank;

pub(crate) use bm25::files as text_files;
pub use command::CommandSubject;
pub use mcp::{McpSubject, RivalConfig};
pub use whyrank::WhyrankSubject;

use crate::api::SubjectChoice;
use crate::checkouts::Checkout;
use crate::error::{BenchError, Result};
use crate::process;
use crate::watch::Watch;
use std::path::Path;
use whyrank_eval::{Answer, RepositoryInfo, SubjectInfo, Task};

/// Something that answers tasks about one repository at a time.
pub trait Subject: Send {
    /// Who it is.
    fn info(&self) -> SubjectInfo;

    /// Gets ready for a repository: indexes it, say. Other repositories that its tasks name come
    /// along.
    ///
    /// # Errors
    /// In words; the tasks of this repository then fail with it.
    fn prepare(
        &mut self,
        checkout: &Checkout,
        others: &[Checkout],
        info: &mut RepositoryInfo,
        watch: &Watch,
    ) -> std::result::Result<(), String>;

    /// Whether its questions are asked of all repositories of a suite at once.
    fn is_pooled(&self) -> bool {
        false
    }

    /// Gets ready for all repositories of a suite, each with the folders that its tasks are about (all
    /// of it where there are none); only where [`Subject::is_pooled`].
    ///
    /// # Errors
    /// In words; the tasks of this suite then fail with it.
    fn gather(
        &mut self,
        _members: &[(Checkout, Vec<String>)],
        _watch: &Watch,
    ) -> std::result::Result<(), String> {
        Ok(())
    }

    /// Whether it looks at a commit itself; for others the tree of an issue's commit is laid out.
    fn reads_commits(&self) -> bool {
        false
    }

    /// Answers a task about the repository that was prepared last.
    fn answer(&mut self, task: &Task, watch: &Watch) -> Answer;
}

/// What sets `whyrank-mentions` apart.
pub const MENTIONS: &str =
    "whyrank, with words in comments, strings and documentation among the references (P2)";

/// What sets `whyrank-pooled` apart.
pub const POOLED: &str = "whyrank, asked of all repositories of the suite as one (searches)";

/// Names of the baselines.
pub const BASELINES: [&str; 4] = ["naive-grep", "smart-grep", "smart-grep-fair", "bm25"];

/// Returns the subject of this name. `command:NAME=PROGRAM ARGS` runs a program for each task,
/// `mcp:FILE` a server over standard input and output.
///
/// # Errors
/// `Request` for a name that is none, and for a configuration that cannot be read.
pub fn baseline(name: &str) -> Result<Box<dyn Subject>> {
    if let Some(spec) = name.strip_prefix("command:") {
        return Ok(Box::new(CommandSubject::parse(spec)?));
    }
    if let Some(file) = name.strip_prefix("mcp:") {
        return Ok(Box::new(McpSubject::new(RivalConfig::read(Path::new(
            file,
        ))?)?));
    }
    match name {
        "naive-grep" => Ok(Box::new(grep::Grep::new(grep::GrepStyle::Naive))),
        "smart-grep" => Ok(Box::new(grep::Grep::new(grep::GrepStyle::Smart))),
        "smart-grep-fair" => Ok(Box::new(grep::Grep::new(grep::GrepStyle::Fair))),
        "bm25" => Ok(Box::new(bm25::Bm25::default())),
        "random" => Ok(Box::<random::RandomSubject>::default()),
        other => Err(BenchError::request(
            format!("`{other}` is not a subject"),
            format!(
                "there are whyrank, whyrank-mentions, whyrank-pooled, {}, command:NAME=PROGRAM and mcp:FILE",
                BASELINES.join(", ")
            ),
        )),
    }
}

/// Returns what can take part here.
pub fn choices() -> Vec<SubjectChoice> {
    let has_grep = process::is_there("grep") && process::is_there("sh");
    let why_not =
        |is_grep: bool| (is_grep && !has_grep).then(|| "there is no `grep` on the path".to_owned());
    let choice = |name: &str, notes: &str, is_grep: bool| SubjectChoice {
        name: name.to_owned(),
        notes: notes.to_owned(),
        available: why_not(is_grep).is_none(),
        why_not: why_not(is_grep),
    };
    vec![
        choice(
            "whyrank",
            "this engine, through the tools that agents call",
            false,
        ),
        choice("whyrank-mentions", MENTIONS, false),
        choice("whyrank-pooled", POOLED, false),
        choice("naive-grep", grep::GrepStyle::Naive.notes(), true),
        choice("smart-grep", grep::GrepStyle::Smart.notes(), true),
        choice("smart-grep-fair", grep::GrepStyle::Fair.notes(), true),
        choice("bm25", bm25::NOTES, false),
        choice("random", random::NOTES, false),
    ]
}
