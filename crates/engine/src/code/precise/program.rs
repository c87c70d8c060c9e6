//! Starts programs on a person's consent: which file, in which folder, and what ends them.
//!
//! A name is looked up in the absolute folders of `PATH` that do not lie in the repository: what a
//! checkout holds is data, and a program of that name in it is never the one that was agreed to.

use crate::error::{EngineError, Result};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// Between two looks at a child.
const POLL: Duration = Duration::from_millis(200);
/// A program that writes more than this is ended.
const MAX_LOG_BYTES: u64 = 256 << 20;
/// Bytes at a log's end that its last line is looked for in.
const TAIL_BYTES: u64 = 4 << 10;
/// Lines of a log that an error quotes.
const N_QUOTED: usize = 3;

/// A program with its arguments.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) args: Vec<String>,
    pub(super) folder: PathBuf,
}

/// How a program ended.
pub(super) enum Ended {
    Well,
    Badly(ExitStatus),
    Cancelled,
    TooMuchOutput,
}

/// The programs that can be started for a repository.
pub(super) struct SearchPath {
    folders: Vec<PathBuf>,
}

impl SearchPath {
    /// The folders of `PATH` that are absolute and lie outside of the repository.
    pub(super) fn outside(repository: &Path) -> Self {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let is_allowed = |folder: &PathBuf| folder.is_absolute() && !is_inside(folder, repository);
        Self {
            folders: std::env::split_paths(&inherited)
                .filter(is_allowed)
                .collect(),
        }
    }

    /// The file of that name that is found first and does not lead into the repository.
    pub(super) fn find(&self, name: &str, repository: &Path) -> Option<PathBuf> {
        let names: &[&str] = if cfg!(windows) {
            &[".exe", ".cmd"]
        } else {
            &[""]
        };
        let files = self.folders.iter().flat_map(|folder| {
            names
                .iter()
                .map(move |end| folder.join(format!("{name}{end}")))
        });
        let mut fitting = files.filter(|file| is_program(file) && !is_inside(file, repository));
        fitting.next()
    }

    fn joined(&self) -> OsString {
        std::env::join_paths(&self.folders).unwrap_or_default()
    }
}

/// Runs a program to its end; what it writes goes to the log. `tick` gets the last line now and then
/// and answers whether to go on; a program that is not to go on is ended with all that it started.
///
/// # Errors
/// `io` when it cannot be started or its log cannot be written.
pub(super) fn run(
    program: &Program,
    path: &SearchPath,
    log: &Path,
    tick: &mut dyn FnMut(&str) -> bool,
) -> Result<Ended> {
    let failed = |error: std::io::Error| EngineError::io(&program.path, &error);
    let output = fs::OpenOptions::new().create(true).append(true).open(log);
    let output = output.map_err(|error| EngineError::io(log, &error))?;
    let mut command = Command::new(&program.path);
    command
        .args(&program.args)
        .current_dir(&program.folder)
        .env("PATH", path.joined())
        .env("PYTHONSAFEPATH", "1")
        .stdin(Stdio::null())
        .stdout(output.try_clone().map_err(failed)?)
        .stderr(output);
    lead_a_group(&mut command);
    let mut child = command.spawn().map_err(failed)?;
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(if status.success() {
                Ended::Well
            } else {
                Ended::Badly(status)
            });
        }
        let is_too_much = fs::metadata(log).is_ok_and(|meta| meta.len() > MAX_LOG_BYTES);
        if is_too_much || !tick(&last_lines(log, 1)) {
            end(&mut child);
            return Ok(if is_too_much {
                Ended::TooMuchOutput
            } else {
                Ended::Cancelled
            });
        }
        std::thread::sleep(POLL);
    }
}

/// The last lines of a log that say something, as a message can carry them.
pub(super) fn quoted(log: &Path) -> String {
    last_lines(log, N_QUOTED)
}

fn last_lines(log: &Path, n: usize) -> String {
    let tail = || -> std::io::Result<String> {
        let mut file = File::open(log)?;
        let from = file.metadata()?.len().saturating_sub(TAIL_BYTES);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(TAIL_BYTES).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = tail().unwrap_or_default();
    let mut last: VecDeque<&str> = VecDeque::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        last.push_back(line);
        if last.len() > n {
            last.pop_front();
        }
    }
    let last: Vec<&str> = last.into_iter().collect();
    last.join(" / ")
}

fn is_inside(path: &Path, repository: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    real(path).starts_with(real(repository))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

#[cfg(unix)]
fn lead_a_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(not(unix))]
fn lead_a_group(_: &mut Command) {}

/// Ends a child and, where the system has groups, what it started.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
    drop(child.kill());
    drop(child.wait());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn program(folder: &Path, name: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        fs::create_dir_all(folder).unwrap();
        let file = folder.join(name);
        fs::write(&file, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        file
    }

    #[cfg(unix)]
    #[test]
    fn a_program_of_the_repository_is_never_found() {
        let root = tempfile::tempdir().unwrap();
        let repository = root.path().join("repository");
        program(&repository.join("bin"), "scip-go");
        let outside = root.path().join("tools");
        fs::create_dir_all(&outside).unwrap();
        std::os::unix::fs::symlink(repository.join("bin/scip-go"), outside.join("scip-go"))
            .unwrap();
        let path = SearchPath {
            folders: vec![outside.clone()],
        };
        assert_eq!(path.find("scip-go", &repository), None);
        let other = program(&outside, "scip-clang");
        assert_eq!(path.find("scip-clang", &repository), Some(other));
    }

    #[cfg(unix)]
    #[test]
    fn cancelling_ends_what_the_program_started() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        let script = format!("(sleep 3; touch {}) & echo begun; wait", mark.display());
        let program = Program {
            path: PathBuf::from("/bin/sh"),
            args: vec!["-c".to_owned(), script],
            folder: folder.path().to_owned(),
        };
        let log = folder.path().join("log");
        let path = SearchPath {
            folders: vec!["/usr/bin".into(), "/bin".into()],
        };
        let ended = run(&program, &path, &log, &mut |line| line != "begun").unwrap();
        assert!(matches!(ended, Ended::Cancelled));
        assert!(!mark.exists());
        assert_eq!(quoted(&log), "begun");
    }
}
