//! Checks of the installation, each with the command that repairs it.

use crate::Engine;
use crate::api::{CheckState, Coverage, DoctorCheck, RepoId, RepoState, RepoSummary};
use std::fs;
use std::path::Path;
use whyrank_inference::ModelState;

/// Queries of the self-test of vector search; each costs a pass over all vectors.
const N_RECALL: u64 = 10;

impl Engine {
    /// Checks the installation and, given a repository (id, name or path), its index: every byte of it
    /// against its checksums, with `deep` the structure of its databases as well.
    pub fn doctor(&self, repo: Option<&str>, deep: bool) -> Vec<DoctorCheck> {
        let mut checks = vec![
            writable("data folder", &self.state.paths.data_dir),
            writable("state folder", &self.state.paths.state_dir),
            self.check_settings(),
            self.check_registry(),
            self.check_model(),
            self.check_reranker(),
        ];
        if let Some(selector) = repo {
            checks.extend(self.check_repo(selector, deep));
        }
        checks
    }

    fn check_settings(&self) -> DoctorCheck {
        let path = &self.state.paths.config_file;
        match crate::settings::load(path) {
            Ok(_) if path.exists() => ok("settings", path.display().to_string()),
            Ok(_) => ok(
                "settings",
                format!("defaults; {} would change them", path.display()),
            ),
            Err(error) => fail("settings", error.message, error.hint),
        }
    }

    fn check_registry(&self) -> DoctorCheck {
        match self.state.registry.checked() {
            Ok((repos, None)) => ok("repositories", format!("{} registered", repos.len())),
            Ok((repos, Some(problem))) => DoctorCheck {
                name: "repositories".to_owned(),
                state: CheckState::Warn,
                message: format!(
                    "{}: its copy is read, {} registered",
                    problem.message,
                    repos.len()
                ),
                fix: "`whyrank repos add PATH` writes it again".to_owned(),
            },
            Err(error) => fail("repositories", error.message, error.hint),
        }
    }

    fn check_model(&self) -> DoctorCheck {
        let name = self.state.settings().model;
        match self.state.encoder() {
            Ok(encoder) => ok(
                "model",
                format!("{name} loads, {} dimensions", encoder.spec().dim),
            ),
            // Search is whole by static vectors; a model is an offer.
            Err(reason) if self.is_by_table_alone() => ok("model", reason),
            Err(reason) => DoctorCheck {
                name: "model".to_owned(),
                state: CheckState::Warn,
                message: reason,
                fix: format!("whyrank models pull {name}"),
            },
        }
    }

    /// Whether the chosen model is not installed, and static vectors stand in for it.
    fn is_by_table_alone(&self) -> bool {
        let state = self.state.model_store().state(&self.state.settings().model);
        matches!(state, Ok(ModelState::Absent)) && self.state.static_encoder().is_ok()
    }

    /// Search is whole without a reranker; one that is set up and cannot run is a warning.
    fn check_reranker(&self) -> DoctorCheck {
        match self.reranker_state() {
            Ok(state) => ok("reranker", state),
            Err(error) => DoctorCheck {
                name: "reranker".to_owned(),
                state: CheckState::Warn,
                message: error.message,
                fix: error.hint,
            },
        }
    }

    fn check_repo(&self, selector: &str, deep: bool) -> Vec<DoctorCheck> {
        let summary = match self.find_repo(selector) {
            Ok(summary) => summary,
            Err(error) => return vec![fail("repository", error.message, error.hint)],
        };
        let index = match summary.state {
            RepoState::Ready | RepoState::Indexing | RepoState::Paused => {
                ok("index", summary.state_note.clone())
            }
            RepoState::Missing => fail("index", summary.state_note.clone(), "whyrank repos remove"),
            RepoState::Partial => DoctorCheck {
                name: "index".to_owned(),
                state: CheckState::Warn,
                message: summary.state_note.clone(),
                fix: format!("whyrank status {} lists what is left out", summary.root),
            },
            RepoState::NotIndexed | RepoState::Stale => DoctorCheck {
                name: "index".to_owned(),
                state: CheckState::Warn,
                message: summary.state_note.clone(),
                fix: format!("whyrank index {}", summary.root),
            },
            RepoState::Failed => fail(
                "index",
                summary.state_note.clone(),
                format!("whyrank index --rebuild {}", summary.root),
            ),
        };
        let coverage = &summary.coverage;
        let vectors = self.vector_check(&summary);
        let tokens = token_check(
            coverage,
            self.has_damaged_tokens(&summary.id),
            &summary.root,
        );
        let by_table = self.static_check(coverage, &summary.root);
        let files = self.check_files(&summary.id, deep);
        let memory = self.check_memory(&summary.id);
        let mut checks = vec![ok("repository", summary.root), index];
        checks.extend(files);
        checks.extend([by_table, vectors, tokens]);
        checks.push(memory);
        checks
    }

    /// Each damaged part of an index, or that there is none.
    fn check_files(&self, repo: &RepoId, deep: bool) -> Vec<DoctorCheck> {
        let Ok(registered) = self.state.registry.get(repo) else {
            return Vec::new();
        };
        let store = self.state.store(&registered);
        let found = store.verify(deep);
        if found.is_empty() {
            let size = store.size_bytes();
            return vec![ok(
                "files",
                format!("{size} bytes, all fit their checksums"),
            )];
        }
        let damaged = found.into_iter().map(|part| {
            let message = format!("{} is damaged: {}", part.path.display(), part.detail);
            fail(
                "files",
                message,
                format!("whyrank index {}", registered.root.display()),
            )
        });
        damaged.collect()
    }

    fn check_memory(&self, repo: &RepoId) -> DoctorCheck {
        let counted = self.n_memo_versions(repo);
        match counted.and_then(|n| Ok((n, self.n_impossible_facts(repo)?))) {
            Ok((n, 0)) => ok("memory", format!("{n} versions of memos")),
            Ok((n, n_impossible)) => DoctorCheck {
                name: "memory".to_owned(),
                state: CheckState::Warn,
                message: format!(
                    "{n} versions of memos; {n_impossible} facts are left out: they name a time that there is not"
                ),
                fix: "whyrank doctor --repair sets them aside".to_owned(),
            },
            Err(error) => fail("memory", error.message, error.hint),
        }
    }

    /// Vectors of the model, which is named.
    fn vector_check(&self, summary: &RepoSummary) -> DoctorCheck {
        let coverage = &summary.coverage;
        let by = coverage.vector_model.as_deref().unwrap_or_default();
        let share = format!("{:.0}% of chunks by {by}", coverage.vector * 100.0);
        match &coverage.vector_note {
            None => match self.vector_recall(&summary.id) {
                Some(recall) => {
                    let found = recall * 100.0;
                    let sketch = format!("their sketch finds {found:.1}% of the ten nearest");
                    ok("vectors", format!("{share}; {sketch}"))
                }
                None => ok("vectors", share),
            },
            Some(note) if self.is_by_table_alone() => ok("vectors", note.clone()),
            Some(note) => DoctorCheck {
                name: "vectors".to_owned(),
                state: CheckState::Warn,
                message: note.clone(),
                fix: format!("whyrank index {}", summary.root),
            },
        }
    }

    /// Those of the static table.
    fn static_check(&self, coverage: &Coverage, root: &str) -> DoctorCheck {
        let share = format!("{:.0}% of chunks", coverage.static_vectors * 100.0);
        match self.state.static_encoder() {
            Ok(_) if coverage.static_vectors >= 1.0 => ok("static vectors", share),
            Ok(_) => DoctorCheck {
                name: "static vectors".to_owned(),
                state: CheckState::Warn,
                message: share,
                fix: format!("whyrank index {root}"),
            },
            Err(reason) => ok("static vectors", reason),
        }
    }

    /// Whether token vectors are there and cannot be read.
    fn has_damaged_tokens(&self, repo: &RepoId) -> bool {
        let (Ok(view), Ok((encoder, _))) = (self.view_of(repo, None), self.state.token_lane())
        else {
            return false;
        };
        view.reader.tokens(encoder.token_spec()).is_err()
    }

    /// How well the sketch of the vectors does, where there are enough vectors for one.
    fn vector_recall(&self, repo: &RepoId) -> Option<f64> {
        let encoder = self.state.encoder().ok()?;
        let view = self.view_of(repo, None).ok()?;
        let visible = &view.visible;
        let recall = view.reader.vector_recall(encoder.spec(), visible, N_RECALL);
        recall.ok().flatten()
    }
}

/// Search is whole without token vectors, so their lack is told and is no warning; damage is one.
fn token_check(coverage: &Coverage, is_damaged: bool, root: &str) -> DoctorCheck {
    let share = format!("{:.0}% of chunks", coverage.tokens * 100.0);
    match &coverage.tokens_note {
        None => ok("token vectors", share),
        Some(note) if !is_damaged => ok("token vectors", format!("{share}; {note}")),
        Some(note) => DoctorCheck {
            name: "token vectors".to_owned(),
            state: CheckState::Warn,
            message: note.clone(),
            fix: format!("whyrank index {root}"),
        },
    }
}

fn writable(name: &str, folder: &Path) -> DoctorCheck {
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    let outcome = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&probe, b""))
        .and_then(|()| fs::remove_file(&probe));
    match outcome {
        Ok(()) => ok(name, folder.display().to_string()),
        Err(error) => fail(
            name,
            format!("{} cannot be written: {error}", folder.display()),
            "check its permissions, or set WHYRANK_HOME to another folder",
        ),
    }
}

fn ok(name: &str, message: String) -> DoctorCheck {
    DoctorCheck {
        name: name.to_owned(),
        state: CheckState::Ok,
        message,
        fix: String::new(),
    }
}

fn fail(name: &str, message: String, fix: impl Into<String>) -> DoctorCheck {
    DoctorCheck {
        name: name.to_owned(),
        state: CheckState::Fail,
        message,
        fix: fix.into(),
    }
}
