//! git, in repositories that are made here.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;
use whyrank_benchmark::BenchError;

/// Runs git in a folder with what `write` writes as its input; returns what it printed.
///
/// # Errors
/// What it said; that it cannot be started.
pub(crate) fn git(
    root: &Path,
    args: &[&str],
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> anyhow::Result<String> {
    let mut child = Command::new("git")
        .args(args)
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("git cannot be started")?;
    if let Some(stdin) = child.stdin.take() {
        let mut input = BufWriter::new(stdin);
        // git that has given up says why when it is waited for.
        let _ = write(&mut input).and_then(|()| input.flush());
    }
    let done = child.wait_with_output()?;
    if !done.status.success() {
        let why = String::from_utf8_lossy(&done.stderr);
        return Err(BenchError::Request {
            message: format!("git {} failed: {}", args[0], why.trim()),
            hint: "give a folder that is empty or does not exist".to_owned(),
        }
        .into());
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Makes a repository of a history as `git fast-import` reads it, and checks out its `main`.
///
/// # Errors
/// As [`git`], and where the folder cannot be made.
pub(crate) fn make(
    root: &Path,
    history: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(root).with_context(|| root.display().to_string())?;
    git(root, &["init", "-q", "-b", "main"], |_| Ok(()))?;
    git(root, &["fast-import", "--quiet"], history)?;
    git(root, &["reset", "-q", "--hard", "main"], |_| Ok(()))?;
    Ok(())
}
