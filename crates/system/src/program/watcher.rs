//! Ends a process group when this process goes, however it goes.
//!
//! A killed process cannot clean up behind it, and Linux alone tells a child that its parent died, but
//! not the child's own children. So a shell of a fixed script waits for the end of a pipe that only
//! this process holds: the system closes it with the process, and the shell ends the group. It leads the
//! group that the child joins, so that at no moment a child runs unwatched.

#[cfg(unix)]
use std::os::unix::process::CommandExt as _;
use std::process::Child;
#[cfg(unix)]
use std::process::{Command, Stdio};

/// Ends its own group, itself included.
#[cfg(unix)]
const SCRIPT: &str = "trap '' HUP INT TERM; read -r _; kill -s KILL 0";

/// A process that outlives this one just long enough.
#[derive(Debug)]
pub(super) struct Watcher(Child);

impl Watcher {
    /// A watcher with a group of its own. None where the system has no `/bin/sh`: then a killed process
    /// leaves its child behind.
    #[cfg(unix)]
    pub(super) fn start() -> Option<Self> {
        let watcher = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "whyrank-watcher"])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        watcher.ok().map(Self)
    }

    #[cfg(not(unix))]
    pub(super) fn start() -> Option<Self> {
        None
    }

    /// The group that it leads.
    pub(super) fn group(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // Killed before its pipe closes, so it ends nothing: the group's number may be another's by now.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
