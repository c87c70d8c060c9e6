//! The symbol graph that is kept with a view: made once, followed by edits, dropped when unfit.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use support::Indexed;
use tempfile::TempDir;
use whyrank_graph::ReferenceIndex;
use whyrank_index::{
    CachedGraph, IndexError, JobControl, MemoryCeiling, NoGraph, Stage, Store, Unattended, ViewKey,
    WriteMode,
};
use whyrank_source::Repository;

const CLOCK: i64 = 4_000_000_000;

struct Tree {
    folder: TempDir,
}

impl Tree {
    fn new() -> Self {
        let tree = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        git2::Repository::init(tree.root()).unwrap();
        tree.write("src/a.py", "def load():\n    return 1\n");
        tree.write("src/b.py", "from a import load\n\ndef run():\n    load()\n");
        tree.write("src/c.py", "def alone():\n    return 2\n");
        tree
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn store(&self) -> Store {
        Store::at(&self.folder.path().join("store"))
    }

    fn key(&self) -> ViewKey {
        ViewKey::Worktree(self.root().to_string_lossy().into_owned())
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn scan(&self) {
        let repository = Repository::discover(&self.root()).unwrap();
        let mut writer = self.store().writer(WriteMode::Update).unwrap();
        let key = self.key();
        writer
            .update_view(&repository, &key, CLOCK, &Unattended)
            .unwrap();
        writer.finish().unwrap();
    }

    /// The number of files that the lane resolved.
    fn lane(&self, control: &dyn JobControl) -> Result<usize, IndexError> {
        self.lane_within(MemoryCeiling::default(), control)
    }

    fn lane_within(
        &self,
        ceiling: MemoryCeiling,
        control: &dyn JobControl,
    ) -> Result<usize, IndexError> {
        let writer = self.store().writer(WriteMode::Update).unwrap();
        let mut writer = writer.within(ceiling);
        let outcome = writer.graph_view(&self.key(), control);
        writer.finish().unwrap();
        outcome
    }

    /// The same for a view that counts as large.
    fn lane_overlaid(&self) -> usize {
        let mut writer = self.store().writer(WriteMode::Update).unwrap();
        let outcome = writer.graph_view_within(&self.key(), 0, &Unattended);
        writer.finish().unwrap();
        outcome.unwrap()
    }

    fn kept(&self) -> Result<CachedGraph, NoGraph> {
        let reader = self.store().reader().unwrap();
        let view = reader.view(&self.key()).unwrap();
        // Who meets a damaged file takes it away: it is read once.
        let state = reader.graph_state(&view).unwrap();
        if let Some(damaged @ NoGraph::Damaged { .. }) = state {
            return Err(damaged);
        }
        let graph = reader.graph(&view).unwrap();
        assert_eq!(graph.as_ref().err(), state.as_ref());
        graph
    }

    /// The file that the graph lies in.
    fn file(&self) -> PathBuf {
        let mut files = self.derived("uses-");
        let only = files.pop().unwrap();
        assert_eq!(files.pop(), None);
        only
    }

    fn overlays(&self) -> usize {
        self.derived("overlay-").len()
    }

    /// Files that were worked out from the catalog.
    fn derived(&self, start: &str) -> Vec<PathBuf> {
        let folder = self.folder.path().join("store/gen-1/derived");
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let is_one = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with(start)
        };
        files.filter(is_one).collect()
    }
}

struct Stop(AtomicBool);

impl JobControl for Stop {
    fn progress(&self, stage: Stage, _: usize, _: usize, _: Option<&str>) {
        if stage == Stage::Uses {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    fn should_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn n_edges(uses: &ReferenceIndex) -> usize {
    let mut n = 0;
    uses.each_edge(&mut |_| n += 1);
    n
}

#[test]
fn a_ceiling_that_is_always_reached_changes_nothing() {
    let (tree, other) = (Tree::new(), Tree::new());
    let least = MemoryCeiling::of_mb(1).of_any_size();
    for text in ["", "\ndef other():\n    run()\n"] {
        let text = format!("from b import run\n\ndef alone():\n    run()\n{text}");
        let graphs = [(&tree, least), (&other, MemoryCeiling::default())].map(|(tree, ceiling)| {
            tree.write("src/c.py", &text);
            tree.scan();
            assert!(tree.lane_within(ceiling, &Unattended).unwrap() > 0);
            tree.kept().unwrap()
        });
        assert_eq!(graphs[0].uses, graphs[1].uses);
        assert_eq!(graphs[0].ranks, graphs[1].ranks);
        assert!(n_edges(&graphs[0].uses) > 2);
    }
}

#[test]
fn a_graph_is_kept_and_follows_an_edit() {
    let tree = Tree::new();
    tree.scan();
    assert_eq!(tree.kept().unwrap_err(), NoGraph::Absent);
    assert_eq!(tree.lane(&Unattended).unwrap(), 3);
    assert_eq!(tree.lane(&Unattended).unwrap(), 0);
    let before = n_edges(&tree.kept().unwrap().uses);
    tree.write(
        "src/c.py",
        "from a import load\n\ndef alone():\n    load()\n",
    );
    tree.scan();
    assert_eq!(tree.kept().unwrap_err(), NoGraph::Outdated);
    assert_eq!(tree.lane(&Unattended).unwrap(), 1);
    let now = tree.kept().unwrap();
    assert!(n_edges(&now.uses) > before);
    assert_eq!(now.ranks.of_file(0).len(), 1);
}

#[test]
fn the_graph_of_a_commit_starts_from_that_of_the_working_tree() {
    let tree = Tree::new();
    let git = git2::Repository::open(tree.root()).unwrap();
    let mut index = git.index().unwrap();
    let all = git2::IndexAddOption::DEFAULT;
    index.add_all(["*"], all, None).unwrap();
    let found = git.find_tree(index.write_tree().unwrap()).unwrap();
    let author = git2::Signature::now("a", "a@example.org").unwrap();
    let commit = git.commit(Some("HEAD"), &author, &author, "first", &found, &[]);
    tree.write("src/c.py", "def alone():\n    return 3\n");
    tree.scan();
    assert_eq!(tree.lane(&Unattended).unwrap(), 3);
    let key = ViewKey::Commit(commit.unwrap().to_string());
    let repository = Repository::discover(&tree.root()).unwrap();
    let mut writer = tree.store().writer(WriteMode::Update).unwrap();
    writer
        .update_view(&repository, &key, CLOCK, &Unattended)
        .unwrap();
    assert_eq!(
        writer.graph_view(&key, &Unattended).unwrap(),
        1,
        "c.py alone"
    );
    writer.finish().unwrap();
    let reader = tree.store().reader().unwrap();
    let view = reader.view(&key).unwrap();
    let kept = reader.graph(&view).unwrap().unwrap();
    assert_eq!(kept.uses.n_files(), 3);
}

#[test]
fn an_interrupted_lane_leaves_what_was_kept() {
    let tree = Tree::new();
    tree.scan();
    tree.lane(&Unattended).unwrap();
    tree.write("src/a.py", "def store():\n    return 1\n");
    tree.scan();
    let stopped = tree.lane(&Stop(AtomicBool::new(false)));
    assert!(matches!(stopped, Err(IndexError::Cancelled)));
    assert_eq!(tree.kept().unwrap_err(), NoGraph::Outdated);
    // Two files are other; one of them was resolved before the end.
    assert_eq!(tree.lane(&Unattended).unwrap(), 1);
    tree.kept().unwrap();
}

/// Ends the lane after some files.
struct After(usize, AtomicUsize);

impl After {
    fn files(n: usize) -> Self {
        Self(n, AtomicUsize::new(0))
    }
}

impl JobControl for After {
    fn progress(&self, stage: Stage, done: usize, _: usize, _: Option<&str>) {
        if stage == Stage::Uses {
            self.1.store(done, Ordering::Relaxed);
        }
    }
    fn should_stop(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

impl Tree {
    /// A tree of some files, whose graph was begun and ended after two of them.
    fn begun() -> Self {
        let tree = Self::new();
        for at in 0..4 {
            let text = format!("from a import load\n\ndef f{at}():\n    load()\n");
            tree.write(&format!("src/f{at}.py"), &text);
        }
        tree.scan();
        let ended = tree.lane(&After::files(2));
        assert!(matches!(ended, Err(IndexError::Cancelled)));
        assert_eq!(tree.kept().unwrap_err(), NoGraph::Absent);
        tree
    }

    fn journal(&self) -> PathBuf {
        self.derived("begun-").pop().unwrap()
    }
}

#[test]
fn a_graph_that_was_ended_goes_on_where_it_was() {
    let tree = Tree::begun();
    let ended = tree.lane(&After::files(3));
    assert!(matches!(ended, Err(IndexError::Cancelled)));
    assert_eq!(tree.lane(&Unattended).unwrap(), 7 - 2 - 3);
    assert_eq!(tree.derived("begun-"), [] as [PathBuf; 0]);
    let parts = fs::read(tree.file()).unwrap();
    fs::remove_file(tree.file()).unwrap();
    assert_eq!(tree.lane(&Unattended).unwrap(), 7);
    assert!(fs::read(tree.file()).unwrap() == parts, "byte for byte");
}

#[test]
fn what_a_kill_left_of_a_journal_is_gone_on_with_as_far_as_it_is_whole() {
    let tree = Tree::begun();
    let whole = fs::read(tree.journal()).unwrap();
    assert_eq!(tree.lane(&Unattended).unwrap(), 5);
    let (path, sound) = (tree.file(), fs::read(tree.file()).unwrap());
    let folder = path.parent().unwrap();
    let topic = path.file_name().unwrap().to_string_lossy().into_owned();
    let topic = topic
        .split('.')
        .next()
        .unwrap()
        .replacen("uses", "begun", 1);
    let journal = folder.join(format!("{topic}.journal"));
    let check = |bytes: &[u8], what: &str| {
        fs::remove_file(&path).unwrap();
        fs::write(&journal, bytes).unwrap();
        let n_resolved = tree.lane(&Unattended).unwrap();
        assert!((5..=7).contains(&n_resolved), "{what}: {n_resolved}");
        assert!(fs::read(&path).unwrap() == sound, "{what}");
        n_resolved
    };
    assert_eq!(check(&whole, "whole"), 5);
    assert_eq!(check(b"", "empty"), 7);
    assert_eq!(check(&whole[..whole.len() - 1], "cut"), 6);
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        assert!(
            check(&bytes, &format!("byte {at}")) > 5,
            "byte {at} was not met"
        );
    }
}

#[test]
fn a_journal_of_another_state_of_the_files_is_not_gone_on_with() {
    let tree = Tree::begun();
    tree.write("src/a.py", "def other():\n    return 1\n");
    tree.scan();
    assert_eq!(tree.lane(&Unattended).unwrap(), 7);
    assert_eq!(tree.derived("begun-"), [] as [PathBuf; 0]);
}

#[test]
fn what_a_killed_lane_left_goes_with_the_next() {
    let tree = Tree::new();
    tree.scan();
    tree.lane(&Unattended).unwrap();
    let kept = tree.file();
    let name = kept.file_name().unwrap().to_string_lossy().into_owned();
    let topic = name.split('.').next().unwrap();
    let left = kept.with_file_name(format!("{topic}.999.tmp"));
    let other = kept.with_file_name("uses-other.1.tmp");
    fs::write(&left, "half").unwrap();
    fs::write(&other, "half").unwrap();
    tree.write("src/a.py", "def store():\n    return 1\n");
    tree.scan();
    tree.lane(&Unattended).unwrap();
    assert!(!left.exists() && other.exists());
}

#[test]
fn a_damaged_graph_is_named_dropped_and_made_anew() {
    let tree = Tree::new();
    tree.scan();
    tree.lane(&Unattended).unwrap();
    let path = tree.file();
    let whole = fs::read(&path).unwrap();
    let put = |bytes: &[u8]| {
        // A new file: what is open stays as it was.
        let _ = fs::remove_file(&path);
        fs::write(&path, bytes).unwrap();
    };
    put(&whole[..whole.len() - 3]);
    assert!(matches!(tree.kept(), Err(NoGraph::Damaged { .. })));
    assert_eq!(tree.lane(&Unattended).unwrap(), 3);
    let sound = tree.kept().unwrap();
    for at in (0..whole.len()).step_by(3) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        put(&bytes);
        // Met when it is opened, or when it is read; else it was not read.
        if let Ok(kept) = tree.kept() {
            let is_same = kept.uses == sound.uses && kept.ranks == sound.ranks;
            let is_met = kept.uses.met_damage();
            assert!(is_same || is_met, "byte {at}");
            assert_eq!(is_met, !path.exists(), "byte {at}");
        }
    }
    let _ = fs::remove_file(&path);
    assert_eq!(tree.lane(&Unattended).unwrap(), 3);
    assert!(tree.kept().unwrap().uses == sound.uses);
}

/// Uses and locals name definitions by their place.
#[test]
fn definitions_that_cannot_be_read_are_an_error_and_no_panic() {
    let tree = Tree::new();
    let text = "class A:\n    def f(self):\n        local = self.g()\n        return local.h()\n";
    tree.write("src/a.py", text);
    tree.scan();
    let catalog = tree.folder.path().join("store/gen-1/catalog.db");
    let catalog = whyrank_sqlite::open(&catalog, whyrank_sqlite::Sums::Required).unwrap();
    catalog
        .execute("UPDATE content_data SET outline = X'00'", [])
        .unwrap();
    drop(catalog);
    assert!(tree.lane(&Unattended).is_err());
}

#[test]
fn a_graph_of_other_rules_is_made_anew() {
    let tree = Tree::new();
    tree.scan();
    tree.lane(&Unattended).unwrap();
    let name = tree
        .file()
        .file_name()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    let (topic, version) = name.strip_suffix(".bin").unwrap().split_once('.').unwrap();
    let reader = tree.store().reader().unwrap();
    reader
        .keep(topic, version.parse().unwrap(), "older", &[])
        .unwrap();
    assert_eq!(tree.kept().unwrap_err(), NoGraph::OtherRules);
    assert_eq!(tree.lane(&Unattended).unwrap(), 3);
}

#[test]
fn a_store_without_kept_graphs_can_be_read_and_gets_one() {
    let tree = Tree::new();
    tree.scan();
    tree.lane(&Unattended).unwrap();
    fs::remove_file(tree.file()).unwrap();
    assert_eq!(tree.kept().unwrap_err(), NoGraph::Absent);
    assert_eq!(tree.lane(&Unattended).unwrap(), 3);
    tree.kept().unwrap();
}

/// What the lane costs on a real tree: `WHYRANK_TREE` names a git checkout, which is only read.
#[test]
#[ignore = "measures; needs WHYRANK_TREE"]
fn speed() {
    let root = std::env::var("WHYRANK_TREE").expect("WHYRANK_TREE names a checkout");
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(&folder.path().join("store"));
    let repository = Repository::discover(std::path::Path::new(&root)).unwrap();
    let key = ViewKey::Worktree("bench".to_owned());
    let timed = |what: &str, run: &mut dyn FnMut() -> usize| {
        let started = std::time::Instant::now();
        let n = run();
        println!(
            "{what:<24}{n:>7} {:>9.1} ms",
            started.elapsed().as_secs_f64() * 1e3
        );
    };
    let mut writer = store.writer(WriteMode::Update).unwrap();
    timed("files indexed", &mut || {
        let report = writer.update_view(&repository, &key, CLOCK, &Unattended);
        report.unwrap().n_files
    });
    timed("files resolved", &mut || {
        writer.graph_view(&key, &Unattended).unwrap()
    });
    timed("resolved again", &mut || {
        writer.graph_view(&key, &Unattended).unwrap()
    });
    let catalog = rusqlite::Connection::open(folder.path().join("store/gen-1/catalog.db")).unwrap();
    // As after a publish in which nothing changed: all that an update costs but the changed files.
    catalog
        .execute_batch("UPDATE view SET version = version + 1")
        .unwrap();
    timed("resolved after a publish", &mut || {
        writer.graph_view(&key, &Unattended).unwrap()
    });
    writer.finish().unwrap();
    let reader = store.reader().unwrap();
    let view = reader.view(&key).unwrap();
    timed("read", &mut || {
        reader.graph(&view).unwrap().unwrap().uses.n_files()
    });
}

/// Which file imports which.
fn imports(indexed: &Indexed) -> Vec<(String, String)> {
    let view = indexed.view();
    let path = |file: u32| view.files[file as usize].path.clone();
    let mut found: Vec<(String, String)> = (0..view.files.len() as u32)
        .flat_map(|file| {
            let edges = view.graph.imports.imports(file).iter();
            edges.filter_map(move |edge| Some((file, edge.target?)))
        })
        .map(|(file, target)| (path(file), path(target)))
        .collect();
    found.sort();
    found
}

#[test]
fn the_first_line_of_a_file_says_its_language_to_imports() {
    let indexed = Indexed::new(&[
        ("src/Foo.php", "<?php\nnamespace App;\nfinal class Foo {}\n"),
        (
            "bin/prepare",
            "#!/usr/bin/env php\n<?php\nuse App\\Foo;\n$f = new Foo();\n",
        ),
        ("js/a.js", "exports.gamma = () => 1;\n"),
        (
            "js/cli",
            "#!/usr/bin/env node\nconst {gamma} = require('./a');\ngamma();\n",
        ),
    ]);
    let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let expected = [
        pair("bin/prepare", "src/Foo.php"),
        pair("js/cli", "js/a.js"),
    ];
    assert_eq!(imports(&indexed), expected);
}

#[test]
fn an_edit_leaves_the_imports_as_a_new_index_would_have_them() {
    let head = "int one(void);\n";
    let before = "#include \"a.h\"\nint one(void) { return 1; }\n";
    let files = [
        ("a.h", head),
        ("b.h", "int two(void);\n"),
        ("a.c", before),
        ("m.py", "import n\n"),
        ("n.py", "x = 1\n"),
    ];
    let indexed = Indexed::new(&files);
    let edits = [
        // The same imports, elsewhere in the file.
        (
            "a.c",
            "int zero;\n#include \"a.h\"\nint one(void) { return 2; }\n",
        ),
        // Another.
        ("a.c", "#include \"b.h\"\nint one(void) { return 2; }\n"),
        // A file that is nearer to what is imported.
        ("n.py", "y = 1\n"),
        ("c.c", "#include \"a.h\"\n"),
    ];
    let mut now: Vec<(&str, &str)> = files.to_vec();
    for (path, text) in edits {
        indexed.write(path, text);
        indexed.update();
        now.retain(|(known, _)| *known != path);
        now.push((path, text));
        assert_eq!(imports(&indexed), imports(&Indexed::new(&now)), "{path}");
    }
    assert_eq!(imports(&indexed).len(), 3);
}

#[test]
fn an_edit_of_a_large_view_writes_what_is_other() {
    let (tree, other) = (Tree::new(), Tree::new());
    tree.scan();
    assert_eq!(tree.lane_overlaid(), 3, "there is none to write over");
    let whole = fs::read(tree.file()).unwrap();
    let edits = [
        (
            "src/c.py",
            "from a import load\n\ndef first():\n    load()\n",
        ),
        (
            "src/d.py",
            "from c import first\n\ndef alone():\n    first()\n",
        ),
        ("src/c.py", "def alone():\n    return 2\n"),
    ];
    for (path, text) in edits {
        tree.write(path, text);
        other.write(path, text);
        for one in [&tree, &other] {
            one.scan();
        }
        assert_eq!(tree.kept().unwrap_err(), NoGraph::Outdated);
        assert!(tree.lane_overlaid() < 3);
        other.lane(&Unattended).unwrap();
        assert_eq!(
            tree.kept().unwrap().uses,
            other.kept().unwrap().uses,
            "{path}"
        );
        assert_eq!(
            fs::read(tree.file()).unwrap(),
            whole,
            "the graph stays as it is"
        );
        assert_eq!(tree.lane_overlaid(), 0, "nothing is other since");
    }
    assert_eq!(tree.overlays(), 1);

    // What it is over is gone, or of other rules: all is made anew.
    fs::remove_file(tree.file()).unwrap();
    assert_eq!(tree.kept().unwrap_err(), NoGraph::Absent);
    assert_eq!(tree.lane_overlaid(), 4);
    assert_eq!(tree.kept().unwrap().uses, other.kept().unwrap().uses);
    assert_eq!(tree.overlays(), 0);
}

#[test]
fn an_overlay_that_is_damaged_is_made_again() {
    let tree = Tree::new();
    tree.scan();
    tree.lane_overlaid();
    tree.write("src/c.py", "from a import load\nload()\n");
    tree.scan();
    assert_eq!(tree.lane_overlaid(), 1);
    let before = tree.kept().unwrap();
    let path = tree.derived("overlay-").pop().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(tree.kept().unwrap_err(), NoGraph::Outdated);
    assert_eq!(tree.lane_overlaid(), 1);
    assert_eq!(tree.kept().unwrap().uses, before.uses);
}
