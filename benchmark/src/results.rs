//! Runs that are kept: listed, read, compared, exported, deleted.

use crate::api::TaskLine;
use crate::bench::Bench;
use crate::error::{BenchError, Result};
use crate::store;
use std::path::{Path, PathBuf};
use whyrank_engine::api::{QueryId, Trace};
use whyrank_eval::{
    ComparedRun, Comparison, RunInfo, RunState, Summary, TaskResult, compare, report,
};

impl Bench {
    /// Returns runs, newest first.
    pub fn runs(&self) -> Vec<RunInfo> {
        let mut runs = store::list(&self.results());
        let current = self.progress().map(|progress| progress.id);
        for run in &mut runs {
            // Its process is gone without a word.
            if run.state == RunState::Running && Some(&run.id) != current.as_ref() {
                run.state = RunState::Cancelled;
            }
        }
        runs
    }

    /// Returns figures of a run: its id, the beginning of one, `latest`, or its folder.
    ///
    /// # Errors
    /// `Request` when there is none.
    pub fn summary(&self, run: &str) -> Result<Summary> {
        let path = store::find(&self.results(), run)?;
        store::read_summary(&path, self.is_live(&path))
    }

    /// Whether this process is running it.
    fn is_live(&self, path: &Path) -> bool {
        self.progress().is_some_and(|progress| {
            progress.state == RunState::Running && path.ends_with(&progress.id)
        })
    }

    /// Returns answers of a run.
    ///
    /// # Errors
    /// As [`Bench::summary`].
    pub fn results_of(&self, run: &str) -> Result<Vec<TaskResult>> {
        store::read_results(&store::find(&self.results(), run)?)
    }

    /// Returns answers of a run without their content, for a table.
    ///
    /// # Errors
    /// As [`Bench::summary`].
    pub fn tasks(&self, run: &str) -> Result<Vec<TaskLine>> {
        Ok(self
            .results_of(run)?
            .into_iter()
            .map(TaskLine::from)
            .collect())
    }

    /// Returns one answer of a run.
    ///
    /// # Errors
    /// As [`Bench::summary`].
    pub fn task(&self, run: &str, suite: &str, subject: &str, task: &str) -> Result<TaskResult> {
        let results = self.results_of(run)?;
        let found = results
            .into_iter()
            .find(|line| line.suite == suite && line.subject == subject && line.task == task);
        found.ok_or_else(|| {
            BenchError::request(
                format!("`{subject}` has no answer to `{task}` in this run"),
                "choose another run",
            )
        })
    }

    /// Returns the trace of a search that a run made, or of the user's own.
    ///
    /// # Errors
    /// `unknown-query` when it is not kept any more.
    pub fn explain(&self, query_id: &QueryId) -> Result<Trace> {
        if let Ok(trace) = self.engine.explain(query_id) {
            return Ok(trace);
        }
        Ok(self.engine_for("default", true)?.explain(query_id)?)
    }

    /// Returns two runs side by side.
    ///
    /// # Errors
    /// As [`Bench::summary`].
    pub fn compare(&self, base: &str, other: &str) -> Result<Comparison> {
        let first = self.results_of(base)?;
        let second = self.results_of(other)?;
        let id = |run: &str| {
            store::find(&self.results(), run)
                .and_then(|path| store::read_info(&path))
                .map(|info| info.id)
        };
        let (base, other) = (id(base)?, id(other)?);
        let run = |id, results| ComparedRun { id, results };
        Ok(compare(run(&base, &first), run(&other, &second), 1))
    }

    /// Returns a report of a run as text: `html`, `md`, `json` or `csv`.
    ///
    /// # Errors
    /// As [`Bench::summary`]; `Request` for another format.
    pub fn report(&self, run: &str, format: &str) -> Result<String> {
        let summary = self.summary(run)?;
        let results = self.results_of(run)?;
        match format {
            "html" => Ok(report::html(&summary, &results)),
            "md" | "markdown" => Ok(report::markdown(&summary, &results)),
            "json" => Ok(serde_json::to_string_pretty(&summary).unwrap_or_default()),
            "csv" => Ok(report::csv(&results)),
            other => Err(BenchError::request(
                format!("`{other}` is not a format"),
                "there are html, md, json and csv",
            )),
        }
    }

    /// Writes a report; returns the path.
    ///
    /// # Errors
    /// As [`Bench::report`], and `Io`.
    pub fn export(&self, run: &str, format: &str, path: &Path) -> Result<PathBuf> {
        store::save(path, &self.report(run, format)?)?;
        Ok(path.to_owned())
    }

    /// Deletes a run.
    ///
    /// # Errors
    /// `Request` for a run that is none or under way, `Io`.
    pub fn delete(&self, run: &str) -> Result<()> {
        let path = store::find_by_id(&self.results(), run)?;
        let is_current = self.is_live(&path);
        if is_current {
            return Err(BenchError::request(
                "the run is under way",
                "cancel it first",
            ));
        }
        std::fs::remove_dir_all(&path).map_err(|error| BenchError::io(&path, error))
    }
}

impl From<TaskResult> for TaskLine {
    fn from(line: TaskResult) -> Self {
        Self {
            value: line.value(),
            calls: line.calls.len() as u32,
            suite: line.suite,
            task: line.task,
            subject: line.subject,
            repo: line.repo,
            language: line.language,
            category: line.category,
            stratum: line.stratum,
            question: line.question,
            headline: line.headline,
            tokens: line.tokens,
            wall_ms: line.wall_ms,
            error: line.error,
            unsupported: line.unsupported,
        }
    }
}
