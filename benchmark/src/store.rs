//! Folders of runs: `<results>/<stamp>/{run.json, raw.jsonl, summary.json, report.md, report.html}`.

use crate::checkouts::folder;
use crate::error::{BenchError, Result};
use serde::Serialize;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use whyrank_eval::{
    Defect, RepositoryInfo, RunInfo, RunState, SubjectInfo, Summary, TaskResult, report, summarize,
};
use whyrank_system::files;

const RUN: &str = "run.json";
const RAW: &str = "raw.jsonl";

/// A run that is being written.
pub(crate) struct RunFolder {
    path: PathBuf,
    raw: BufWriter<File>,
    pub(crate) info: RunInfo,
}

/// How a run ended.
pub(crate) struct End {
    pub(crate) state: RunState,
    pub(crate) error: Option<String>,
    pub(crate) n_wanted: u32,
    pub(crate) seconds: f64,
}

impl RunFolder {
    /// Makes the folder of a new run.
    pub(crate) fn create(results: &Path, info: RunInfo) -> Result<Self> {
        let path = results.join(&info.id);
        folder(&path)?;
        let file = path.join(RAW);
        let raw = File::create(&file).map_err(|error| BenchError::io(&file, error))?;
        let run = Self {
            path,
            raw: BufWriter::new(raw),
            info,
        };
        run.save_info()?;
        Ok(run)
    }

    /// Adds an answer; it is on disk when this returns.
    pub(crate) fn answer(&mut self, result: &TaskResult) -> Result<()> {
        let line = serde_json::to_string(result).unwrap_or_default();
        let path = self.path.join(RAW);
        let written = writeln!(self.raw, "{line}").and_then(|()| self.raw.flush());
        self.info.n_done += 1;
        written.map_err(|error| BenchError::io(&path, error))
    }

    /// Adds what became of a repository; the same one comes once for each suite.
    pub(crate) fn repository(&mut self, info: RepositoryInfo) -> Result<()> {
        match self
            .info
            .repositories
            .iter_mut()
            .find(|known| known.name == info.name && known.version == info.version)
        {
            Some(known) => {
                known.error = info.error.or(known.error.take());
                known.index_cpu_s = known.index_cpu_s.or(info.index_cpu_s);
            }
            None => self.info.repositories.push(info),
        }
        self.save_info()
    }

    /// Notes who answers; what a subject tells about itself may come with its first repository.
    pub(crate) fn subject(&mut self, info: SubjectInfo) {
        match self
            .info
            .subjects
            .iter_mut()
            .find(|known| known.name == info.name)
        {
            Some(known) => *known = info,
            None => self.info.subjects.push(info),
        }
    }

    /// Ends the run: writes summary and reports.
    pub(crate) fn finish(mut self, end: End, defects: &[Defect]) -> Result<Summary> {
        self.info.state = end.state;
        self.info.error = end.error;
        self.info.n_wanted = end.n_wanted;
        self.info.seconds = end.seconds;
        self.save_info()?;
        let results = read_results(&self.path)?;
        let summary = summarize(&self.info, &results, defects);
        save_json(&self.path.join("summary.json"), &summary)?;
        save(
            &self.path.join("report.md"),
            &report::markdown(&summary, &results),
        )?;
        save(
            &self.path.join("report.html"),
            &report::html(&summary, &results),
        )?;
        Ok(summary)
    }

    fn save_info(&self) -> Result<()> {
        save_json(&self.path.join(RUN), &self.info)
    }
}

fn save_json(path: &Path, value: &impl Serialize) -> Result<()> {
    save(
        path,
        &serde_json::to_string_pretty(value).unwrap_or_default(),
    )
}

/// Writes beside the final place first: a full disk leaves the old file.
pub(crate) fn save(path: &Path, text: &str) -> Result<()> {
    files::replace(path, text.as_bytes()).map_err(|error| BenchError::io(path, error))
}

/// All runs, newest first. Folders that are no runs are passed over.
pub(crate) fn list(results: &Path) -> Vec<RunInfo> {
    let entries = fs::read_dir(results).into_iter().flatten().flatten();
    let mut runs: Vec<RunInfo> = entries
        .filter_map(|entry| read_info(&entry.path()).ok())
        .collect();
    runs.sort_by(|a, b| b.id.cmp(&a.id));
    runs
}

/// The folder of a run: an id, the beginning of one, `latest`, or a path.
pub(crate) fn find(results: &Path, run: &str) -> Result<PathBuf> {
    if Path::new(run).join(RUN).is_file() {
        return Ok(PathBuf::from(run));
    }
    if run == "latest"
        && let Some(newest) = list(results).first()
    {
        return Ok(results.join(&newest.id));
    }
    find_by_id(results, run)
}

/// The folder of a run by its id or the beginning of it, which must fit one run alone.
pub(crate) fn find_by_id(results: &Path, run: &str) -> Result<PathBuf> {
    let runs = list(results);
    let fits: Vec<&RunInfo> = match runs.iter().find(|info| info.id == run) {
        Some(exact) => vec![exact],
        None => runs
            .iter()
            .filter(|info| !run.is_empty() && info.id.starts_with(run))
            .collect(),
    };
    match fits.as_slice() {
        [info] => Ok(results.join(&info.id)),
        [] => Err(BenchError::request(
            format!("there is no run `{run}`"),
            "`whyrank bench list` shows the runs",
        )),
        several => Err(BenchError::request(
            format!("{} runs begin with `{run}`", several.len()),
            "give more of the id; `whyrank bench list` shows them",
        )),
    }
}

/// A run's record. One whose process was killed counts its answers again.
pub(crate) fn read_info(path: &Path) -> Result<RunInfo> {
    let mut info: RunInfo = read_json(&path.join(RUN))?;
    if info.state == RunState::Running {
        let raw = fs::read(path.join(RAW)).unwrap_or_default();
        info.n_done = raw.iter().filter(|byte| **byte == b'\n').count() as u32;
    }
    Ok(info)
}

/// The summary as written, or recomputed for a run whose process was killed.
pub(crate) fn read_summary(path: &Path, is_live: bool) -> Result<Summary> {
    if path.join("summary.json").is_file() {
        return read_json(&path.join("summary.json"));
    }
    let mut info = read_info(path)?;
    if !is_live {
        info.state = RunState::Cancelled;
    }
    Ok(summarize(&info, &read_results(path)?, &[]))
}

/// The answers of a run. A last line that a killed process left half-written is passed over.
pub(crate) fn read_results(path: &Path) -> Result<Vec<TaskResult>> {
    let file = path.join(RAW);
    let text = fs::read_to_string(&file).map_err(|error| BenchError::io(&file, error))?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let mut results = Vec::with_capacity(lines.len());
    for (index, line) in lines.iter().enumerate() {
        match serde_json::from_str(line) {
            Ok(result) => results.push(result),
            Err(_) if index + 1 == lines.len() => {}
            Err(error) => {
                return Err(BenchError::request(
                    format!("{}:{}: {error}", file.display(), index + 1),
                    "the file was changed, or another version wrote it",
                ));
            }
        }
    }
    Ok(results)
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).map_err(|error| BenchError::io(path, error))?;
    serde_json::from_str(&text).map_err(|error| {
        BenchError::request(
            format!("{}: {error}", path.display()),
            "the file was changed, or another version wrote it",
        )
    })
}
