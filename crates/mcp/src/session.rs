//! What calls share: the engine, the repository they mean, and how they wait for its index.

use parking_lot::{Mutex, MutexGuard};
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value};
use whyrank_engine::api::{
    ClientHello, IndexOptions, JobProgress, JobState, RepoId, RepoName, RepoScope,
};
use whyrank_engine::{Engine, OpenRepo};

use crate::answer::{ToolAnswer, ToolError, ToolResult};
use crate::freshness::FreshnessCheck;
use crate::present;
use crate::reach::{Reach, Standing, out_of_reach};
use crate::result_cache::ResultCache;
use crate::roots::UnnamedRepo;

/// A first call waits this long for an index whose size is not known yet, or that is large.
const QUICK_MS: u32 = 20;
/// Files up to which a first index is worth waiting for: it is there within the patience.
const FEW_FILES: u32 = 64;
/// Files up to which it may be there within a tenth of a second, and what is waited for that.
const SOME_FILES: u32 = 300;
const SOME_MS: u32 = 40;

/// Who sees to it that a repository is indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// The session: it starts indexing in the background and follows saves, and a call waits for
    /// something to search: at most this many milliseconds where there are few files, and hardly at
    /// all where there are many.
    Background {
        /// Milliseconds.
        patience_ms: u32,
    },
    /// The caller, before its first call; what changes later each call looks at itself, and brings up
    /// to date what takes no more than a second.
    OnDemand,
    /// The caller alone: no answer looks whether files changed.
    Prepared,
}

/// Repositories that a session follows at the same time: each takes threads and memory.
const MAX_FOLLOWED: usize = 32;

/// An engine with a default repository, as one client sees it.
pub struct Session {
    shared: Arc<Shared>,
    unnamed: UnnamedRepo,
    kept: ResultCache,
    /// `None` where calls may name all of the machine.
    reach: Option<Reach>,
}

/// The parts that the clients of a server share.
struct Shared {
    engine: Engine,
    readiness: Readiness,
    /// The things that everybody may name, by what they were called.
    known: Mutex<HashMap<String, RepoName>>,
    /// Held while a repository is found and its index started, so that this happens once.
    finding: Mutex<()>,
    /// Repositories that are followed in the background, the one named first at the front.
    followed: Mutex<VecDeque<RepoId>>,
}

impl Session {
    /// Calls that name no repository mean `default_repo`, a path, name or id.
    pub fn new(engine: Engine, default_repo: impl Into<String>, readiness: Readiness) -> Self {
        Self {
            shared: Arc::new(Shared {
                engine,
                readiness,
                known: Mutex::default(),
                finding: Mutex::default(),
                followed: Mutex::default(),
            }),
            unnamed: UnnamedRepo::new(default_repo.into()),
            kept: ResultCache::default(),
            reach: None,
        }
    }

    /// Returns the same for an agent: calls may name what the person registered, what lies in the
    /// default repository, and the folders that the client has open. A person's own command line reaches
    /// everything.
    #[must_use]
    pub fn for_agents(mut self) -> Self {
        self.reach = Some(Reach::default());
        self
    }

    /// Returns the session of another client of the same server, which has nothing open yet and sees
    /// nothing of what others have.
    pub(crate) fn of_another_client(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            unnamed: self.unnamed.of_another_client(),
            kept: ResultCache::default(),
            reach: self.reach.is_some().then(Reach::default),
        }
    }

    /// Says whether an agent asks, and not the person.
    pub(crate) fn is_of_agent(&self) -> bool {
        self.reach.is_some()
    }

    /// Returns the same that serves the home folder, should it be a repository, to a person alone who
    /// registered it: a client may start its server there.
    #[must_use]
    pub fn away_from(mut self, home: Option<&Path>) -> Self {
        self.unnamed = std::mem::take(&mut self.unnamed).away_from(home);
        self
    }

    /// Says whether calls that name no repository need the client's roots to mean one.
    pub(crate) fn needs_roots(&self) -> bool {
        self.is_of_agent() && self.unnamed.needs_roots(self.engine())
    }

    /// Takes over which folders the client has open, in place of those that it had: calls may name what
    /// lies in them, and their repositories stand for a folder that is in none. What it has open no longer
    /// is closed.
    pub(crate) fn open_roots(&self, folders: &[PathBuf]) {
        let Some(reach) = &self.reach else { return };
        self.close(reach.set_folders(folders));
        if !self.needs_roots() {
            return;
        }
        for root in self.unnamed.stand_in(self.engine(), folders) {
            if let Err(error) = self.repo(Some(&root)) {
                tracing::warn!(root, %error, "an open folder is not served");
            }
        }
    }

    /// Whether a call that names this is answered.
    pub(crate) fn reaches(&self, selector: &str) -> Result<bool, ToolError> {
        Ok(self.standing(selector)? != Standing::Beyond)
    }

    fn standing(&self, selector: &str) -> Result<Standing, ToolError> {
        let reach = self.reach.as_ref();
        reach.map_or(Ok(Standing::Anybodys), |reach| {
            reach.standing(self.engine(), &self.unnamed, selector)
        })
    }

    /// Refuses the id of a repository, or of several that were asked as one, of which calls may name none.
    pub(crate) fn check_reach(&self, repo: &str) -> Result<(), ToolError> {
        let id = RepoId::from(repo);
        for part in id.several().unwrap_or_else(|| vec![id]) {
            let is_open = || {
                self.reach
                    .as_ref()
                    .is_some_and(|reach| reach.repo(&part).is_some())
            };
            if self.is_of_agent() && !is_open() && self.engine().known_repo(&part)?.is_none() {
                return Err(out_of_reach(&part));
            }
        }
        Ok(())
    }

    /// The repositories that this client has open and nobody registered.
    pub(crate) fn open_repos(&self) -> Vec<RepoId> {
        self.reach.as_ref().map(Reach::ids).unwrap_or_default()
    }

    /// Returns the engine.
    pub fn engine(&self) -> &Engine {
        &self.shared.engine
    }

    /// The repositories that calls mean which name none, where they are more than one.
    pub(crate) fn several_unnamed(&self) -> Option<Vec<String>> {
        self.unnamed.several()
    }

    /// The workspace that calls mean which name no repository.
    pub(crate) fn default_workspace(&self) -> Result<Option<String>, ToolError> {
        let own = self.unnamed.selector();
        if own.is_empty() {
            return Ok(None);
        }
        let known = self.known().get(&own).cloned();
        let repo = match known {
            None => self.engine().known_repo(&own)?,
            known => known,
        };
        match repo {
            Some(repo) => Ok(self.engine().default_workspace(&repo.id)?),
            None => Ok(None),
        }
    }

    pub(crate) fn readiness(&self) -> Readiness {
        self.shared.readiness
    }

    /// Earlier answers.
    pub(crate) fn kept(&self) -> &ResultCache {
        &self.kept
    }

    /// Makes the default repository known, and in the background mode has it indexed.
    ///
    /// # Errors
    ///
    /// As the engine's `find_repo`.
    pub fn warm_up(&self) -> Result<(), ToolError> {
        // The client may name another folder; else the first call says what is missing.
        if self.needs_roots() {
            return Ok(());
        }
        self.repo(None).map(drop)
    }

    /// Finds a repository, the default one without a selector. Once found it is remembered: a
    /// summary takes longer than most answers. In the background mode its index is brought up to
    /// date and kept so from the first time it is named.
    pub(crate) fn repo(&self, selector: Option<&str>) -> Result<RepoName, ToolError> {
        let unnamed;
        let selector = match selector {
            Some(selector) => selector,
            None => {
                unnamed = self.unnamed.selector();
                &unnamed
            }
        };
        if selector.is_empty() {
            return Err(ToolError::new(
                "bad-argument",
                "it is unclear which repository is meant",
                "pass repo: a path or a name; list_repos shows them",
            ));
        }
        let known = || self.known().get(selector).cloned();
        if let Some(repo) = known() {
            return Ok(repo);
        }
        let _one_at_a_time = self.shared.finding.lock();
        if let Some(repo) = known() {
            return Ok(repo);
        }
        let opened = self.opened(selector)?;
        let is_anybodys = opened.is_none();
        let repo = match opened {
            Some(repo) => repo,
            None => self.engine().name_repo(selector)?,
        };
        let is_followed = self.shared.followed.lock().contains(&repo.id);
        if matches!(self.readiness(), Readiness::Background { .. }) && !is_followed {
            self.follow(&repo)?;
            self.let_go(&repo);
        }
        if is_anybodys {
            self.known().insert(selector.to_owned(), repo.clone());
        }
        Ok(repo)
    }

    /// Opens the repository that is meant where it lies in a folder of the client's alone; nobody is
    /// registered by that.
    pub(crate) fn opened(&self, selector: &str) -> Result<Option<RepoName>, ToolError> {
        match (self.standing(selector)?, &self.reach) {
            (Standing::Beyond, _) => Err(out_of_reach(selector)),
            (Standing::Open, Some(reach)) => reach.open(self.engine(), selector).map(Some),
            _ => Ok(None),
        }
    }

    /// Ends what this client had open. Nobody follows what no client has open any more.
    fn close(&self, repos: Vec<OpenRepo>) {
        let ids: Vec<RepoId> = repos.iter().map(|repo| repo.name().id.clone()).collect();
        drop(repos);
        let is_over = |id: &RepoId| ids.contains(id) && !self.engine().is_open(id);
        self.shared.followed.lock().retain(|id| !is_over(id));
    }

    /// Stops following the repository that was named longest ago, once there are too many; the session's
    /// own is kept. Named again, it is followed again.
    fn let_go(&self, newest: &RepoName) {
        let mut followed = self.shared.followed.lock();
        followed.push_back(newest.id.clone());
        while followed.len() > MAX_FOLLOWED {
            // The first is the one that the session was opened for.
            let oldest = followed.remove(1).unwrap_or_default();
            self.known().retain(|_, known| known.id != oldest);
            self.engine().unwatch(&oldest);
        }
    }

    /// Starts indexing, and to follow saves. No call waits for the latter: it walks the whole tree.
    fn follow(&self, repo: &RepoName) -> Result<(), ToolError> {
        self.engine()
            .start_index(&repo.id, IndexOptions::default())?;
        let (engine, repo) = (self.engine().clone(), repo.clone());
        let watching = std::thread::Builder::new().name("whyrank-follow".to_owned());
        let spawned = watching.spawn(move || {
            // What was saved after the files were listed and before they are watched is looked for
            // once more.
            let watched = engine.watch(&repo.id);
            let followed =
                watched.and_then(|()| engine.start_index(&repo.id, IndexOptions::default()));
            if let Err(error) = followed {
                tracing::warn!(repo = repo.name, %error, "cannot follow saves");
            }
        });
        if let Err(error) = spawned {
            tracing::warn!(%error, "no thread to follow saves");
        }
        Ok(())
    }

    /// The repository that was found by this selector, the default one's without.
    pub(crate) fn found_as(&self, selector: Option<&str>) -> Option<RepoId> {
        let selector = selector.map_or_else(|| self.unnamed.selector(), str::to_owned);
        self.known().get(&selector).map(|repo| repo.id.clone())
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, RepoName>> {
        // A poisoned map is still a map of names.
        self.shared.known.lock()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(reach) = self.reach.take() {
            self.close(reach.into_repos());
        }
    }
}

/// A client and its call.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The client, as it introduced itself.
    pub client: ClientHello,
    /// The id of its request.
    pub call_id: String,
}

/// The tools, as one sees them that calls others.
pub trait Tools {
    /// Returns a tool's own name and its input schema, by any of its names.
    fn find(&self, name: &str) -> Option<(&'static str, Map<String, Value>)>;

    /// Runs a tool within a call that has begun.
    ///
    /// # Errors
    ///
    /// Those of the tool.
    fn run(
        &self,
        name: &str,
        call: &Call<'_>,
        args: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolError>;
}

/// One call of a tool.
pub struct Call<'a> {
    /// What it shares with other calls.
    pub session: &'a Session,
    /// Told about indexing while the call waits for it.
    pub progress: &'a dyn Fn(&JobProgress),
    /// True once the caller has lost interest.
    pub cancelled: &'a dyn Fn() -> bool,
    /// Whether the caller has the call as a task, and waits for no answer.
    pub is_task: bool,
    /// Who calls, as memory records it; `None` for a person.
    pub caller: Option<Caller>,
    /// Whether the index behind the answer is current.
    pub freshness: FreshnessCheck,
    /// The tools, for one that calls others.
    pub tools: &'a dyn Tools,
}

impl<'a> Call<'a> {
    /// The engine.
    pub(crate) fn engine(&self) -> &'a Engine {
        self.session.engine()
    }

    /// Whether there is something to search in a repository within the session's patience.
    pub(crate) fn is_searchable(&self, repo: &RepoId) -> Result<bool, ToolError> {
        let is_searchable = match self.session.readiness() {
            Readiness::Prepared | Readiness::OnDemand => true,
            Readiness::Background { patience_ms } => self.wait(repo, patience_ms)?,
        };
        if is_searchable {
            self.freshen(repo)?;
        }
        Ok(is_searchable)
    }

    /// As [`Call::is_searchable`], for one of several that are waited for since a moment; whether it is
    /// current is looked at for all at once.
    pub(crate) fn is_searchable_since(
        &self,
        repo: &RepoId,
        started: Instant,
    ) -> Result<bool, ToolError> {
        let spent_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
        match self.session.readiness() {
            Readiness::Prepared | Readiness::OnDemand => Ok(true),
            Readiness::Background { patience_ms } => {
                self.wait(repo, patience_ms.saturating_sub(spent_ms))
            }
        }
    }

    /// Waits for something to search, longer where little is to be read.
    fn wait(&self, repo: &RepoId, patience_ms: u32) -> Result<bool, ToolError> {
        let quick_ms = patience_ms.min(QUICK_MS);
        if self.engine().wait_searchable(repo, quick_ms)? {
            return Ok(true);
        }
        let jobs = self.engine().jobs();
        let job = jobs.iter().find(|job| job.repo == *repo);
        let n_files = job.map_or(0, |job| job.total);
        if n_files == 0 || n_files > SOME_FILES {
            return Ok(false);
        }
        let left_ms = patience_ms - quick_ms;
        let more_ms = if n_files <= FEW_FILES {
            left_ms
        } else {
            SOME_MS.min(left_ms)
        };
        Ok(self.engine().wait_searchable(repo, more_ms)?)
    }

    /// The repository that asks several: the default one, or the first of those that are asked.
    pub(crate) fn asking(&self, scope: &RepoScope) -> RepoId {
        let own = self.engine().known_repo(&self.session.unnamed.selector());
        let own = own.ok().flatten().map(|repo| repo.id);
        let first = || scope.repos.first().map(|repo| repo.id.clone());
        own.or_else(first).unwrap_or_default()
    }

    /// The client that calls, and the call; `None` for a person.
    pub(crate) fn client(&self) -> Option<(String, Option<String>)> {
        let caller = self.caller.as_ref();
        caller.map(|caller| (caller.client.name.clone(), Some(caller.call_id.clone())))
    }

    /// What memory takes for a repository: its id, or the folder where there is no git.
    pub(crate) fn memory(&self, selector: Option<&str>) -> Result<RepoId, ToolError> {
        match self.session.repo(selector) {
            Ok(repo) => Ok(repo.id),
            Err(error) if error.code == "not-a-repository" => {
                Ok(selector.unwrap_or(self.session.unnamed.folder()).into())
            }
            Err(error) => Err(error),
        }
    }

    /// Runs `answer` on a repository's id whether or not there is an index: for what git and the files tell.
    /// An index that is there is brought up to date as for other answers, for what it adds.
    pub(crate) fn with_files(
        &self,
        selector: Option<&str>,
        answer: impl FnOnce(&RepoId) -> Result<ToolAnswer, ToolError>,
    ) -> Result<ToolAnswer, ToolError> {
        let repo = self.session.repo(selector)?;
        self.freshness.reads_files();
        // Where there is none yet it is said in the answer what that leaves out.
        self.is_searchable(&repo.id)?;
        answer(&repo.id)
    }

    /// Runs `answer` on a repository's id once there is something to search in it; until then the
    /// answer is how far indexing has come.
    pub(crate) fn when_searchable(
        &self,
        selector: Option<&str>,
        answer: impl FnOnce(&RepoId) -> Result<ToolAnswer, ToolError>,
    ) -> Result<ToolAnswer, ToolError> {
        let started = Instant::now();
        // Each of several was looked at before they were joined.
        if let Some(joined) = selector
            .map(RepoId::from)
            .filter(|id| id.several().is_some())
        {
            for part in joined.several().unwrap_or_default() {
                self.session.repo(Some(&part))?;
            }
            return answer(&joined);
        }
        let repo = self.session.repo(selector)?;
        let is_searchable = match self.session.readiness() {
            Readiness::Prepared | Readiness::OnDemand => true,
            Readiness::Background { patience_ms } => {
                let spent_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
                self.wait(&repo.id, patience_ms.saturating_sub(spent_ms))?
            }
        };
        if is_searchable {
            self.freshen(&repo.id)?;
            return answer(&repo.id);
        }
        let jobs = self.engine().jobs();
        match jobs.iter().find(|job| job.repo == repo.id) {
            Some(job) if job.state == JobState::Failed => Err(failure(job)),
            job => Ok(not_yet(&repo, job)),
        }
    }
}

/// Why a job failed, as a tool's error.
pub(crate) fn failure(job: &JobProgress) -> ToolError {
    match &job.error {
        Some(error) => error.clone().into(),
        None => ToolError::new("internal", "indexing failed", "run `whyrank doctor`"),
    }
}

/// Whether an answer only says how far indexing has come.
pub(crate) fn is_not_yet(answer: &ToolAnswer) -> bool {
    answer.structured.get("job").is_some()
        && answer
            .structured
            .get("state")
            .is_some_and(|state| state == "indexing")
}

fn not_yet(repo: &RepoName, job: Option<&JobProgress>) -> ToolAnswer {
    let progress = job.map_or_else(|| "indexing starts".to_owned(), present::index_progress);
    let text = format!(
        "{} is not searchable yet. {progress}. Ask again in a few seconds, or read files meanwhile.",
        repo.name
    );
    let structured = serde_json::json!({"state": "indexing", "job": job});
    ToolAnswer::new(text, Vec::<ToolResult>::new(), structured)
}
