//! Several processes at once, and processes that end in the middle.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use whyrank_tests::{Home, TestRepo};

/// Long enough to be caught in the middle on any machine.
const N_FILES: usize = 3000;

fn start_indexing(home: &Home, repo: &TestRepo) -> Child {
    let mut command = home.command(&["index", repo.arg(), "--no-vectors"]);
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("whyrank starts")
}

/// Waits until the writer is at work: its lock file is there.
fn until_at_work(home: &Home) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !home
        .stores()
        .iter()
        .any(|store| store.join("writer.lock").exists())
    {
        assert!(Instant::now() < deadline, "nobody writes");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_first_run_leaves_nothing_broken() {
    let (repo, home) = (TestRepo::large(N_FILES), Home::new());
    let mut child = start_indexing(&home, &repo);
    until_at_work(&home);
    thread::sleep(Duration::from_millis(300));
    child.kill().expect("a child can be killed");
    child.wait().expect("it ended");

    let outcome = home.run(&["search", "refund", "--repo", repo.arg()]);
    assert!(matches!(outcome.code, Some(0 | 1 | 3)), "{outcome:?}");
    home.index(repo.arg());
    let last = format!(
        "src/part{:02}/module_{:04}.py",
        (N_FILES - 1) % 40,
        N_FILES - 1
    );
    let found = home.paths_of(repo.arg(), &format!("module_{:04}", N_FILES - 1));
    assert!(found.contains(&last), "{found:?}");
}

#[test]
fn a_killed_update_leaves_the_last_good_index() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    for pause_ms in [50, 200, 600] {
        repo.write_many(&format!("grown{pause_ms}"), 1000);
        let mut child = start_indexing(&home, &repo);
        thread::sleep(Duration::from_millis(pause_ms));
        child.kill().expect("a child can be killed");
        child.wait().expect("it ended");
        assert_eq!(home.paths_of(repo.arg(), "vat_rate")[0], "billing/tax.py");
    }
    home.index(repo.arg());
    let found = home.paths_of(repo.arg(), "ledger_invoice_999_3");
    assert!(
        found.contains(&"grown600/part39/module_0999.py".to_owned()),
        "{found:?}"
    );
}

#[test]
fn a_second_writer_waits_for_the_first() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    repo.write_many("more", N_FILES);
    let mut writer = start_indexing(&home, &repo);
    thread::sleep(Duration::from_millis(150));

    home.index(repo.arg());
    assert!(!home.paths_of(repo.arg(), "module_2999").is_empty());
    assert!(writer.wait().expect("it ends").success());
}

#[test]
fn readers_search_while_a_writer_works_and_a_second_writer_is_told() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    repo.write_many("more", N_FILES);
    let mut writer = start_indexing(&home, &repo);
    thread::sleep(Duration::from_millis(150));

    let second = home.run(&["index", repo.arg(), "--no-vectors", "--no-wait"]);
    assert_eq!(home.paths_of(repo.arg(), "vat_rate")[0], "billing/tax.py");
    if writer.try_wait().expect("a child can be asked").is_none() {
        let code = second.code.expect("no signal");
        assert_ne!(code, 0, "two writers at once: {second:?}");
        let number = format!("process {}", writer.id());
        second.fails(code, &["another process is indexing", &number]);
    }
    assert!(writer.wait().expect("it ends").success());
    home.index(repo.arg());
    assert!(!home.paths_of(repo.arg(), "module_2999").is_empty());
}

#[test]
fn an_index_that_waits_says_so_without_a_terminal() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    let lock = std::fs::File::open(home.stores()[0].join("writer.lock")).expect("the lock file");
    lock.lock().expect("nobody writes");
    let mut command = home.command(&["index", repo.arg(), "--no-vectors"]);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut waiting = command.spawn().expect("whyrank starts");
    let said = BufReader::new(waiting.stderr.take().expect("a pipe"));
    let first = said.lines().next().expect("a line").expect("text");
    assert!(first.contains("another process"), "{first}");
    drop(lock);
    assert!(waiting.wait().expect("it ends").success());
}
