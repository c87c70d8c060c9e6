//! `whyrank index`.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use serde_json::json;
use whyrank_engine::Engine;
use whyrank_engine::api::{EngineEvent, IndexOptions, JobState, ModelPresence, RepoSummary};

use crate::args::IndexArgs;
use crate::interrupt::Interrupt;
use crate::{out, workspace};

/// How to see what is held back, and how to show it.
const ALLOWING: &str =
    "  `whyrank status` lists them; `git config --add whyrank.allow PATH` shows one";

pub(crate) fn run(args: &IndexArgs, json: bool) -> anyhow::Result<()> {
    let interrupt = Interrupt::listen();
    let engine = workspace::open()?;
    let repo = engine.add_repo(&args.path)?;
    if let Some(file) = &args.scip {
        let file =
            std::path::absolute(file).map(|full| (file.as_os_str() != "none").then_some(full))?;
        engine.set_scip(&repo.id, file.as_deref())?;
    }
    let options = IndexOptions {
        rebuild: args.rebuild,
        skip_vectors: args.no_vectors,
        impatient: args.no_wait,
        as_of: args.as_of.clone(),
    };
    let started = Instant::now();
    workspace::index(&engine, &repo.id, options, &interrupt)?;
    let summary = engine.repo(&repo.id)?;
    let seconds = started.elapsed().as_secs_f64();
    if json {
        out::json(&json!({"repo": summary, "seconds": seconds}))?
    } else {
        report(&summary, seconds)?;
        if !args.no_vectors
            && let Some(offer) = offer(&engine, &summary)?
        {
            out::line(&offer)?;
        }
    }
    if args.watch {
        watch(&engine, &summary, &interrupt)
    } else {
        Ok(())
    }
}

fn report(summary: &RepoSummary, seconds: f64) -> anyhow::Result<()> {
    out::line(&format!(
        "indexed {}: {} files, {} symbols, {} chunks in {seconds:.1} s",
        summary.root, summary.files, summary.symbols, summary.chunks
    ))?;
    let coverage = &summary.coverage;
    let note = coverage.vector_note.as_deref();
    out::line(&whyrank_mcp::present::vectors(coverage, note))?;
    if coverage.tokens > 0.0 {
        out::line(&format!("token vectors {:.0}%", coverage.tokens * 100.0))?;
    }
    for skipped in &summary.skipped_by_reason {
        out::line(&format!("left out {}: {}", skipped.count, skipped.reason))?;
        if skipped.is_secret {
            out::line(ALLOWING)?;
        }
    }
    Ok(())
}

/// What the chosen model would bring where it is not installed, and what it would take.
pub(super) fn offer(engine: &Engine, summary: &RepoSummary) -> anyhow::Result<Option<String>> {
    let models = engine.models()?;
    let chosen = models.iter().find(|model| {
        let is_wanted = model.chosen && model.roles.iter().any(|role| role == "bi-encoder");
        is_wanted && !model.import_only && model.state == ModelPresence::Absent
    });
    Ok(chosen.map(|model| {
        let megabytes = model.size_bytes / 1e6;
        let time = match summary.vectors_left_s {
            Some(seconds) => format!(": {} for this repository", minutes(seconds)),
            None => String::new(),
        };
        format!(
            "better lines, slower to index: `whyrank models pull` ({megabytes:.0} MB), then \
             `whyrank index`{time}"
        )
    }))
}

fn minutes(seconds: f64) -> String {
    match (seconds / 60.0).round() {
        n if n < 1.0 => "under a minute".to_owned(),
        1.0 => "about a minute".to_owned(),
        n if n < 120.0 => format!("about {n} minutes"),
        n => format!("about {:.0} hours", n / 60.0),
    }
}

fn watch(engine: &Engine, summary: &RepoSummary, interrupt: &Interrupt) -> anyhow::Result<()> {
    let events = engine.subscribe();
    engine.watch(&summary.id)?;
    out::note("watching for saves and checkouts; Ctrl-C stops it");
    while !interrupt.is_heard() {
        match events.recv_timeout(Duration::from_millis(100)) {
            Ok(EngineEvent::Progress(job)) if job.state == JobState::Done => {
                out::note(&format!("{} is up to date", summary.name));
            }
            Ok(EngineEvent::Progress(job)) if job.state == JobState::Failed => {
                out::note(&whyrank_mcp::present::index_progress(&job));
            }
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(())
}
