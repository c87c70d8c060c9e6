//! The engine, the repository a command means, and its index brought up to date.

use std::time::Duration;

use whyrank_engine::api::{IndexOptions, JobProgress, JobState, RepoId, RepoState, RepoSummary};
use whyrank_engine::{Engine, EngineError, EnginePaths};
use whyrank_mcp::{Readiness, Session, ToolError, present};

use crate::exit;
use crate::interrupt::Interrupt;
use crate::out;
use crate::progress::Progress;
use crate::unindexed;

/// How often a waiting command looks at its job.
const POLL: Duration = Duration::from_millis(20);
/// How long an answer waits for the update of files that changed.
const WAIT_MS: u32 = 1_000;
/// A search does not wait for vectors.
const LANE_1: IndexOptions = IndexOptions {
    rebuild: false,
    skip_vectors: true,
    impatient: true,
    as_of: None,
};

/// Opens the engine where the environment says.
pub(crate) fn open() -> Result<Engine, EngineError> {
    Engine::open(EnginePaths::from_env()?)
}

/// The repository that a command means: the one named, or the one it runs in.
pub(crate) fn selector(repo: Option<&str>) -> &str {
    repo.unwrap_or(".")
}

/// What a command is asked of.
pub(crate) enum RepoSelection {
    /// One repository; `None` for the one that the command runs in.
    One(Option<String>),
    /// Several, as they were named.
    Several(Vec<String>),
}

/// Tells one repository from several: `all` and a workspace are several, whatever they hold. Where
/// nothing is named, a command that takes several means the workspace that the repository around has by
/// default.
pub(crate) fn scope(
    mut selectors: Vec<String>,
    takes_several: bool,
) -> anyhow::Result<RepoSelection> {
    if selectors.len() > 1 {
        return Ok(RepoSelection::Several(selectors));
    }
    let engine = open()?;
    let one = match selectors.pop() {
        Some(one) => Some(one),
        None if !takes_several => None,
        None => match engine.known_repo(".")? {
            Some(here) => engine.default_workspace(&here.id)?,
            None => None,
        },
    };
    match one {
        Some(one) if engine.is_several(&one)? => Ok(RepoSelection::Several(vec![one])),
        one => Ok(RepoSelection::One(one)),
    }
}

/// A repository that is asked, and whether it has something to search.
pub(crate) enum Readable {
    Indexed(Box<Session>, Box<RepoSummary>),
    /// Answers come from its files.
    Unindexed(Engine, Box<RepoSummary>),
}

/// A session over an index that is ready to search, and brought up to date where that takes no longer
/// than a second.
///
/// In a terminal a small repository that was never indexed is indexed now, a stale one updated; neither in a
/// script, so that no command takes minutes unasked.
pub(crate) fn readable(repo: Option<&str>) -> anyhow::Result<Readable> {
    let engine = open()?;
    let summary = engine.find_repo(selector(repo))?;
    let summary = match summary.state {
        RepoState::NotIndexed if unindexed::is_indexed_first(&engine, &summary)? => {
            out::note(&format!(
                "{} is not indexed yet; indexing it first",
                summary.name
            ));
            update(&engine, summary)?
        }
        RepoState::NotIndexed => return Ok(Readable::Unindexed(engine, Box::new(summary))),
        RepoState::Stale if out::is_interactive() => {
            out::note(&format!("{} has changed; updating its index", summary.name));
            update(&engine, summary)?
        }
        RepoState::Missing => {
            return Err(ToolError::new("path-missing", summary.state_note, "").into());
        }
        _ => summary,
    };
    let session = Session::new(engine, summary.id.clone(), Readiness::OnDemand);
    Ok(Readable::Indexed(Box::new(session), Box::new(summary)))
}

/// The same without making an index where there is none.
pub(crate) fn readable_as_it_is(repo: Option<&str>) -> anyhow::Result<Readable> {
    let engine = open()?;
    let summary = engine.find_repo(selector(repo))?;
    match summary.state {
        RepoState::NotIndexed => Ok(Readable::Unindexed(engine, Box::new(summary))),
        _ => readable(repo),
    }
}

/// The same for a question that only an index answers.
///
/// # Errors
///
/// `index-missing`, and what indexing gives.
pub(crate) fn searchable(repo: Option<&str>) -> anyhow::Result<(Session, RepoSummary)> {
    match readable(repo)? {
        Readable::Indexed(session, summary) => Ok((*session, *summary)),
        Readable::Unindexed(_, summary) => Err(unindexed::missing(&summary).into()),
    }
}

/// Waits a second at most for the files that changed, and says how far the index is behind then.
pub(crate) fn behind(engine: &Engine, repo: &RepoId) -> anyhow::Result<Option<String>> {
    let found = engine.freshen(repo, WAIT_MS, LANE_1)?;
    Ok(present::freshness(&found, &[]))
}

fn update(engine: &Engine, summary: RepoSummary) -> anyhow::Result<RepoSummary> {
    index(engine, &summary.id, LANE_1, &Interrupt::listen())?;
    Ok(engine.repo(&summary.id)?)
}

/// Indexes and shows progress until the job ends; Ctrl-C cancels it.
///
/// # Errors
///
/// The job's error, and `cancelled`.
pub(crate) fn index(
    engine: &Engine,
    repo: &RepoId,
    options: IndexOptions,
    interrupt: &Interrupt,
) -> anyhow::Result<JobProgress> {
    let job = engine.start_index(repo, options)?;
    let mut progress = Progress::new();
    let mut is_cancelled = false;
    let last = loop {
        let jobs = engine.jobs();
        let Some(now) = jobs.into_iter().find(|progress| progress.job_id == job) else {
            break engine.wait_job(&job)?;
        };
        progress.show(&now);
        if !matches!(now.state, JobState::Running | JobState::Paused) {
            break now;
        }
        if interrupt.is_heard() && !is_cancelled {
            engine.cancel_job(&job)?;
            is_cancelled = true;
        }
        std::thread::sleep(POLL);
    };
    progress.finish();
    match last.state {
        JobState::Failed => Err(job_error(&last).into()),
        JobState::Cancelled => Err(ToolError::new(
            "cancelled",
            "indexing was cancelled",
            "the last index still answers; `whyrank index` continues from there",
        )
        .into()),
        _ => Ok(last),
    }
}

fn job_error(job: &JobProgress) -> ToolError {
    match &job.error {
        Some(error) => error.clone().into(),
        None => ToolError::new("failed", "indexing failed", "run `whyrank doctor`"),
    }
}

/// Brings a repository's index up to date for a tool call, vectors included where a model is there.
/// Where that fails, what it has serves, and the answer says how far it is behind.
///
/// # Errors
///
/// What [`index`] gives for a repository without an index, and the engine's errors about `selector`.
pub(crate) fn prepare(
    engine: &Engine,
    selector: &str,
    no_vectors: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<RepoSummary> {
    let summary = engine.find_repo(selector)?;
    if is_whole(engine, &summary, no_vectors)? && engine.is_current(&summary.id)? {
        return Ok(summary);
    }
    if summary.state == RepoState::NotIndexed {
        out::note(&format!("indexing {}", summary.root));
    }
    let options = IndexOptions {
        rebuild: false,
        skip_vectors: no_vectors,
        impatient: true,
        as_of: None,
    };
    match index(engine, &summary.id, options, interrupt) {
        Err(error) if summary.files > 0 && exit::as_tool_error(&error).code != "cancelled" => {
            let why = match exit::as_tool_error(&error) {
                error if error.code == "busy" => "is being indexed by another process".to_owned(),
                error => format!("could not be updated: {}", error.message),
            };
            out::note(&format!("{} {why}; using the last index", summary.root));
        }
        outcome => drop(outcome?),
    }
    Ok(summary)
}

/// Whether all lanes have been through the files that are indexed.
fn is_whole(engine: &Engine, summary: &RepoSummary, no_vectors: bool) -> anyhow::Result<bool> {
    let is_searchable = matches!(
        summary.state,
        RepoState::Ready | RepoState::Partial | RepoState::Stale
    );
    let is_made = is_searchable && summary.graph == "ready";
    Ok(is_made && (no_vectors || engine.is_encoded(&summary.id)?))
}
