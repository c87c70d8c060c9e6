//! The harness as the command line and the window use it.

use crate::api::{RunProgress, RunRequest, SessionCost, SubjectChoice, SuiteChoice};
use crate::checkouts::{Checkouts, Folder, folder};
use crate::choose::{describe, narrow, tell_apart, twin};
use crate::error::{BenchError, Result};
use crate::judged;
use crate::machine;
use crate::own;
use crate::run::{Plan, run};
use crate::store::{End, RunFolder};
use crate::subjects::{self, BASELINES, Subject, WhyrankSubject};
use crate::watch::Watch;
use parking_lot::Mutex;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use whyrank_engine::{Engine, EnginePaths};
use whyrank_eval::suites::{Pin, Source, Suite};
use whyrank_eval::{Defect, RunState, Summary};

/// The harness: a handle that is cheap to clone.
#[derive(Clone)]
pub struct Bench {
    /// The user's engine: repositories to make tasks from, settings, models.
    pub(crate) engine: Engine,
    home: PathBuf,
    paths: EnginePaths,
    current: Arc<Mutex<Option<Watch>>>,
}

impl Bench {
    /// Keeps everything below `<data>/benchmark`; indexes of benchmark repositories are not mixed with
    /// the user's.
    pub fn new(engine: Engine, paths: EnginePaths) -> Self {
        Self {
            engine,
            home: paths.data_dir.join("benchmark"),
            paths,
            current: Arc::default(),
        }
    }

    /// Returns where runs are kept.
    pub fn results(&self) -> PathBuf {
        self.home.join("results")
    }

    /// Returns the user's engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the suites that come with Whyrank, and that of judged hits where there are any.
    ///
    /// # Errors
    /// `Io` when they cannot be unpacked; of the lists of judged hits.
    pub fn suites(&self) -> Result<Vec<SuiteChoice>> {
        let path = crate::tasks::unpack(&self.home.join("tasks"))?;
        let mut suites = vec![describe("own", &path)];
        if let Some(judged) = judged::suite(&self.engine)? {
            suites.push(judged::choice(&self.judged_folder(), &judged));
        }
        Ok(suites)
    }

    fn judged_folder(&self) -> PathBuf {
        self.home.join("judged")
    }

    /// Says who can take part.
    pub fn subjects(&self) -> Vec<SubjectChoice> {
        subjects::choices()
    }

    /// Returns what grep would have cost for the calls of an agent's session that it can answer.
    ///
    /// # Errors
    /// Of the call log.
    pub fn session_cost(&self, session: &str) -> Result<SessionCost> {
        crate::session_cost::session_cost(&self.engine, session)
    }

    /// Returns how the current or last run of this process stands.
    pub fn progress(&self) -> Option<RunProgress> {
        let current = self.current.lock();
        current.as_ref()?.progress()
    }

    /// Asks the current run to end.
    pub fn cancel(&self) {
        let current = self.current.lock();
        if let Some(watch) = current.as_ref() {
            watch.cancel();
        }
    }

    /// Starts a run on a thread of its own; returns its id.
    ///
    /// # Errors
    /// `Request` for suites, subjects or repositories that are none, and when a run is under way.
    pub fn start(&self, request: &RunRequest) -> Result<String> {
        let (watch, prepared) = self.prepare(request, Extra::default())?;
        let id = prepared.folder.info.id.clone();
        std::thread::spawn(move || drop(prepared.run(&watch)));
        Ok(id)
    }

    /// Runs to the end. `on_start` gets the handle that shows progress and cancels.
    ///
    /// # Errors
    /// As [`Bench::start`], and when results cannot be written.
    pub fn run(
        &self,
        request: &RunRequest,
        extra: Extra,
        on_start: impl FnOnce(&Watch),
    ) -> Result<(PathBuf, Summary)> {
        let (watch, prepared) = self.prepare(request, extra)?;
        on_start(&watch);
        let path = self.results().join(&prepared.folder.info.id);
        Ok((path, prepared.run(&watch)?))
    }

    fn prepare(&self, request: &RunRequest, extra: Extra) -> Result<(Watch, Prepared)> {
        if self
            .progress()
            .is_some_and(|progress| progress.state == RunState::Running)
        {
            return Err(BenchError::request(
                "a run is under way",
                "wait for it, or cancel it",
            ));
        }
        let plan = self.plan(request, extra)?;
        let watch = Watch::default();
        let n_wanted = plan.n_wanted();
        let info = machine::run_info(request, &plan, n_wanted);
        watch.begin(&info.id, n_wanted);
        folder(&self.results())?;
        let folder = RunFolder::create(&self.results(), info)?;
        *self.current.lock() = Some(watch.clone());
        Ok((watch, Prepared { plan, folder }))
    }

    /// Returns the suites of `request`, and where their repositories come from.
    ///
    /// # Errors
    /// `Request` for suites that are none, and where no task matches.
    pub fn checkouts_of(&self, request: &RunRequest) -> Result<SuiteCheckouts> {
        Ok(SuiteCheckouts {
            suites: self
                .suites_of(request, Vec::new())?
                .into_iter()
                .map(|(suite, _)| suite)
                .collect(),
            checkouts: self.checkouts(request),
        })
    }

    fn plan(&self, request: &RunRequest, extra: Extra) -> Result<Plan> {
        let Extra { variants, suites } = extra;
        Ok(Plan {
            suites: self.suites_of(request, suites)?,
            subjects: self.who(request, variants)?,
            checkouts: self.checkouts(request),
        })
    }

    /// The suites of a request and these, with the folder of each.
    fn suites_of(&self, request: &RunRequest, extra: Vec<Suite>) -> Result<Vec<(Suite, PathBuf)>> {
        let extra = extra.into_iter().map(|suite| (suite, PathBuf::new()));
        let mut suites: Vec<(Suite, PathBuf)> = extra.collect();
        let mut names: Vec<String> = request.suites.clone();
        if names.is_empty() && suites.is_empty() && request.own_repo.is_none() {
            names.push("own".to_owned());
        }
        for name in &names {
            suites.extend(self.load(name)?);
        }
        for (suite, _) in &mut suites {
            narrow(suite, request);
        }
        if let Some(repo) = &request.own_repo {
            suites.push(self.own_tasks(repo, request)?);
        }
        suites.retain(|(suite, _)| !suite.tasks.is_empty());
        tell_apart(&mut suites);
        if suites.is_empty() {
            return Err(BenchError::request(
                "no task matches",
                "widen the categories, languages or suites",
            ));
        }
        Ok(suites)
    }

    fn checkouts(&self, request: &RunRequest) -> Checkouts {
        Checkouts {
            folders: request
                .folders
                .iter()
                .map(|text| Folder::parse(text))
                .collect(),
            cache: self.home.join("repositories"),
        }
    }

    /// A suite by name or path; an original one brings its corrected twin along.
    fn load(&self, name: &str) -> Result<Vec<(Suite, PathBuf)>> {
        let tasks = crate::tasks::unpack(&self.home.join("tasks"))?;
        if name == "own" {
            return Ok(vec![(
                Suite {
                    name: "own".to_owned(),
                    ..Suite::load(&tasks)?
                },
                tasks,
            )]);
        }
        if name == judged::SUITE {
            let judged = judged::suite(&self.engine)?.filter(|suite| !suite.tasks.is_empty());
            return Ok(vec![(
                judged.ok_or_else(judged::nothing_right)?,
                self.judged_folder(),
            )]);
        }
        let path = PathBuf::from(name);
        if !path.exists() {
            return Err(BenchError::request(
                format!("`{name}` is neither a suite nor a file or folder of tasks"),
                "`whyrank bench suites` lists what there is",
            ));
        }
        let suite = Suite::load(&path)?;
        let is_original = suite
            .tasks
            .iter()
            .any(|task| task.question == whyrank_eval::Question::DeadNames);
        let corrections = tasks.join("original-corrected.jsonl");
        if !is_original || !corrections.exists() {
            return Ok(vec![(suite, path)]);
        }
        let corrected = whyrank_eval::suites::corrected(&suite, &corrections)?;
        Ok(vec![(suite, path.clone()), (corrected, path)])
    }

    fn own_tasks(&self, repo: &str, request: &RunRequest) -> Result<(Suite, PathBuf)> {
        let summary = self.engine.find_repo(repo)?;
        let pin = Pin {
            source: Source::Folder(summary.root.clone()),
            ..Pin::of_key(
                &summary.name,
                summary.head.as_deref().unwrap_or_default(),
                "",
            )
        };
        let mut suite = own::suite(&self.engine, &summary, &pin, request)?;
        // The limit is of the whole suite, and kept to.
        narrow(
            &mut suite,
            &RunRequest {
                limit: 0,
                ..request.clone()
            },
        );
        Ok((suite, PathBuf::from(&summary.root)))
    }

    fn who(
        &self,
        request: &RunRequest,
        variants: Option<Vec<Variant>>,
    ) -> Result<Vec<Box<dyn Subject>>> {
        let all: Vec<String> = std::iter::once("whyrank")
            .chain(BASELINES)
            .map(str::to_owned)
            .collect();
        let names = if request.subjects.is_empty() && variants.is_none() {
            &all
        } else {
            &request.subjects
        };
        if let Some(twin) = twin(names.iter().map(String::as_str)) {
            return Err(BenchError::request(
                format!("the subject `{twin}` is named twice"),
                "name each subject once",
            ));
        }
        let mut who: Vec<Box<dyn Subject>> = Vec::new();
        for variant in variants.into_iter().flatten() {
            let Variant {
                name,
                notes,
                engine,
            } = variant;
            let subject = WhyrankSubject::new(&name, &notes, engine, request.no_vectors);
            who.push(Box::new(subject.looking_behind()));
        }
        for name in names {
            who.push(match name.as_str() {
                "whyrank" => {
                    let subject = WhyrankSubject::new(
                        "whyrank",
                        "through the tools that agents call",
                        self.engine_for("default", request.no_vectors)?,
                        request.no_vectors,
                    );
                    Box::new(if is_of_own_repositories(request) {
                        subject.with_shared_vectors()
                    } else {
                        subject
                    })
                }
                "whyrank-mentions" => Box::new(
                    WhyrankSubject::new(
                        "whyrank-mentions",
                        subjects::MENTIONS,
                        self.engine_for("mentions", request.no_vectors)?,
                        request.no_vectors,
                    )
                    .with_mentions(),
                ),
                "whyrank-pooled" => Box::new(
                    WhyrankSubject::new(
                        "whyrank-pooled",
                        subjects::POOLED,
                        self.engine_for("pooled", request.no_vectors)?,
                        request.no_vectors,
                    )
                    .pooled(),
                ),
                other => subjects::baseline(other)?,
            });
        }
        let called: Vec<String> = who.iter().map(|subject| subject.info().name).collect();
        if let Some(twin) = twin(called.iter().map(String::as_str)) {
            return Err(BenchError::request(
                format!("two subjects are called `{twin}`"),
                "give each a name of its own",
            ));
        }
        Ok(who)
    }

    /// Returns an engine of the benchmark's own, with the user's settings and models. Variants
    /// share indexes.
    ///
    /// # Errors
    /// As opening the engine.
    pub fn engine_for(&self, variant: &str, no_vectors: bool) -> Result<Engine> {
        let home = self.home.join("engine");
        let paths = EnginePaths {
            data_dir: home.join("data"),
            config_file: home.join(variant).join("config.toml"),
            state_dir: home.join("state"),
            // Vectors of an earlier run must not help one that is to do without.
            models_dir: if no_vectors {
                home.join("no-models")
            } else {
                self.paths.models_dir.clone()
            },
        };
        let engine = Engine::open(paths)?;
        engine.set_settings(&self.engine.settings()?)?;
        Ok(engine)
    }
}

/// True where all that is asked is about repositories of the person.
fn is_of_own_repositories(request: &RunRequest) -> bool {
    let are_judged =
        !request.suites.is_empty() && request.suites.iter().all(|name| name == judged::SUITE);
    request.own_repo.is_some() || are_judged
}

/// Suites, and where their repositories come from.
#[derive(Debug)]
pub struct SuiteCheckouts {
    /// Suites.
    pub suites: Vec<Suite>,
    /// Where repositories come from.
    pub checkouts: Checkouts,
}

/// What a request cannot name.
#[derive(Default)]
pub struct Extra {
    /// Whyrank with other settings, in the place of the default subjects.
    pub variants: Option<Vec<Variant>>,
    /// Suites that lie in no file.
    pub suites: Vec<Suite>,
}

/// Whyrank with other settings.
pub struct Variant {
    /// Name in tables.
    pub name: String,
    /// What differs.
    pub notes: String,
    /// An engine with these settings.
    pub engine: Engine,
}

struct Prepared {
    plan: Plan,
    folder: RunFolder,
}

impl Prepared {
    fn run(mut self, watch: &Watch) -> Result<Summary> {
        let started = Instant::now();
        let outcome = run(&mut self.plan, &mut self.folder, watch);
        let state = match &outcome {
            Err(_) => RunState::Failed,
            Ok(()) if watch.is_cancelled() => RunState::Cancelled,
            Ok(()) => RunState::Complete,
        };
        let error = outcome.as_ref().err().map(ToString::to_string);
        if let Some(error) = &error {
            watch.note(error.clone());
        }
        watch.phase("writing the report");
        let defects: Vec<Defect> = self
            .plan
            .suites
            .iter()
            .flat_map(|(suite, _)| suite.defects.clone())
            .collect();
        let end = End {
            state,
            error,
            n_wanted: watch.counts().1,
            seconds: started.elapsed().as_secs_f64(),
        };
        let summary = self.folder.finish(end, &defects);
        watch.end(state);
        outcome?;
        summary
    }
}
