//! The index over real repositories in temporary folders: what is done once, what survives, what is refused.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use roaring::RoaringBitmap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tempfile::TempDir;
use whyrank_graph::Sections as _;
use whyrank_index::{
    IndexError, JobControl, Pool, Reader, Stage, Store, Unattended, UpdateReport, View, ViewKey,
    WriteMode, tokens,
};
use whyrank_inference::{BiEncoder, FakeBiEncoder};
use whyrank_source::Repository;

struct Fixture {
    folder: TempDir,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let fixture = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let mut options = git2::RepositoryInitOptions::new();
        options.initial_head("main");
        git2::Repository::init_opts(fixture.root(), &options).unwrap();
        for (path, text) in files {
            fixture.write(path, text);
        }
        fixture.commit("first");
        fixture
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn store(&self) -> Store {
        Store::at(&self.folder.path().join("store"))
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self) -> git2::Repository {
        git2::Repository::open(self.root()).unwrap()
    }

    fn commit(&self, message: &str) -> String {
        let git = self.git();
        let mut index = git.index().unwrap();
        index
            .add_all(["*"], git2::IndexAddOption::DEFAULT, None)
            .unwrap();
        index.update_all(["*"], None).unwrap();
        index.write().unwrap();
        let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
        let author = git2::Signature::now("a", "a@example.org").unwrap();
        let parent = git.head().ok().and_then(|head| head.peel_to_commit().ok());
        let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
        git.commit(Some("HEAD"), &author, &author, message, &tree, &parents)
            .unwrap()
            .to_string()
    }

    fn key(&self) -> ViewKey {
        ViewKey::Worktree(self.root().to_string_lossy().into_owned())
    }

    fn update(&self) -> UpdateReport {
        self.update_in(&self.root(), &self.key(), WriteMode::Update, &Unattended)
            .unwrap()
    }

    fn update_in(
        &self,
        root: &Path,
        key: &ViewKey,
        mode: WriteMode,
        control: &dyn JobControl,
    ) -> Result<UpdateReport, IndexError> {
        let repository = Repository::discover(root).unwrap();
        let mut writer = self.store().writer(mode)?;
        let outcome = writer.update_view(&repository, key, 4_000_000_000, control);
        writer.sweep()?;
        writer.finish()?;
        outcome
    }

    fn view(&self) -> View {
        self.store().reader().unwrap().view(&self.key()).unwrap()
    }

    /// Paths of the chunks that hold the words, best first.
    fn search(&self, words: &str) -> Vec<String> {
        let reader = self.store().reader().unwrap();
        let view = reader.view(&self.key()).unwrap();
        let tokens: Vec<(String, f32)> = tokens(words)
            .into_iter()
            .map(|token| (token, 1.0))
            .collect();
        let scores = Pool::new([(&reader, &view)]).bm25(&tokens).unwrap();
        let found = scores.best(&view, &view.visible, 10);
        let paths = found
            .iter()
            .map(|(place, _)| view.chunk(*place).0.path.clone());
        paths.collect()
    }
}

const ROUTER: &str = "class Router:\n    def add_route(self, path):\n        return path\n";
const SESSION: &str = "def open_session(app):\n    return app.secret\n";

fn two_files() -> Fixture {
    Fixture::new(&[("src/router.py", ROUTER), ("src/session.py", SESSION)])
}

#[test]
fn ids_of_swept_chunks_are_not_given_out_again() {
    let fixture = two_files();
    let many: String = (0..40)
        .map(|n| format!("def step_{n}(x):\n    return x + {n}\n\n\n"))
        .collect();
    fixture.write("src/steps.py", &many);
    fixture.update();
    let last = fixture.view().visible.max().unwrap();
    fs::remove_file(fixture.root().join("src/steps.py")).unwrap();
    fixture.update();
    assert!(fixture.view().visible.max().unwrap() < last);

    // Vectors of the chunks that were swept are still there, and are none of the new ones'.
    fixture.write("src/other.py", "def other():\n    return 1\n");
    fixture.update();
    assert!(fixture.view().visible.max().unwrap() > last);
}

#[test]
fn words_lead_to_their_file() {
    let fixture = two_files();
    assert_eq!(fixture.update().n_parsed, 2);
    assert_eq!(fixture.search("adding routes")[0], "src/router.py");
    assert_eq!(fixture.search("session secret"), ["src/session.py"]);
}

#[test]
fn an_empty_file_hides_no_other() {
    let fixture = Fixture::new(&[
        ("a/marker", ""),
        ("src/blank.py", "\n\n"),
        ("src/router.py", ROUTER),
    ]);
    fixture.write("zz/last", "");
    fixture.update();
    // The next content begins at the id after the last one, which an empty content shares.
    fixture.write("zz/session.py", SESSION);
    fixture.update();
    let view = fixture.view();
    assert!(
        view.visible
            .iter()
            .all(|chunk| view.locate(chunk).is_some())
    );
    assert_eq!(fixture.search("add_route")[0], "src/router.py");
    assert_eq!(fixture.search("session secret"), ["zz/session.py"]);
}

#[test]
fn an_unchanged_tree_changes_nothing() {
    let fixture = two_files();
    fixture.update();
    let before = fixture.view().version;
    let report = fixture.update();
    assert_eq!((report.n_parsed, report.changed), (0, false));
    assert_eq!(fixture.view().version, before);
}

#[test]
fn a_save_is_found_and_the_old_text_is_not() {
    let fixture = two_files();
    fixture.update();
    fixture.write(
        "src/session.py",
        "def close_session(app):\n    return app.cookie\n",
    );
    assert_eq!(fixture.update().n_parsed, 1);
    assert_eq!(fixture.search("cookie"), ["src/session.py"]);
    assert!(fixture.search("secret").is_empty());
}

#[test]
fn a_damaged_name_of_the_live_generation_is_repaired_by_the_next_update() {
    let fixture = two_files();
    fixture.update();
    fs::write(fixture.folder.path().join("store/live"), "gen-\u{1}").unwrap();
    assert_eq!(fixture.update().n_parsed, 0);
    assert_eq!(fixture.search("session secret"), ["src/session.py"]);
}

#[test]
fn a_rename_parses_nothing() {
    let fixture = two_files();
    fixture.update();
    fs::rename(
        fixture.root().join("src/router.py"),
        fixture.root().join("src/routing.py"),
    )
    .unwrap();
    let report = fixture.update();
    assert_eq!((report.n_parsed, report.changed), (0, true));
    assert_eq!(fixture.search("add_route")[0], "src/routing.py");
}

#[test]
fn a_deleted_file_is_gone() {
    let fixture = two_files();
    fixture.update();
    fs::remove_file(fixture.root().join("src/router.py")).unwrap();
    assert_eq!(fixture.update().n_files, 1);
    assert!(fixture.search("add_route").is_empty());
}

#[test]
fn the_same_content_at_two_paths_is_parsed_once() {
    let fixture = Fixture::new(&[("a/one.py", ROUTER), ("b/two.py", ROUTER)]);
    let report = fixture.update();
    assert_eq!((report.n_files, report.n_parsed), (2, 1));
    assert_eq!(fixture.search("add_route")[0], "a/one.py");
}

#[test]
fn many_copies_of_one_content_in_different_batches_are_one() {
    let mut files: Vec<(String, String)> = (0..150)
        .map(|n| (format!("p{n}/m.py"), format!("x{n} = {n}\n")))
        .collect();
    files.extend((0..3).map(|n| (format!("p{}/copy.py", n * 70), ROUTER.to_owned())));
    let borrowed: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let report = Fixture::new(&borrowed).update();
    assert_eq!((report.n_files, report.n_parsed), (153, 151));
}

#[test]
fn a_second_worktree_parses_nothing() {
    let fixture = two_files();
    fixture.update();
    let other = fixture.folder.path().join("other");
    fixture.git().worktree("other", &other, None).unwrap();
    let key = ViewKey::Worktree(other.to_string_lossy().into_owned());
    let report = fixture
        .update_in(&other, &key, WriteMode::Update, &Unattended)
        .unwrap();
    assert_eq!((report.n_files, report.n_parsed), (2, 0));
}

#[test]
fn a_commit_is_a_view_like_any_other() {
    let fixture = two_files();
    fixture.update();
    let old = fixture.git().head().unwrap().target().unwrap().to_string();
    fixture.write(
        "src/session.py",
        "def close_session(app):\n    return app.cookie\n",
    );
    fixture.commit("second");
    fixture.update();
    let key = ViewKey::Commit(old);
    let report = fixture
        .update_in(&fixture.root(), &key, WriteMode::Update, &Unattended)
        .unwrap();
    assert_eq!((report.n_files, report.n_parsed), (2, 0));
}

#[test]
fn what_the_working_tree_has_of_a_commit_is_not_read_again() {
    let fixture = two_files();
    let commit = fixture.commit("first");
    fixture.update();
    let blob = fixture.git().blob(SESSION.as_bytes()).unwrap().to_string();
    let (folder, file) = blob.split_at(2);
    let object = fixture.root().join(".git/objects").join(folder).join(file);
    fs::remove_file(object).unwrap();
    let key = ViewKey::Commit(commit);
    let report = fixture.update_in(&fixture.root(), &key, WriteMode::Update, &Unattended);
    let report = report.unwrap();
    assert_eq!(
        (report.n_files, report.n_skipped, report.n_parsed),
        (2, 0, 0)
    );
}

#[test]
fn an_open_view_shows_what_it_showed_though_it_was_swept() {
    let fixture = two_files();
    fixture.update();
    let reader = fixture.store().reader().unwrap();
    let view = reader.view(&fixture.key()).unwrap();
    for file in &view.files {
        fixture.write(&file.path, "def other(): pass\n");
    }
    fixture.update();
    let mut symbols = view.files.iter().flat_map(|file| &file.outline().symbols);
    assert!(symbols.all(|symbol| !symbol.name.is_empty() && symbol.name != "other"));
    assert!(!reader.met_damage());
}

#[test]
fn every_line_lies_in_a_chunk() {
    let fixture = two_files();
    fixture.update();
    for file in &fixture.view().files {
        let n_covered: u32 = file
            .outline()
            .chunks
            .iter()
            .map(|chunk| chunk.span.end_line - chunk.span.start_line + 1)
            .sum();
        assert_eq!(n_covered, file.n_lines, "{}", file.path);
    }
}

#[test]
fn a_second_writer_is_told_so() {
    let fixture = two_files();
    let store = fixture.store();
    let _first = store.writer(WriteMode::Update).unwrap();
    let error = store.writer(WriteMode::Update).err().unwrap();
    let own = std::process::id();
    assert!(
        matches!(error, IndexError::Locked { process: Some(id), .. } if id == own),
        "{error}"
    );
}

/// Stops at the nth look.
struct StopAfter(AtomicUsize, Stage);

impl JobControl for StopAfter {
    fn progress(&self, stage: Stage, _: usize, _: usize, _: Option<&str>) {
        if stage == self.1 {
            let _ = self
                .0
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                    left.checked_sub(1)
                });
        }
    }
    fn should_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

fn many_files() -> Fixture {
    let files: Vec<(String, String)> = (0..200)
        .map(|n| (format!("m{n}.py"), format!("def f{n}():\n    return {n}\n")))
        .collect();
    let borrowed: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    Fixture::new(&borrowed)
}

#[test]
fn what_a_cancelled_build_parsed_is_used_by_the_next() {
    let fixture = many_files();
    let control = StopAfter(AtomicUsize::new(3), Stage::Parse);
    let error = fixture
        .update_in(&fixture.root(), &fixture.key(), WriteMode::Update, &control)
        .unwrap_err();
    assert!(matches!(error, IndexError::Cancelled), "{error}");
    let report = fixture.update();
    assert_eq!(report.n_files, 200);
    assert!(report.n_parsed < 200, "{report:?}");
}

#[test]
fn a_cancelled_rebuild_leaves_the_live_index() {
    let fixture = many_files();
    fixture.update();
    let control = StopAfter(AtomicUsize::new(2), Stage::Parse);
    let error = fixture
        .update_in(
            &fixture.root(),
            &fixture.key(),
            WriteMode::Rebuild,
            &control,
        )
        .unwrap_err();
    assert!(matches!(error, IndexError::Cancelled), "{error}");
    assert_eq!(fixture.search("f7"), ["m7.py"]);
    fixture.update();
    assert_eq!(fixture.view().files.len(), 200);
}

#[test]
fn a_reader_keeps_its_generation() {
    let fixture = two_files();
    fixture.update();
    let reader = fixture.store().reader().unwrap();
    let view = reader.view(&fixture.key()).unwrap();
    fixture
        .update_in(
            &fixture.root(),
            &fixture.key(),
            WriteMode::Rebuild,
            &Unattended,
        )
        .unwrap();
    assert!(!fixture.store().is_current(&reader));
    assert_eq!(reader.text(view.files[0].content_id).unwrap(), ROUTER);
}

#[test]
fn a_view_is_of_one_moment_while_others_come_and_go() {
    let fixture = many_files();
    fixture.update();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0..12 {
                let more = fixture.root().join("more.py");
                if n % 2 == 0 {
                    fs::write(more, "x = 1\n").unwrap();
                } else {
                    fs::remove_file(more).unwrap();
                }
                fixture.update();
            }
            is_over.store(true, Ordering::Relaxed);
        });
        let reader = fixture.store().reader().unwrap();
        while !is_over.load(Ordering::Relaxed) {
            let view = reader.view(&fixture.key()).unwrap();
            assert_eq!(view.graph.imports.n_files(), view.files.len());
        }
    });
}

#[test]
fn another_version_is_refused_by_the_name_of_the_part() {
    let fixture = two_files();
    fixture.update();
    let generation = fixture.store().folder().join("gen-1");
    let path = generation.join("manifest.json");
    let text = fs::read_to_string(&path)
        .unwrap()
        .replace("\"tokenizer\"", "\"tokeniser\"");
    // A hash that does not fit would tell of damage.
    let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    manifest.as_object_mut().unwrap().remove("hash");
    fs::write(path, manifest.to_string()).unwrap();
    let message = fixture.store().reader().err().unwrap().to_string();
    assert!(
        message.contains("tokeniser") && message.contains("--rebuild"),
        "{message}"
    );
    fixture
        .update_in(
            &fixture.root(),
            &fixture.key(),
            WriteMode::Rebuild,
            &Unattended,
        )
        .unwrap();
    assert_eq!(fixture.search("secret"), ["src/session.py"]);
}

#[test]
fn a_cut_catalog_is_named_as_damaged_and_rebuilt() {
    let fixture = two_files();
    fixture.update();
    let catalog = fixture.store().folder().join("gen-1/catalog.db");
    fs::write(
        &catalog,
        b"not a database, but long enough to be read as one header page",
    )
    .unwrap();
    let message = fixture.store().reader().err().unwrap().to_string();
    assert!(message.contains("damaged"), "{message}");
    fixture
        .update_in(
            &fixture.root(),
            &fixture.key(),
            WriteMode::Rebuild,
            &Unattended,
        )
        .unwrap();
    assert_eq!(fixture.search("secret"), ["src/session.py"]);
}

fn embed(
    fixture: &Fixture,
    encoder: &FakeBiEncoder,
    control: &dyn JobControl,
) -> Result<usize, IndexError> {
    let mut writer = fixture.store().writer(WriteMode::Update)?;
    let outcome = writer.embed_view(&fixture.key(), encoder, control);
    writer.finish()?;
    outcome
}

fn n_covered(fixture: &Fixture, encoder: &FakeBiEncoder) -> u64 {
    let reader = fixture.store().reader().unwrap();
    let covered: Arc<RoaringBitmap> = reader.vector_coverage(encoder.spec()).unwrap();
    (covered.as_ref() & fixture.view().visible.as_ref()).len()
}

#[test]
fn every_chunk_gets_a_vector_and_texts_are_encoded_once() {
    let fixture = two_files();
    fixture.update();
    let encoder = FakeBiEncoder::new(32);
    let n_chunks = fixture.view().visible.len();
    assert_eq!(
        embed(&fixture, &encoder, &Unattended).unwrap() as u64,
        n_chunks
    );
    assert_eq!(n_covered(&fixture, &encoder), n_chunks);
    fixture.write(
        "src/copy.py",
        &format!(
            "{SESSION}\n\ndef extra(one):\n    two = one\n    three = two\n    return three\n"
        ),
    );
    fixture.update();
    embed(&fixture, &encoder, &Unattended).unwrap();
    assert_eq!(n_covered(&fixture, &encoder), fixture.view().visible.len());
}

#[test]
fn the_nearest_chunk_is_the_one_of_the_same_words() {
    let fixture = two_files();
    fixture.update();
    let encoder = FakeBiEncoder::new(64);
    embed(&fixture, &encoder, &Unattended).unwrap();
    let reader = fixture.store().reader().unwrap();
    let view = reader.view(&fixture.key()).unwrap();
    let query = encoder
        .encode_query(
            "open session app secret",
            whyrank_inference::QueryKind::Code,
        )
        .unwrap();
    let found = reader
        .nearest(encoder.spec(), &query, &view.visible, 3)
        .unwrap();
    assert_eq!(
        view.chunk(view.locate(found[0].chunk).unwrap()).0.path,
        "src/session.py"
    );
    assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
}

#[test]
fn a_cancelled_vector_lane_goes_on_where_it_stopped() {
    let fixture = many_files();
    fixture.update();
    let encoder = FakeBiEncoder::new(16);
    let control = StopAfter(AtomicUsize::new(2), Stage::Vectors);
    assert!(matches!(
        embed(&fixture, &encoder, &control),
        Err(IndexError::Cancelled)
    ));
    let n_before = n_covered(&fixture, &encoder);
    assert!(n_before > 0 && n_before < 200, "{n_before}");
    assert_eq!(
        embed(&fixture, &encoder, &Unattended).unwrap() as u64,
        200 - n_before
    );
}

#[test]
fn what_readers_keep_stays_in_its_newest_version() {
    let fixture = Fixture::new(&[("a.py", "x = 1\n")]);
    fixture.update();
    let reader = fixture.store().reader().unwrap();
    let kept = |reader: &Reader, topic: &str, version: u64, stamp: &str| {
        let file = reader.kept(topic, version, stamp)?;
        file.bytes(0, 0..file.len_of(0)).map(<[u8]>::to_vec)
    };
    assert_eq!(kept(&reader, "ranks", 1, "a"), None);
    reader.keep("ranks", 1, "a", &[b"one"]).unwrap();
    reader.keep("words", 1, "a", &[b"other"]).unwrap();
    reader.keep("ranks", 2, "a", &[b"two"]).unwrap();
    let other = fixture.store().reader().unwrap();
    assert_eq!(kept(&other, "ranks", 1, "a"), None);
    assert_eq!(kept(&other, "ranks", 2, "a").as_deref(), Some(&b"two"[..]));
    assert_eq!(kept(&other, "ranks", 2, "b"), None);
    assert_eq!(
        kept(&other, "words", 1, "a").as_deref(),
        Some(&b"other"[..])
    );
}

#[test]
fn one_setting_shows_a_file_that_may_hold_secrets_and_takes_it_back() {
    let fixture = Fixture::new(&[
        ("src/session.py", SESSION),
        ("fake/secrets.yml", "session:\n  password: q8Zt3nLx0\n"),
    ]);
    let allow = |pattern: Option<&str>| {
        let mut config = fixture.git().config().unwrap();
        match pattern {
            Some(pattern) => config.set_str("whyrank.allow", pattern).unwrap(),
            None => config.remove("whyrank.allow").unwrap(),
        }
    };
    let paths = || {
        fixture.update();
        let files = fixture.view().files;
        files.into_iter().map(|file| file.path).collect::<Vec<_>>()
    };
    assert_eq!(paths(), ["src/session.py"]);
    allow(Some("/fake/"));
    assert_eq!(paths(), ["fake/secrets.yml", "src/session.py"]);
    allow(None);
    assert_eq!(paths(), ["src/session.py"], "though nothing was written");
    let commit = fixture.commit("anew");
    let key = ViewKey::Commit(commit);
    fixture
        .update_in(&fixture.root(), &key, WriteMode::Update, &Unattended)
        .unwrap();
    let reader = fixture.store().reader().unwrap();
    assert_eq!(reader.view(&key).unwrap().files.len(), 1);
    let skipped = reader.skipped(&key).unwrap();
    assert_eq!(skipped[0].path, "fake/secrets.yml");
}
