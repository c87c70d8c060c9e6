//! Ends a process group when this process goes, however it goes.
//!
//! A killed process cannot clean up behind it, and Linux alone tells a child that its parent died, but
//! not the child's own children. So a shell of a fixed script waits for the end of a pipe that only
//! this process holds: the system closes it with the process, and the shell ends the group.

#[cfg(unix)]
use std::os::unix::process::CommandExt as _;
use std::process::Child;
#[cfg(unix)]
use std::process::{Command, Stdio};

/// The group's number is its only argument.
#[cfg(unix)]
const SCRIPT: &str = r#"trap '' HUP INT TERM; read -r _; kill -s KILL -- "-$1""#;

/// A process that outlives this one just long enough.
#[derive(Debug)]
pub(super) struct Watcher(Child);

impl Watcher {
    /// Watches over the group that a child leads. None where the system has no `/bin/sh`: then a
    /// killed process leaves the child behind.
    #[cfg(unix)]
    pub(super) fn of(child: &Child) -> Option<Self> {
        let watcher = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "whyrank-watcher", &child.id().to_string()])
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
    pub(super) fn of(_: &Child) -> Option<Self> {
        None
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // Killed before its pipe closes, so it ends nothing: the group's number may be another's by now.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
