//! What had to change? Past fixes, asked about at the commit before them.

use super::TOP_K;
use super::declarations::is_source;
use crate::error::{BenchError, Result};
use regex::Regex;
use std::process::Command;
use whyrank_engine::api::RepoSummary;
use whyrank_eval::{Category, Expected, Place, Question, Random, Task};

pub(super) const DEFECT: &str = "fixes: truth is what one commit changed; other files may answer as well. Baselines search the working tree as it is now, and Whyrank has the vectors that the commit shares with it";

/// Commits that are looked at.
const MAX_COMMITS: &str = "3000";
/// A fix that touches more files is no fix of one thing.
const MAX_FILES: usize = 6;

pub(super) fn tasks(repo: &RepoSummary, most: usize, random: &mut Random) -> Result<Vec<Task>> {
    let output = Command::new("git")
        .args([
            "-C",
            &repo.root,
            "log",
            // A repository's settings may name a program that checks signatures.
            "--no-show-signature",
            "--no-merges",
            "--diff-filter=M",
            "--name-only",
            "-n",
            MAX_COMMITS,
            "--format=%x01%H%x02%P%x02%s",
        ])
        .output()
        .map_err(|error| BenchError::request(format!("cannot run git: {error}"), "install git"))?;
    let log = String::from_utf8_lossy(&output.stdout).into_owned();
    let Ok(fix) = Regex::new(r"(?i)\b(fix(e[sd])?|bug|crash|regression|wrong|broken|leak|race)\b")
    else {
        return Ok(Vec::new());
    };
    let mut tasks: Vec<Task> = log
        .split('\u{1}')
        .filter_map(|entry| fix_task(&repo.name, entry, &fix))
        .collect();
    // The newest ones: old commits share little with the working tree, and need vectors of their own.
    tasks.truncate(most);
    random.shuffle(&mut tasks);
    Ok(tasks)
}

fn fix_task(repo: &str, entry: &str, fix: &Regex) -> Option<Task> {
    let (head, files) = entry.split_once('\n')?;
    let [_, parent, subject] = head.split('\u{2}').collect::<Vec<_>>().try_into().ok()?;
    let parent = parent.split_whitespace().next()?;
    let files: Vec<&str> = files.lines().filter(|file| !file.is_empty()).collect();
    let sources: Vec<Place> = files
        .iter()
        .filter(|file| is_source(file))
        .map(|file| Place::file(*file))
        .collect();
    let is_usable = fix.is_match(subject) && !sources.is_empty() && sources.len() <= MAX_FILES;
    is_usable.then(|| Task {
        id: String::new(),
        repo: repo.to_owned(),
        language: String::new(),
        category: Category::NlFix,
        stratum: String::new(),
        question: Question::Text {
            text: subject.to_owned(),
            scope: None,
            kinds: Vec::new(),
            top_k: TOP_K,
            as_of: Some(parent.to_owned()),
        },
        expected: Expected::Ranked {
            relevant: sources,
            by_suffix: false,
            needs_overlap: false,
            refused: None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fix_asks_for_its_source_files_at_the_parent() {
        let fix = Regex::new(r"(?i)\bfix\b").unwrap();
        let entry =
            "abc\u{2}def\u{2}fix rounding of tax\n\nsrc/tax.py\ntests/test_tax.py\nREADME.md\n";
        let task = fix_task("shop", entry, &fix).unwrap();
        assert_eq!(task.expected.places(), [Place::file("src/tax.py")]);
        assert!(
            matches!(task.question, Question::Text { as_of: Some(commit), .. } if commit == "def")
        );
        assert!(fix_task("shop", "abc\u{2}def\u{2}add tax\n\nsrc/tax.py\n", &fix).is_none());
    }
}
