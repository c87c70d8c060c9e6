//! Nothing goes out: neither needs the network nor asks for it.

use std::process::Command;
use whyrank_tests::{Home, Outcome, TestRepo, program, skip};

#[test]
fn indexing_searching_and_serving_open_no_connection() {
    let test = "indexing_searching_and_serving_open_no_connection";
    if !works(Command::new("strace").args(["-f", "-e", "trace=socket", "true"])) {
        return skip(test, "strace is not installed, or tracing is not allowed");
    }
    let (repo, home) = (TestRepo::shop(), Home::with_model().unwrap_or_default());
    let log = home.path().join("calls");
    for args in [
        vec!["index", repo.arg()],
        vec!["search", "value added tax", "--repo", repo.arg()],
        vec!["mcp", "--repo", repo.arg()],
        vec!["doctor"],
    ] {
        let mut command = Command::new("strace");
        command
            .args(["-f", "-qq", "-e", "trace=%network", "-o"])
            .arg(&log)
            .arg(program("whyrank"))
            .args(&args);
        home.furnish(&mut command);
        Outcome::of(command);
        let calls = std::fs::read_to_string(&log).expect("the log of calls");
        let outward: Vec<&str> = calls
            .lines()
            .filter(|line| line.contains("AF_INET"))
            .collect();
        assert!(outward.is_empty(), "{args:?}: {outward:?}");
    }
}

#[test]
fn everything_works_without_a_network() {
    let test = "everything_works_without_a_network";
    let without_network = ["-n", "--"];
    if !works(Command::new("unshare").args(without_network).arg("true")) {
        return skip(test, "a network namespace of its own needs root");
    }
    let (repo, home) = (TestRepo::shop(), Home::with_model().unwrap_or_default());
    let run = |args: &[&str]| {
        let mut command = Command::new("unshare");
        command
            .args(without_network)
            .arg(program("whyrank"))
            .args(args);
        home.furnish(&mut command);
        Outcome::of(command)
    };
    run(&["index", repo.arg()]).succeeds();
    let answer = run(&["search", "value added tax", "--repo", repo.arg(), "--json"]).succeeds();
    assert_eq!(answer.json()["hits"][0]["path"], "billing/tax.py");
    run(&["explain", "--last"]).succeeds();
}

fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
