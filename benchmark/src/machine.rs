//! What a run's record says about the machine and the moment.

use crate::api::RunRequest;
use crate::run::Plan;
use std::process::Command;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use whyrank_eval::{Machine, RunInfo, RunState};

/// The record of a run that begins now.
pub(crate) fn run_info(request: &RunRequest, plan: &Plan, n_wanted: u32) -> RunInfo {
    let now = OffsetDateTime::now_utc();
    let stamp =
        format_description!("[year][month][day]-[hour][minute][second]-[subsecond digits:3]");
    let suites: Vec<String> = plan
        .suites
        .iter()
        .map(|(suite, _)| suite.name.clone())
        .collect();
    let subjects: Vec<_> = plan.subjects.iter().map(|subject| subject.info()).collect();
    let names: Vec<&str> = subjects
        .iter()
        .map(|subject| subject.name.as_str())
        .collect();
    let title = match request.title.trim() {
        "" => format!("{}: {}", suites.join(", "), names.join(", ")),
        title => title.to_owned(),
    };
    RunInfo {
        id: now.format(&stamp).unwrap_or_default(),
        title,
        started: now.format(&Rfc3339).unwrap_or_default(),
        seconds: 0.0,
        state: RunState::Running,
        error: None,
        seed: request.seed,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: commit(),
        machine: machine(),
        suites,
        subjects,
        repositories: Vec::new(),
        n_wanted,
        n_done: 0,
    }
}

/// The commit of the folder that this runs in, if it is Whyrank's own source.
fn commit() -> Option<String> {
    if !std::path::Path::new("crates/retrieval/src/pipeline.rs").exists() {
        return None;
    }
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let head = git(&["rev-parse", "--short=12", "HEAD"])?;
    let is_changed = git(&["status", "--porcelain", "--untracked-files=no"])
        .is_some_and(|status| !status.is_empty());
    Some(if is_changed { format!("{head}+") } else { head })
}

fn machine() -> Machine {
    let line_of = |file: &str, key: &str| -> Option<String> {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let memory = line_of("/proc/meminfo", "MemTotal")
        .and_then(|kib| kib.split_whitespace().next()?.parse::<u64>().ok());
    Machine {
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        processor: line_of("/proc/cpuinfo", "model name").unwrap_or_default(),
        cores: std::thread::available_parallelism().map_or(0, |cores| cores.get() as u32),
        memory_mib: memory.map_or(0, |kib| (kib / 1024) as u32),
    }
}
