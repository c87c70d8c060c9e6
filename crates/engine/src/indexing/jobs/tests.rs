//! Jobs without an index: what they wait for, and what holds and ends them.

use super::*;
use std::path::Path;

fn job(number: u64, turns: &Arc<VectorTurns>, folder: &Path) -> Job {
    let repo = Registered {
        id: "r1".into(),
        name: "r".into(),
        root: folder.into(),
        common_dir: folder.into(),
        watch: None,
        is_past_limit: false,
        scip: None,
        reports: Vec::new(),
    };
    let work = NumberedWork {
        number,
        repo,
        store: Store::at(folder),
        options: IndexOptions::default(),
    };
    Job::new(work, turns, &Arc::default())
}

/// A job that has many vectors to make.
fn encoding(number: u64, turns: &Arc<VectorTurns>, folder: &Path) -> Job {
    let job = job(number, turns, folder);
    job.encodes(1_000);
    job.progress(Stage::Vectors, 0, 1_000, None);
    job
}

fn is_waiting(status: &Status) -> bool {
    status.progress.stage == JobStage::Waiting
}

#[test]
fn a_job_that_is_searchable_makes_room_for_an_answer_that_waits() {
    let folder = tempfile::tempdir().expect("a folder");
    let job = |stage| {
        let job = job(1, &Arc::default(), folder.path());
        job.progress(stage, 0, 1, None);
        job
    };
    let request = Store::at(folder.path()).request_writer().expect("a file");
    assert!(job(Stage::Vectors).should_stop());
    assert!(!job(Stage::Parse).should_stop());
    drop(request);
    assert!(!job(Stage::Vectors).should_stop());
}

#[test]
fn a_second_job_waits_with_its_vectors_and_says_so_until_the_first_has_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let turns = Arc::default();
    let first = encoding(1, &turns, folder.path());
    let second = encoding(2, &turns, folder.path());
    assert!(!first.should_stop());
    std::thread::scope(|scope| {
        let outcome = scope.spawn(|| second.should_stop());
        second.wait_until(None, is_waiting);
        let told = second.progress_now();
        assert_eq!((told.lane, told.total), (Lane::Vector, 1_000));
        assert!(!first.should_stop(), "the first goes on");
        first.end(JobState::Done, None);
        assert!(!outcome.join().expect("no panic"));
    });
    assert_eq!(second.progress_now().stage, JobStage::Vectors);
}

#[test]
fn a_waiting_job_can_be_held_resumed_and_cancelled() {
    let folder = tempfile::tempdir().expect("a folder");
    let turns = Arc::default();
    let first = encoding(1, &turns, folder.path());
    let second = encoding(2, &turns, folder.path());
    let third = encoding(3, &turns, folder.path());
    assert!(!first.should_stop());
    std::thread::scope(|scope| {
        let outcome = scope.spawn(|| second.should_stop());
        second.wait_until(None, is_waiting);
        second.set_paused(true);
        assert_eq!(second.progress_now().state, JobState::Paused);
        // Who is held keeps nobody from the turn, whether it had it or waited for it.
        first.set_paused(true);
        assert!(!third.should_stop());
        second.set_paused(false);
        second.wait_until(None, is_waiting);
        second.cancel();
        assert!(outcome.join().expect("no panic"));
    });
    third.end(JobState::Done, None);
    first.set_paused(false);
    assert!(!first.should_stop());
}

#[test]
fn text_and_the_few_vectors_of_an_edit_wait_for_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let turns = Arc::default();
    let first = encoding(1, &turns, folder.path());
    assert!(!first.should_stop());
    let text = job(2, &turns, folder.path());
    text.progress(Stage::Parse, 0, 10, None);
    assert!(!text.should_stop());
    let edit = job(3, &turns, folder.path());
    edit.encodes(FEW_TEXTS);
    edit.progress(Stage::Vectors, 0, FEW_TEXTS, None);
    assert!(!edit.should_stop());
    // What waits goes back to its text when files change.
    let second = encoding(4, &turns, folder.path());
    std::thread::scope(|scope| {
        let outcome = scope.spawn(|| second.should_stop());
        second.wait_until(None, is_waiting);
        second.rerun.store(true, Ordering::Relaxed);
        assert!(outcome.join().expect("no panic"));
    });
    second.rerun.store(false, Ordering::Relaxed);
    second.progress(Stage::Parse, 0, 10, None);
    assert!(!second.should_stop());
}
