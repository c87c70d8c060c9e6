//! `docs/memory.md`, run from top to bottom.

#![cfg(unix)]

use std::fmt::Write as _;
use std::process::Command;
use whyrank_tests::program;

/// The shell lines of the document, each with what its answer holds and does not hold.
fn script(document: &str) -> String {
    let mut script = "set -eu\n".to_owned();
    let mut in_block = false;
    for line in document.lines() {
        match line {
            "```sh" => in_block = true,
            "```" => in_block = false,
            line if in_block => script.push_str(&checked(line)),
            _ => {}
        }
    }
    script
}

fn checked(line: &str) -> String {
    let (command, expected, holds) = match (line.split_once("# → "), line.split_once("# ↛ ")) {
        (Some((command, expected)), _) => (command.trim_end(), expected, true),
        (_, Some((command, expected))) => (command.trim_end(), expected, false),
        (None, None) => return format!("{line}\n"),
    };
    let (found, missed) = if holds { (":", "fail") } else { ("fail", ":") };
    let mut text = String::new();
    let _ = writeln!(
        text,
        "answer=$({command} 2>&1) || {{ echo \"$answer\"; exit 9; }}"
    );
    let _ = writeln!(
        text,
        "fail() {{ printf 'the answer of\\n  %s\\nis\\n%s\\n' '{}' \"$answer\"; exit 8; }}",
        line.replace('\'', "’")
    );
    let _ = writeln!(
        text,
        "case \"$answer\" in *'{expected}'*) {found} ;; *) {missed} ;; esac"
    );
    text
}

#[test]
fn the_examples_of_the_documentation_answer_as_it_says() {
    let document = include_str!("../../../docs/memory.md");
    let folder = tempfile::tempdir().expect("a folder");
    let script = script(document);
    assert!(
        script.matches("case ").count() > 20,
        "the examples were found"
    );
    let whyrank = program("whyrank");
    let tools = whyrank.parent().expect("a folder");
    let path = std::env::var("PATH").expect("a search path");
    let done = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path())
        .env("PATH", format!("{}:{path}", tools.display()))
        .env("WHYRANK_HOME", folder.path().join("home"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("NO_COLOR", "1")
        .output()
        .expect("a shell");
    let (out, errors) = (
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr),
    );
    assert!(done.status.success(), "{}\n{out}\n{errors}", done.status);
}
