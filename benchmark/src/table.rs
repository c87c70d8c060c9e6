//! Answers of runs as rows, for other programs.

use crate::bench::Bench;
use crate::error::Result;
use std::ops::ControlFlow;
use whyrank_eval::{RunInfo, TaskResult};

whyrank_engine::table_row! {
    /// Answers of benchmark runs, newest run first: one row for each task and subject.
    RunRow {
        /// Run.
        run: String,
        /// Moment at which the run began.
        started: String,
        /// Commit of the folder that it ran in, `+` for changes on top.
        commit: Option<String>,
        /// Suite.
        suite: String,
        /// Task.
        task: String,
        /// Who answered.
        subject: String,
        /// Repository.
        repo: String,
        /// Language.
        language: String,
        /// Kind of task.
        category: String,
        /// Metric that stands for the kind.
        metric: String,
        /// Its value; empty where the subject does not do the kind.
        score: Option<f64>,
        /// Tokens of the answer.
        tokens: u32,
        /// Calls.
        calls: u32,
        /// Milliseconds from question to answer.
        wall_ms: f64,
        /// Milliseconds of processor time, where they can be told.
        cpu_ms: Option<f64>,
        /// Error, where there was one.
        error: Option<String>,
    }
}

impl Bench {
    /// Hands over the answers of all runs that are kept, until `each` has enough.
    ///
    /// # Errors
    /// Those of reading a run.
    pub fn each_row(&self, each: &mut dyn FnMut(RunRow) -> ControlFlow<()>) -> Result<()> {
        for run in self.runs() {
            for result in self.results_of(&run.id)? {
                if each(row_of(&run, result)).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn row_of(run: &RunInfo, result: TaskResult) -> RunRow {
    RunRow {
        run: run.id.clone(),
        started: run.started.clone(),
        commit: run.commit.clone(),
        suite: result.suite,
        task: result.task,
        subject: result.subject,
        repo: result.repo,
        language: result.language,
        category: result.category.name().to_owned(),
        metric: result.headline.name().to_owned(),
        score: result.scores.get(&result.headline).copied(),
        tokens: result.tokens,
        calls: result.calls.len() as u32,
        wall_ms: result.wall_ms,
        cpu_ms: result.cpu_ms,
        error: result.error,
    }
}
