//! Lets the compilers of this machine say whether packages and rewrites of them still build.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Context as _;

use super::package::Package;
use super::{Drawn, DrawnRewrite};
use crate::out;

/// A language, and what builds a folder of it: `FILES` are all files with one of the endings.
const BUILDS: [(&str, &[&str], &[&str]); 7] = [
    ("typescript", &["tsc", "-p", "."], &[]),
    ("javascript", &["node", "--check", "EACH"], &["js"]),
    ("python", &["python3", "-m", "compileall", "-q", "."], &[]),
    (
        "rust",
        &[
            "cargo",
            "check",
            "-q",
            "--offline",
            "--tests",
            "--target-dir",
            "../target",
        ],
        &[],
    ),
    (
        "java",
        &["javac", "-nowarn", "-d", "../classes", "FILES"],
        &["java"],
    ),
    (
        "c",
        &["gcc", "-w", "-fsyntax-only", "-Iinclude", "FILES"],
        &["c"],
    ),
    (
        "cpp",
        &[
            "g++",
            "-w",
            "-std=c++17",
            "-fsyntax-only",
            "-Iinclude",
            "FILES",
        ],
        &["cpp"],
    ),
];

/// Builds each package, and so many rewrites of it.
///
/// # Errors
/// That a folder cannot be written.
pub(super) fn run(packages: &[Package], number: usize, seed: u32) -> anyhow::Result<ExitCode> {
    let home = tempfile::tempdir().context("a temporary folder cannot be made")?;
    let mut is_clean = true;
    for package in packages {
        let build = BUILDS.iter().find(|(name, ..)| *name == package.name);
        let Some((_, command, endings)) = build else {
            out::line(&format!("{}: no compiler is asked", package.name))?;
            continue;
        };
        let build =
            |name: &str, rewrite: Option<&DrawnRewrite>| -> anyhow::Result<Option<String>> {
                let folder = home.path().join(&package.name).join(name);
                write(&folder, package, rewrite)?;
                let failed = failed(&folder, command, endings)?;
                fs::remove_dir_all(&folder)?;
                Ok(failed)
            };
        if let Some(why) = build("whole", None)? {
            is_clean = false;
            out::line(&format!("{}: does not build: {why}", package.name))?;
            continue;
        }
        let drawn = Drawn {
            package,
            seed: u64::from(seed) << 32,
            language: None,
            kind: None,
        };
        let (mut n_built, mut broken) = (0, Vec::new());
        drawn.take(number, |rewrite| {
            let name = format!("{} {}", rewrite.number, rewrite.kind.name);
            match build("rewritten", Some(&rewrite)) {
                Ok(None) => n_built += 1,
                Ok(Some(why)) => broken.push(format!("{name}: {why}")),
                Err(error) => broken.push(format!("{name}: {error:#}")),
            }
        });
        is_clean &= broken.is_empty();
        out::line(&format!(
            "{}: builds, and so do {n_built} of {} rewrites",
            package.name,
            n_built + broken.len()
        ))?;
        for broken in broken {
            out::line(&format!("  {broken}"))?;
        }
    }
    Ok(match is_clean {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn write(folder: &Path, package: &Package, rewrite: Option<&DrawnRewrite>) -> anyhow::Result<()> {
    let write = |path: &str, text: &str| -> anyhow::Result<()> {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        Ok(fs::write(&path, text)?)
    };
    for (path, text) in &package.files {
        write(path, text)?;
    }
    for written in rewrite.iter().flat_map(|it| &it.rewritten.files) {
        write(&written.path, &written.text(&package.asked.view))?;
    }
    Ok(())
}

/// What the compiler says; none where it is content.
fn failed(folder: &Path, command: &[&str], endings: &[&str]) -> anyhow::Result<Option<String>> {
    let mut files = Vec::new();
    gather(folder, endings, &mut files)?;
    let each: Vec<&[String]> = match command.contains(&"EACH") {
        true => files.chunks(1).collect(),
        false => vec![&files[..]],
    };
    for files in each {
        let mut run = Command::new(command[0]);
        for part in &command[1..] {
            match *part {
                "FILES" | "EACH" => run.args(files),
                part => run.arg(part),
            };
        }
        let done = run
            .current_dir(folder)
            .output()
            .with_context(|| format!("{} cannot be started", command[0]))?;
        if !done.status.success() {
            let mut said = String::from_utf8_lossy(&done.stdout).into_owned();
            said.push_str(&String::from_utf8_lossy(&done.stderr));
            let first: Vec<&str> = said.lines().take(6).collect();
            return Ok(Some(first.join("\n    ")));
        }
    }
    Ok(None)
}

fn gather(folder: &Path, endings: &[&str], files: &mut Vec<String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, endings, files)?;
        } else if path
            .extension()
            .is_some_and(|it| endings.iter().any(|end| it == *end))
        {
            files.push(path.display().to_string());
        }
    }
    Ok(())
}
