//! Starts programs: the one place that does.
//!
//! - **Which file**: an absolute path, or a name that is looked up in the absolute folders of `PATH`
//!   outside a checkout. What a checkout holds is data; a program of that name in it is never meant.
//! - **Which folder**: the caller names one. It is a folder of ours unless the point is to run there.
//! - **Which environment**: of the person's, what [`environment`] lists. What the person opens (an editor),
//!   and Whyrank itself after an update, gets all of it, as from a terminal.
//! - Never through a shell, and ended with all that it started: also when this process is killed. An
//!   editor that was opened for the person is let go of.

mod environment;
mod search_path;
mod watcher;

pub use search_path::{SearchPath, checkout_of};

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use watcher::Watcher;

/// Between two looks at a child.
const POLL: Duration = Duration::from_millis(200);
/// A program that writes more than this into its log is ended.
const MAX_LOG_BYTES: u64 = 256 << 20;
/// What is read of an output.
const MAX_OUTPUT_BYTES: u64 = 64 << 10;

/// A program with its arguments, the folder that it runs in and what is set besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// An absolute path.
    pub path: PathBuf,
    /// Arguments.
    pub args: Vec<OsString>,
    /// The folder that it runs in.
    pub folder: PathBuf,
    /// Variables that are set for it.
    pub env: Vec<(OsString, OsString)>,
    /// It gets all of this process's environment.
    has_whole_environment: bool,
}

/// How a program ended.
#[derive(Debug)]
pub enum Ended {
    /// With success.
    Well,
    /// With another status.
    Badly(ExitStatus),
    /// It was not to go on.
    Cancelled,
    /// Its log became too long.
    TooMuchOutput,
}

/// Where a program reads and writes.
#[derive(Debug)]
pub struct Streams {
    /// Standard input.
    pub stdin: Stdio,
    /// Standard output.
    pub stdout: Stdio,
    /// Standard error.
    pub stderr: Stdio,
}

impl Streams {
    /// Returns both ends of a conversation; errors go nowhere.
    pub fn piped() -> Self {
        Self {
            stdin: Stdio::piped(),
            stdout: Stdio::piped(),
            stderr: Stdio::null(),
        }
    }

    /// Returns no input; everything that is written goes to one file.
    ///
    /// # Errors
    /// When the file's handle cannot be doubled.
    pub fn logged(log: File) -> io::Result<Self> {
        Ok(Self {
            stdin: Stdio::null(),
            stdout: log.try_clone()?.into(),
            stderr: log.into(),
        })
    }
}

impl Program {
    /// Returns a program without arguments.
    pub fn new(path: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            args: Vec::new(),
            folder: folder.into(),
            env: Vec::new(),
            has_whole_environment: false,
        }
    }

    /// Gives it all of this process's environment: for Whyrank itself, which goes on in its place.
    #[must_use]
    pub fn with_whole_environment(mut self) -> Self {
        self.has_whole_environment = true;
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Starts it in a process group of its own, with the environment that is listed. `path` is what it finds
    /// other programs in.
    ///
    /// # Errors
    /// When the path is not absolute, or the system cannot start it.
    pub fn start(&self, path: &SearchPath, streams: Streams) -> io::Result<Running> {
        let mut command = self.command()?;
        if !self.has_whole_environment {
            command.env_clear().envs(environment::passed());
        }
        command
            .env("PATH", path.joined())
            .env("PYTHONSAFEPATH", "1")
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(streams.stdin)
            .stdout(streams.stdout)
            .stderr(streams.stderr);
        let watcher = Watcher::start();
        join_group(&mut command, watcher.as_ref().map_or(0, Watcher::group));
        let child = command.spawn()?;
        Ok(Running { child, watcher })
    }

    /// Runs it on the person's terminal, with the person's whole environment, and waits for it.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn on_terminal(&self) -> io::Result<ExitStatus> {
        self.command()?
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .status()
    }

    /// Starts it for the person and lets go of it: it outlives this process, as an editor does.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn release(&self, path: &SearchPath) -> io::Result<()> {
        let mut command = self.command()?;
        join_group(&mut command, 0);
        command
            .env("PATH", path.joined())
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        // Else what has ended stays in the table of processes for as long as this one runs.
        std::thread::spawn(move || child.wait());
        Ok(())
    }

    /// Runs it to its end; what it writes is added to the log. `tick` gets the last line now and then
    /// and answers whether to go on.
    ///
    /// # Errors
    /// When it cannot be started or its log cannot be written.
    pub fn run_logged(
        &self,
        path: &SearchPath,
        log: &Path,
        tick: &mut dyn FnMut(&str) -> bool,
    ) -> io::Result<Ended> {
        let output = fs::OpenOptions::new().create(true).append(true).open(log)?;
        let mut running = self.start(path, Streams::logged(output)?)?;
        loop {
            if let Some(status) = running.try_wait()? {
                return Ok(if status.success() {
                    Ended::Well
                } else {
                    Ended::Badly(status)
                });
            }
            if fs::metadata(log).is_ok_and(|meta| meta.len() > MAX_LOG_BYTES) {
                return Ok(Ended::TooMuchOutput);
            }
            if !tick(&crate::files::last_lines(log, 1)) {
                return Ok(Ended::Cancelled);
            }
            std::thread::sleep(POLL);
        }
    }

    /// Returns what it writes within a time, without the space around it.
    ///
    /// # Errors
    /// When it cannot be started, or is not done by then.
    pub fn output(&self, path: &SearchPath, patience: Duration) -> io::Result<String> {
        let mut running = self.start(path, Streams::piped())?;
        drop(running.stdin());
        let output = running.stdout().ok_or(io::ErrorKind::BrokenPipe)?;
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = output.take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes);
            drop(send.send(read.map(|_| bytes)));
        });
        let late = |_| io::Error::from(io::ErrorKind::TimedOut);
        let bytes = receive.recv_timeout(patience).map_err(late)??;
        Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
    }

    fn command(&self) -> io::Result<Command> {
        if !self.path.is_absolute() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a program is started by its whole path",
            ));
        }
        let mut command = Command::new(&self.path);
        command.args(&self.args).current_dir(&self.folder);
        Ok(command)
    }
}

/// A program that was started; ended with all that it started when it is dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    watcher: Option<Watcher>,
}

impl Running {
    /// Returns its status, once it has ended.
    ///
    /// # Errors
    /// When the system does not know the process.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Lets go of it: it outlives this process.
    pub fn let_go(mut self) {
        // Killed before its pipe closes, so that it ends nothing.
        drop(self.watcher.take());
        // What has ended would stay in the table of processes for as long as this one runs.
        std::thread::spawn({
            let this = std::mem::ManuallyDrop::new(self);
            move || {
                let mut this = this;
                let _ = this.child.wait();
            }
        });
    }

    /// Takes its input, once.
    pub fn stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Takes its output, once.
    pub fn stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            let leader = self.watcher.as_ref().map(Watcher::group);
            end_group(leader.unwrap_or_else(|| self.child.id()));
            drop(self.child.kill());
            drop(self.child.wait());
        }
        // Only now: a watcher whose pipe closes ends the group.
        drop(self.watcher.take());
    }
}

/// A new group for 0.
#[cfg(unix)]
fn join_group(command: &mut Command, group: u32) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(i32::try_from(group).unwrap_or(0));
}

#[cfg(not(unix))]
fn join_group(_: &mut Command, _: u32) {}

#[cfg(unix)]
fn end_group(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(group) = i32::try_from(leader) {
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: u32) {}

#[cfg(test)]
#[cfg(unix)]
mod tests;
