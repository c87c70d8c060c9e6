//! Lane 4: weights of terms for a view's chunks, what they find, and what survives.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

mod support;

use roaring::RoaringBitmap;
use std::fs;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::Indexed;
use whyrank_index::{IndexError, JobControl, Stage, Unattended, WriteMode};
use whyrank_inference::{FakeSparseEncoder, SparseEncoder, SparseVector};

struct Fixture {
    indexed: Indexed,
    encoder: FakeSparseEncoder,
}

impl Deref for Fixture {
    type Target = Indexed;

    fn deref(&self) -> &Indexed {
        &self.indexed
    }
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        Self {
            indexed: Indexed::new(files),
            encoder: FakeSparseEncoder::default(),
        }
    }

    fn encode(&self, control: &dyn JobControl) -> Result<usize, IndexError> {
        let mut writer = self.store().writer(WriteMode::Update)?;
        let outcome = writer.encode_sparse(&self.key(), &self.encoder, control);
        writer.finish()?;
        outcome
    }

    fn coverage(&self) -> Option<u64> {
        let reader = self.store().reader().unwrap();
        let covered = reader
            .sparse_coverage(self.encoder.sparse_spec())
            .unwrap()?;
        Some(covered.intersection_len(&self.view().visible))
    }

    /// Paths of the best visible chunks, with their scores.
    fn ask(&self, text: &str, visible: &RoaringBitmap, limit: usize) -> Vec<(String, f32)> {
        let (reader, view) = (self.store().reader().unwrap(), self.view());
        let query: SparseVector = self.encoder.encode_sparse_query(text).unwrap();
        let spec = self.encoder.sparse_spec();
        let found = reader
            .nearest_sparse(spec, &query, visible, limit)
            .unwrap()
            .unwrap();
        let place = |chunk| view.chunk(view.locate(chunk).unwrap()).0.path.clone();
        found
            .into_iter()
            .map(|hit| (place(hit.chunk), hit.score))
            .collect()
    }

    fn damage(&self) {
        let generation = fs::read_dir(self.folder.path().join("store"))
            .unwrap()
            .flatten();
        let files = generation
            .filter_map(|entry| fs::read_dir(entry.path()).ok())
            .flatten();
        let paths = files.flatten().map(|entry| entry.path());
        let is_ours = |path: &PathBuf| path.to_string_lossy().contains("sparse-");
        for path in paths.filter(is_ours) {
            fs::write(path, b"no database").unwrap();
        }
    }
}

/// Ends a job at its first look during the stage.
struct Stop(AtomicUsize);

impl JobControl for Stop {
    fn progress(&self, stage: Stage, done: usize, total: usize, current: Option<&str>) {
        assert_eq!((stage, done), (Stage::Sparse, 0));
        assert!(total > 0 && current.is_some());
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn should_stop(&self) -> bool {
        true
    }
}

const ROUTER: &str = "def add_route(path):\n    return path.handlers\n";
const SESSION: &str = "def open_session(app):\n    return app.secret\n";

fn two_files() -> Fixture {
    Fixture::new(&[("router.py", ROUTER), ("session.py", SESSION)])
}

#[test]
fn chunks_get_terms_once_and_are_found_by_them() {
    let fixture = two_files();
    assert_eq!(fixture.coverage(), None);
    assert_eq!(fixture.encode(&Unattended).unwrap(), 2);
    assert_eq!(fixture.encode(&Unattended).unwrap(), 0);
    assert_eq!(fixture.coverage(), Some(2));
    let all = fixture.view().visible.as_ref().clone();
    let found = fixture.ask("route handlers", &all, 10);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "router.py");
    // `route` stands in the name and the text: 1.25; `handlers` once.
    assert!((found[0].1 - 2.25).abs() < 0.02, "{}", found[0].1);
    assert!(fixture.ask("zebra", &all, 10).is_empty());
    // Both hold it once: what scores as the last one comes along, and is put in order by place.
    assert_eq!(fixture.ask("return", &all, 1).len(), 2);
    assert_eq!(fixture.ask("route return", &all, 1).len(), 1);
}

#[test]
fn what_a_view_does_not_show_is_not_found() {
    let fixture = two_files();
    fixture.encode(&Unattended).unwrap();
    fixture.write(
        "router.py",
        "def drop_route(path):\n    return path.nothing\n",
    );
    fixture.update();
    let all = fixture.view().visible.as_ref().clone();
    assert!(fixture.ask("handlers", &all, 10).is_empty());
    assert_eq!(fixture.coverage(), Some(1));
    assert_eq!(fixture.encode(&Unattended).unwrap(), 1);
    assert_eq!(fixture.ask("nothing", &all, 10)[0].0, "router.py");
    // Back again: known already.
    fixture.write("router.py", ROUTER);
    fixture.write("copy.py", ROUTER);
    fixture.update();
    assert_eq!(fixture.encode(&Unattended).unwrap(), 0);
}

#[test]
fn a_stopped_job_keeps_what_it_had_and_a_damaged_file_is_made_anew() {
    let fixture = two_files();
    let stop = Stop(AtomicUsize::new(0));
    assert!(matches!(fixture.encode(&stop), Err(IndexError::Cancelled)));
    assert_eq!(stop.0.into_inner(), 1);
    assert_eq!(fixture.coverage(), Some(0));
    fixture.encode(&Unattended).unwrap();
    fixture.damage();
    let reader = fixture.store().reader().unwrap();
    assert!(
        reader
            .sparse_coverage(fixture.encoder.sparse_spec())
            .is_err()
    );
    assert_eq!(fixture.encode(&Unattended).unwrap(), 2);
    // The reader that saw the damage sees the new file.
    let covered = reader
        .sparse_coverage(fixture.encoder.sparse_spec())
        .unwrap();
    assert_eq!(covered.unwrap().len(), 2);
}

#[test]
fn more_texts_than_a_fold_holds_are_found_folded_or_not() {
    // A fold is 4,096 texts: the last ones are compared one by one.
    let files: Vec<(String, String)> = (0..4_600)
        .map(|n| {
            let text = format!("def step_{n}(value):\n    return value.part{n}\n");
            (format!("file{n}.py"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let fixture = Fixture::new(&files);
    let n_texts = fixture.encode(&Unattended).unwrap();
    assert!(n_texts > 4_500, "{n_texts} texts are one fold");
    let all = fixture.view().visible.as_ref().clone();
    // Folded, at the fold's edge, and after it.
    for n in [7, 4_000, 4_095, 4_096, 4_097, 4_590] {
        // Of 4,600 words some share a term of the fake, and may weigh more.
        let found = fixture.ask(&format!("part{n}"), &all, 10);
        let own = found.iter().find(|hit| hit.0 == format!("file{n}.py"));
        assert!(own.is_some_and(|own| own.1 >= 1.0), "{n}: {found:?}");
    }
    let shared = fixture.ask("step", &all, 10_000);
    assert_eq!(shared.len(), 4_600);
    // Of so many words some share a term of the fake with `step`: those weigh more, none less.
    let least = shared.last().unwrap().1;
    let n_least = shared.iter().filter(|hit| hit.1 == least).count();
    assert!(n_least > 4_500, "a fold weighs otherwise: {n_least}");
    // A further text: the fold stays, and what comes after it is compared.
    fixture.write("late.py", "def zebra(value):\n    return value.stripes\n");
    fixture.update();
    assert_eq!(fixture.encode(&Unattended).unwrap(), 1);
    let all = fixture.view().visible.as_ref().clone();
    assert_eq!(fixture.ask("zebra", &all, 3)[0].0, "late.py");
}
