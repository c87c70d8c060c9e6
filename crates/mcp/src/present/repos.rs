//! What the index is up to.

use whyrank_engine::api::{
    FoundReports, JobProgress, JobStage, JobState, Lane, ModelSummary, RepoHealth, RepoState,
    RepoSummary, ScipImport, SkipCount, SkippedEntry, StageStats,
};

use super::Style;
use super::overview::languages;
use super::page::{Footer, Page, clip, count, percent, thousands, vectors};

const NOTE_CHARS: usize = 160;
/// Reports named in a line.
const MAX_REPORTS: usize = 5;
/// Of why a file could not be parsed wholly.
const REASON_CHARS: usize = 60;
/// Files parsed in part that a concise answer names.
const MAX_PARTLY_PARSED: usize = 3;

/// Writes one repository's state: coverage with reasons, freshness, model, what is wrong.
pub fn status(
    health: &RepoHealth,
    models: &[ModelSummary],
    jobs: &[JobProgress],
    stats: &StageStats,
    style: Style,
) -> String {
    let summary = &health.summary;
    let mut page = Page::new(style.budget);
    page.head(&repo_line(summary));
    page.line(&contents(summary));
    page.line(&coverage(summary));
    for job in jobs
        .iter()
        .filter(|job| job.repo == summary.id && is_live(job))
    {
        page.line(&index_progress(job));
    }
    for model in models.iter().filter(|model| model.chosen) {
        page.line(&format!(
            "model {}: {} ({})",
            model.name, model.state, model.state_note
        ));
    }
    if let Some(scip) = &health.scip {
        page.line(&scip_line(scip));
    }
    for line in reports(&health.reports) {
        page.line(&line);
    }
    if !summary.watch_note.is_empty() {
        page.line(&format!("watching: {}", summary.watch_note));
    }
    for problem in &health.problems {
        page.line(&format!("problem: {problem}"));
    }
    for line in partly_parsed(health, style) {
        page.line(&line);
    }
    if style.detailed {
        page.line(&on_disk(health));
        for line in super::stages::stages(stats) {
            page.line(&line);
        }
    }
    let skipped = if style.detailed {
        health.skipped.as_slice()
    } else {
        &[]
    };
    if style.detailed {
        page.line(&format!(
            "index {} ({})",
            health.index_path, health.compatibility
        ));
        for part in &health.manifest {
            page.line(&format!("  {}: {}", part.name, part.value));
        }
    }
    let lines = skipped
        .iter()
        .map(|skip| format!("left out {}: {}", skip.path, skip.reason));
    let shown = lines.take_while(|line| page.line(line)).count();
    page.finish(&Footer {
        shown,
        total: skipped.len(),
        what: "files left out",
        ..Footer::default()
    })
}

/// `parsed in part: 2 files: src/a.ts (line 96: missing }), …`; each on a line of its own in detail.
fn partly_parsed(health: &RepoHealth, style: Style) -> Vec<String> {
    let files = &health.parse_errors;
    if files.is_empty() {
        return Vec::new();
    }
    let told =
        |file: &SkippedEntry| format!("{} ({})", file.path, clip(&file.reason, REASON_CHARS));
    let head = format!("parsed in part: {}", count(files.len(), "file"));
    if style.detailed {
        let lines = files.iter().map(|file| format!("  {}", told(file)));
        return std::iter::once(head).chain(lines).collect();
    }
    let named = files.iter().take(MAX_PARTLY_PARSED).map(told);
    let mut named: Vec<String> = named.collect();
    if files.len() > MAX_PARTLY_PARSED {
        named.push("…".to_owned());
    }
    vec![format!("{head}: {}", named.join(", "))]
}

/// `on disk 14.2 MB: dense vectors 3.3 MB (3,161 bytes a chunk), …`.
fn on_disk(health: &RepoHealth) -> String {
    let megabytes = |bytes: f64| format!("{:.1} MB", bytes / 1e6);
    let kinds = health.vectors.iter().map(|room| {
        let each = thousands(room.bytes_per_chunk as usize);
        format!(
            "{} {} ({each} bytes a chunk)",
            room.kind,
            megabytes(room.bytes)
        )
    });
    let kinds: Vec<String> = kinds.collect();
    let all = megabytes(health.summary.index_bytes);
    if kinds.is_empty() {
        format!("on disk {all}")
    } else {
        format!("on disk {all}: {}", kinds.join(", "))
    }
}

/// Writes the registered repositories, a line each.
pub fn list_repos(repos: &[RepoSummary], style: Style) -> String {
    let mut page = Page::new(style.budget);
    if repos.is_empty() {
        page.head("no repositories; run index with repo set to a folder");
    }
    let lines = repos.iter().map(|summary| {
        format!(
            "{}; {} files",
            repo_line(summary),
            thousands(summary.files as usize)
        )
    });
    let shown = lines.take_while(|line| page.line(line)).count();
    page.finish(&Footer {
        shown,
        total: repos.len(),
        what: "repositories",
        ..Footer::default()
    })
}

/// Writes where a job is: `indexing (parse): 12 of 120 files`.
pub fn index_progress(job: &JobProgress) -> String {
    let units = match job.lane {
        Lane::Lexical => "files",
        Lane::Vector => "chunks",
    };
    let done = thousands(job.done as usize);
    let eta = job
        .eta_s
        .map(|seconds| format!(", {seconds:.0} s left"))
        .unwrap_or_default();
    match (job.state, job.total) {
        (JobState::Failed, _) => match &job.error {
            Some(error) => format!("indexing failed: {}; {}", error.message, error.hint),
            None => "indexing failed".to_owned(),
        },
        (JobState::Cancelled, _) => "indexing cancelled; the last index still serves".to_owned(),
        (JobState::Done, _) => "indexing done".to_owned(),
        (JobState::Paused, total) => format!("indexing paused: {done} of {total} {units}"),
        (JobState::Running, total)
            if job.stage == JobStage::Waiting && job.lane == Lane::Vector =>
        {
            let total = thousands(total as usize);
            format!("vectors waiting for another repository's: {done} of {total} {units}")
        }
        (JobState::Running, _) if job.stage == JobStage::Waiting => {
            "another process brings the index up to date".to_owned()
        }
        (JobState::Running, 0) => format!("indexing ({}): {done} {units}{eta}", job.stage),
        (JobState::Running, total) => {
            let total = thousands(total as usize);
            format!("indexing ({}): {done} of {total} {units}{eta}", job.stage)
        }
    }
}

/// Reports beside a repository: which answers read, and which they do not.
pub fn reports(found: &FoundReports) -> Vec<String> {
    let named = |is_used: bool| -> Vec<String> {
        let of = found.reports.iter().filter(|one| one.is_used == is_used);
        let named = of.map(|one| match one.note.as_str() {
            "" => format!("{} ({})", one.path, one.kind),
            note => format!("{} ({}, {note})", one.path, one.kind),
        });
        named.collect()
    };
    let (used, unused) = (named(true), named(false));
    let mut lines = Vec::new();
    if !used.is_empty() {
        lines.push(format!("reports in use: {}", some_of(&used, 0)));
    }
    if !unused.is_empty() {
        let unused = some_of(&unused, found.n_more as usize);
        lines.push(format!(
            "reports that no answer reads: {unused}; `whyrank reports use PATH` changes that"
        ));
    }
    lines
}

/// The first few, and how many more.
fn some_of(paths: &[String], n_more: usize) -> String {
    let n_more = n_more + paths.len().saturating_sub(MAX_REPORTS);
    let first = paths[..paths.len().min(MAX_REPORTS)].join(", ");
    match n_more {
        0 => first,
        n => format!("{first} and {n} more"),
    }
}

/// Says what SCIP indexes cover, how old they are and what is missing.
pub fn scip_line(scip: &ScipImport) -> String {
    let age = match scip.age_s {
        seconds if seconds < 3_600 => format!("{} min old", seconds / 60),
        seconds if seconds < 172_800 => format!("{} h old", seconds / 3_600),
        seconds => format!("{} days old", seconds / 86_400),
    };
    let tool = if scip.tool.is_empty() {
        age
    } else {
        format!("{}, {age}", scip.tool)
    };
    let mut parts = vec![format!(
        "precise in {} of {}, {}",
        scip.n_files,
        count(scip.n_code_files as usize, "code file"),
        count(scip.n_uses as usize, "use")
    )];
    parts.extend(scip.notes.iter().map(|note| clip(note, NOTE_CHARS)));
    if !scip.brought.is_empty() {
        let brought = clip(&scip.brought.join(", "), NOTE_CHARS);
        parts.push(format!("the repository itself brought {brought}: its word"));
    }
    format!("scip {} ({tool}): {}", scip.path, parts.join("; "))
}

fn is_live(job: &JobProgress) -> bool {
    matches!(job.state, JobState::Running | JobState::Paused)
}

fn repo_line(summary: &RepoSummary) -> String {
    let at = match (&summary.branch, &summary.head) {
        (Some(branch), Some(head)) => format!(" ({branch} {head})"),
        (None, Some(head)) => format!(" ({head})"),
        _ => String::new(),
    };
    let note = if summary.state_note.is_empty() {
        state_name(summary.state).to_owned()
    } else {
        format!("{}: {}", state_name(summary.state), summary.state_note)
    };
    format!("{} {}{at} {note}", summary.name, summary.root)
}

fn contents(summary: &RepoSummary) -> String {
    let chunks = count(summary.chunks as usize, "chunk");
    let symbols = count(summary.symbols as usize, "symbol");
    if summary.languages.is_empty() {
        format!(
            "{}, {chunks}, {symbols}",
            count(summary.files as usize, "file")
        )
    } else {
        format!("{}; {chunks}, {symbols}", languages(&summary.languages))
    }
}

fn coverage(summary: &RepoSummary) -> String {
    let coverage = &summary.coverage;
    let lexical = percent(coverage.lexical);
    let note = coverage.vector_note.as_deref();
    let mut line = format!("lexical {lexical}, {}", vectors(coverage, note));
    if coverage.tokens > 0.0 {
        line.push_str(&format!(", token vectors {}", percent(coverage.tokens)));
    }
    line.push_str(&format!(", graph {}", summary.graph));
    if !summary.skipped_by_reason.is_empty() {
        line.push_str(&format!(
            "; left out: {}",
            reasons(&summary.skipped_by_reason)
        ));
    }
    line
}

fn reasons(reasons: &[SkipCount]) -> String {
    let reasons = reasons
        .iter()
        .map(|reason| format!("{} {}", reason.count, reason.reason));
    reasons.collect::<Vec<_>>().join(", ")
}

fn state_name(state: RepoState) -> &'static str {
    match state {
        RepoState::NotIndexed => "not indexed",
        RepoState::Indexing => "indexing",
        RepoState::Paused => "paused",
        RepoState::Ready => "ready",
        RepoState::Partial => "partial",
        RepoState::Stale => "stale",
        RepoState::Failed => "failed",
        RepoState::Missing => "missing",
    }
}
