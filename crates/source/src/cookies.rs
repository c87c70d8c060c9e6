//! Cookies: files that a watcher writes to learn that it has heard of all that happened before.
//!
//! The system tells one watcher of events in their order, so once a cookie's own event has come, those
//! of all earlier edits have (as in Watchman). They lie in a folder outside of what is watched.

use parking_lot::{Condvar, Mutex, MutexGuard};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Counts of different watchers are never the same.
static N_WATCHERS: AtomicU64 = AtomicU64::new(1);
const EVENTS_PER_WATCHER: u64 = 1 << 40;

/// What a watcher has heard of so far.
pub(crate) struct Cookies {
    /// Where they are written; `None` where the order of events is not certain.
    folder: Option<PathBuf>,
    heard: Mutex<EventCounts>,
    arrived: Condvar,
}

struct EventCounts {
    n_events: u64,
    n_written: u64,
    newest: u64,
    /// Nothing that matters can happen unheard.
    is_whole: bool,
}

/// File systems whose edits all come through this system, so that it tells of every one. Others
/// (network, shared with a host) change unheard.
const LOCAL_FILE_SYSTEMS: [&str; 9] = [
    "bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "tmpfs", "xfs",
];

/// Whether the system hears of all edits below a folder, by its table of mounts.
pub(crate) fn hears_all(root: &Path) -> bool {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    kind_of_mount(&mounts, root).is_some_and(|kind| LOCAL_FILE_SYSTEMS.contains(&kind))
}

/// The file system of the innermost mount that a path lies in (see proc_pid_mountinfo(5)).
fn kind_of_mount<'a>(mounts: &'a str, path: &Path) -> Option<&'a str> {
    let mut innermost: Option<(usize, &str)> = None;
    for line in mounts.lines() {
        let Some((mount, kind)) = line.split_once(" - ") else {
            continue;
        };
        let point = mount.split(' ').nth(4).unwrap_or_default();
        let is_further = innermost.is_none_or(|(length, _)| point.len() >= length);
        // Of two mounts on one point the later hides the earlier.
        if is_further && path.starts_with(point) {
            innermost = Some((point.len(), kind.split(' ').next().unwrap_or_default()));
        }
    }
    innermost.map(|(_, kind)| kind)
}

impl Cookies {
    /// Cookies in a folder of their own below another; none where it cannot be made. In one for all, each cookie would
    /// wake every watcher of every process.
    pub(crate) fn new(below: Option<&Path>) -> Self {
        let watcher = N_WATCHERS.fetch_add(1, Ordering::Relaxed);
        let made = below.and_then(|below| {
            remove_left(below);
            let own = below.join(format!("{}-{watcher}", std::process::id()));
            fs::create_dir_all(&own).ok()?;
            own.canonicalize().ok()
        });
        Self {
            folder: made,
            heard: Mutex::new(EventCounts {
                n_events: watcher * EVENTS_PER_WATCHER,
                n_written: 0,
                newest: 0,
                is_whole: true,
            }),
            arrived: Condvar::new(),
        }
    }

    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Notes that something happened.
    pub(crate) fn count(&self) {
        self.heard().n_events += 1;
    }

    /// Notes that some folder is not watched.
    pub(crate) fn lose(&self) {
        self.heard().is_whole = false;
    }

    /// Takes an event in the cookies' folder; false for any other. `is_certain`: all that was heard of
    /// is being watched by now.
    pub(crate) fn take(&self, path: &Path, is_certain: bool) -> bool {
        if self.folder.is_none() || path.parent() != self.folder() {
            return false;
        }
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.parse().ok());
        if let Some(number) = number.filter(|_| is_certain) {
            let mut heard = self.heard();
            heard.newest = heard.newest.max(number);
            drop(heard);
            self.arrived.notify_all();
        }
        true
    }

    /// Events up to now, all of them; `None` where that is not certain within `patience`.
    pub(crate) fn events(&self, patience: Duration) -> Option<u64> {
        let until = Instant::now() + patience;
        let number = {
            let mut heard = self.heard();
            heard.n_written += 1;
            heard.n_written
        };
        let path = self.folder()?.join(number.to_string());
        fs::write(&path, "").ok()?;
        let heard = self.wait(number, until);
        // It may lie there for good after that; nobody reads it.
        let _ = fs::remove_file(&path);
        heard
    }

    fn wait(&self, number: u64, until: Instant) -> Option<u64> {
        let mut heard = self.heard();
        while heard.newest < number {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            self.arrived.wait_for(&mut heard, left);
        }
        heard.is_whole.then_some(heard.n_events)
    }

    fn heard(&self) -> MutexGuard<'_, EventCounts> {
        self.heard.lock()
    }
}

impl Drop for Cookies {
    fn drop(&mut self) {
        if let Some(folder) = self.folder() {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// Removes what killed processes left. Where no table of processes is, nothing is known to be left.
fn remove_left(below: &Path) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    for entry in fs::read_dir(below).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.split('-').next());
        let is_left = process.is_some_and(|process| {
            process.parse::<u32>().is_ok() && !Path::new("/proc").join(process).exists()
        });
        if is_left {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_mount_tells_the_file_system() {
        let mounts = "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n\
                      40 22 0:40 / /mnt/c rw,noatime - 9p C:\\ rw,dirsync\n\
                      41 22 0:41 / /work rw - overlay none rw\n\
                      42 41 0:42 / /work/share rw - virtiofs host rw\n";
        let check = |path: &str, expected| {
            assert_eq!(
                kind_of_mount(mounts, Path::new(path)),
                Some(expected),
                "{path}"
            );
        };
        check("/home/me", "ext4");
        check("/mnt/c/repo", "9p");
        check("/work/repo", "overlay");
        check("/work/share/repo", "virtiofs");
        assert_eq!(kind_of_mount("", Path::new("/")), None);
    }
}
