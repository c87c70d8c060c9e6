//! An answer depends on what the view shows, never on what the store went through.

use crate::fixture::Fixture;
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;
use whyrank_index::{JobControl, Stage, Store, Unattended, ViewKey, WriteMode};
use whyrank_inference::FakeBiEncoder;
use whyrank_source::Repository;

const QUESTIONS: [&str; 6] = [
    "how are routes registered",
    "Router.add_route",
    "open session of the app",
    "returns the handler of a route",
    "sessions",
    "value path",
];

#[derive(Clone, Debug)]
enum Step {
    /// Adds a function to a file; the text is often one that stands elsewhere already.
    Edit {
        file: usize,
        text: usize,
    },
    Write {
        name: usize,
        text: usize,
    },
    Copy {
        from: usize,
        name: usize,
    },
    Delete {
        file: usize,
    },
    Update,
    /// Ends before it is through, as a killed writer does: nothing is swept or finished.
    CutUpdate {
        after: usize,
    },
    Embed {
        after: usize,
    },
    Commit,
    ViewCommit,
    Rebuild,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..9usize, 0..6usize).prop_map(|(file, text)| Step::Edit { file, text }),
        3 => (0..6usize, 0..6usize).prop_map(|(name, text)| Step::Write { name, text }),
        2 => (0..9usize, 0..6usize).prop_map(|(from, name)| Step::Copy { from, name }),
        1 => (0..9usize).prop_map(|file| Step::Delete { file }),
        4 => Just(Step::Update),
        2 => (0..12usize).prop_map(|after| Step::CutUpdate { after }),
        2 => (0..6usize).prop_map(|after| Step::Embed { after }),
        1 => Just(Step::Commit),
        1 => Just(Step::ViewCommit),
        1 => Just(Step::Rebuild),
    ]
}

const TEXTS: [&str; 6] = [
    "def register(router, path, handler):\n    return router.add_route(path, handler)\n",
    "def close_session(app):\n    app.session = None\n    return app\n",
    "class Handler:\n    def value(self, path):\n        return path.value\n",
    "def routes(app):\n    \"\"\"Returns the routes of an app, and the handler of each.\"\"\"\n    return app.router.routes\n",
    "",
    "value = 1\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, max_shrink_iters: 40, ..ProptestConfig::default() })]
    #[test]
    fn an_answer_is_that_of_a_fresh_index_after_any_history(steps in prop::collection::vec(step(), 4..20)) {
        let history = History::new();
        for step in &steps {
            history.take(step);
        }
        prop_assert_eq!(answers(&history.folder, "lived"), answers(&history.folder, "fresh"));
    }
}

/// Every row of each answer with its terms, to the last bit of its score.
fn answers(folder: &Arc<TempDir>, store: &str) -> Vec<String> {
    let fixture = Fixture::over(Arc::clone(folder), store);
    let ask = |question: &&str| {
        let outcome = fixture.ask(question);
        format!("{question}: {:#?}", outcome.trace.rows)
    };
    QUESTIONS.iter().map(ask).collect()
}

struct History {
    folder: Arc<TempDir>,
}

impl History {
    fn new() -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let root = folder.path().join("shop");
        git2::Repository::init(&root).unwrap();
        for (at, text) in TEXTS.iter().enumerate().take(4) {
            fs::write(root.join(format!("first{at}.py")), text).unwrap();
        }
        let history = Self { folder };
        history.take(&Step::Update);
        history.take(&Step::Commit);
        history
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.root()).unwrap().flatten();
        let files = entries.map(|entry| entry.path());
        let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
        files.sort();
        files
    }

    fn nth(&self, at: usize) -> Option<PathBuf> {
        let files = self.files();
        (!files.is_empty()).then(|| files[at % files.len()].clone())
    }

    fn named(&self, name: usize) -> PathBuf {
        // Some names sort before all that is there, some behind.
        self.root()
            .join(["a", "m", "z", "b", "y", "n"][name].to_owned() + "ew.py")
    }

    fn take(&self, step: &Step) {
        match step {
            Step::Edit { file, text } => {
                if let Some(path) = self.nth(*file) {
                    let old = fs::read_to_string(&path).unwrap();
                    fs::write(path, format!("{old}\n\n{}", TEXTS[*text])).unwrap();
                }
            }
            Step::Write { name, text } => fs::write(self.named(*name), TEXTS[*text]).unwrap(),
            Step::Copy { from, name } => {
                if let Some(path) = self.nth(*from) {
                    let text = fs::read(path).unwrap();
                    fs::write(self.named(*name), text).unwrap();
                }
            }
            Step::Delete { file } => {
                if let Some(path) = self.nth(*file) {
                    fs::remove_file(path).unwrap();
                }
            }
            Step::Update => self.update(&self.key(), WriteMode::Update, usize::MAX),
            Step::CutUpdate { after } => self.update(&self.key(), WriteMode::Update, *after),
            Step::Rebuild => self.update(&self.key(), WriteMode::Rebuild, usize::MAX),
            Step::Embed { after } => self.embed(*after),
            Step::Commit => commit(&self.root()),
            Step::ViewCommit => {
                let git = git2::Repository::open(self.root()).unwrap();
                let head = git.head().unwrap().peel_to_commit().unwrap().id();
                self.update(
                    &ViewKey::Commit(head.to_string()),
                    WriteMode::Update,
                    usize::MAX,
                );
            }
        }
    }

    fn key(&self) -> ViewKey {
        ViewKey::Worktree(self.root().to_string_lossy().into_owned())
    }

    fn store(&self) -> Store {
        Store::at(&self.folder.path().join("lived"))
    }

    fn update(&self, key: &ViewKey, mode: WriteMode, after: usize) {
        let repository = Repository::discover(&self.root()).unwrap();
        let mut writer = self.store().writer(mode).unwrap();
        let is_whole = writer.update_view(&repository, key, 4_000_000_000, &Until::new(after));
        if is_whole.is_ok() {
            writer.sweep().unwrap();
            writer.finish().unwrap();
        }
    }

    fn embed(&self, after: usize) {
        let encoder = FakeBiEncoder::new(64);
        let mut writer = self.store().writer(WriteMode::Update).unwrap();
        let control = Until::new(after);
        // Where a cut update left no view, there is nothing to encode.
        drop(writer.embed_view(&self.key(), &encoder, &control));
    }
}

fn commit(root: &Path) {
    let git = git2::Repository::open(root).unwrap();
    let mut index = git.index().unwrap();
    index
        .add_all(["*"], git2::IndexAddOption::DEFAULT, None)
        .unwrap();
    index.write().unwrap();
    let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
    let author = git2::Signature::now("a", "a@example.org").unwrap();
    let parent = git.head().ok().and_then(|head| head.peel_to_commit().ok());
    let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
    git.commit(Some("HEAD"), &author, &author, "c", &tree, &parents)
        .unwrap();
}

/// Stops at the so many-th look.
struct Until {
    after: usize,
    n_looks: AtomicUsize,
}

impl Until {
    fn new(after: usize) -> Self {
        Self {
            after,
            n_looks: AtomicUsize::new(0),
        }
    }
}

impl JobControl for Until {
    fn progress(&self, stage: Stage, done: usize, total: usize, current: Option<&str>) {
        Unattended.progress(stage, done, total, current);
    }

    fn should_stop(&self) -> bool {
        self.n_looks.fetch_add(1, Ordering::Relaxed) >= self.after
    }
}
