//! The files of a checkout: copied, with lines blanked, and committed.

use super::fetch::FETCH_LIMIT;
use crate::process::must;
use crate::watch::Watch;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use whyrank_eval::suites::Pin;

/// Copies files and folders, not links and not git's own folder.
pub(crate) fn copy(from: &Path, to: &Path, only: &[String]) -> std::io::Result<()> {
    let entries = walkdir::WalkDir::new(from)
        .into_iter()
        .filter_entry(|entry| {
            let relative = entry.path().strip_prefix(from).unwrap_or(entry.path());
            entry.file_name() != ".git" && is_wanted(relative, only)
        });
    for entry in entries {
        let entry = entry.map_err(std::io::Error::other)?;
        let Ok(relative) = entry.path().strip_prefix(from) else {
            continue;
        };
        let target = to.join(relative);
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target)?;
        } else if entry.file_type().is_file() {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

/// What lies on the way to one of `only`, or below it.
fn is_wanted(path: &Path, only: &[String]) -> bool {
    let names = |other: &String| path.starts_with(other) || Path::new(other).starts_with(path);
    only.is_empty() || only.iter().any(names)
}

/// Blanks lines, keeping their count, so that a question's text is not found word for word.
pub(super) fn blank(pin: &Pin, root: &Path) -> std::result::Result<(), String> {
    let mut by_file: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    for blank in &pin.blank {
        by_file
            .entry(&blank.file)
            .or_default()
            .push((blank.start as usize, blank.end as usize));
    }
    for (file, ranges) in by_file {
        let path = root.join(file);
        let text = fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        let is_blanked = |line: usize| {
            ranges
                .iter()
                .any(|(first, last)| (*first..=*last).contains(&line))
        };
        let lines: Vec<&str> = text
            .split('\n')
            .enumerate()
            .map(|(index, line)| if is_blanked(index + 1) { "" } else { line })
            .collect();
        fs::write(&path, lines.join("\n")).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(())
}

/// One commit with everything in it, the same on every machine.
pub(super) fn commit(root: &Path, pin: &Pin, watch: &Watch) -> std::result::Result<(), String> {
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.args([
            "-c",
            "user.name=benchmark",
            "-c",
            "user.email=benchmark@localhost",
            "-c",
            "commit.gpgsign=false",
            "-c",
            "core.autocrlf=false",
        ]);
        command
            .env("GIT_AUTHOR_DATE", "2020-01-01T00:00:00Z")
            .env("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z");
        must(command.args(args), root, FETCH_LIMIT, watch)
    };
    git(&["init", "-q"])?;
    git(&["add", "-A", "-f"])?;
    git(&[
        "commit",
        "-q",
        "-m",
        &format!("{} {}", pin.name, pin.version),
    ])
    .map(drop)
}
