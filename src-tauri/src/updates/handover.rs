//! Gives a new version its turn, and takes the version before it back where it does not start.
//!
//! The program that installed the new version starts it and waits. The new one says that it is up when
//! its page has asked its first question; until then everything can be undone. Where whoever waits died, the
//! next start settles it.

use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use whyrank_system::files;
use whyrank_system::program::Running;

/// Between two looks at the new program.
const POLL: Duration = Duration::from_millis(100);

/// The folder in which an update keeps what it can be undone with.
#[derive(Clone, Debug)]
pub(super) struct Handover {
    folder: PathBuf,
}

/// What came of a new version's turn.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It is up.
    Taken,
    /// It ended or was not up in time; its processes are gone.
    Missed,
}

/// The state in which a start finds an update that nobody waits for any more.
#[derive(Debug)]
pub(super) enum Left {
    /// Nothing, or what another program sees to; with a new version's one more try, what says that it is
    /// under way.
    Nothing(Option<File>),
    /// A version that was tried twice; the one before is back in its place.
    BroughtBack,
}

#[derive(Serialize, Deserialize)]
struct Version {
    version: String,
    /// It was started once more, after whoever waited for it had died.
    #[serde(default)]
    is_tried_again: bool,
}

impl Version {
    fn new(version: &str) -> Self {
        Self {
            version: version.to_owned(),
            is_tried_again: false,
        }
    }
}

impl Handover {
    pub(super) fn at(state_dir: &Path) -> Self {
        Self {
            folder: state_dir.join("update"),
        }
    }

    /// Copies the program that is installed, to be taken back if need be.
    pub(super) fn keep(&self, program: &Path) -> io::Result<()> {
        files::create_private_folder(&self.folder)?;
        remove(&self.previous())?;
        copy(program, &self.previous())
    }

    /// Notes that a version has yet to say that it is up, and that this program waits for that as long as
    /// what is returned lives.
    pub(super) fn expect(&self, version: &str) -> io::Result<Option<File>> {
        let waiting = files::lock(&self.waiting(), Duration::ZERO)?;
        remove(&self.failure())?;
        write(&self.pending(), &Version::new(version))?;
        Ok(waiting)
    }

    /// Finishes or undoes an update that nobody waits for any more, as a program starts.
    pub(super) fn settle(&self, program: &Path, own_version: &str) -> io::Result<Left> {
        let Some(pending) = read(&self.pending()) else {
            return Ok(Left::Nothing(None));
        };
        let Some(waiting) = files::lock(&self.waiting(), Duration::ZERO)? else {
            return Ok(Left::Nothing(None));
        };
        if pending.version != own_version || !self.previous().exists() {
            // It was not installed, or is taken back already.
            if pending.version != own_version {
                write(&self.failure(), &pending)?;
            }
            self.confirm()?;
            return Ok(Left::Nothing(None));
        }
        if pending.is_tried_again {
            self.bring_back(program)?;
            return Ok(Left::BroughtBack);
        }
        let again = Version {
            is_tried_again: true,
            ..pending
        };
        write(&self.pending(), &again)?;
        Ok(Left::Nothing(Some(waiting)))
    }

    /// Whether a version has yet to say that it is up.
    pub(super) fn is_pending(&self) -> bool {
        self.pending().exists()
    }

    /// Says that this version is up: the one before it is no longer needed.
    pub(super) fn confirm(&self) -> io::Result<()> {
        remove(&self.pending())?;
        remove(&self.previous())
    }

    /// Waits until the new program is up, has ended, or has used up its time.
    pub(super) fn wait(&self, mut program: Running, patience: Duration) -> io::Result<Turn> {
        let until = Instant::now() + patience;
        loop {
            if !self.is_pending() {
                program.let_go();
                return Ok(Turn::Taken);
            }
            if program.try_wait()?.is_some() || Instant::now() >= until {
                return Ok(Turn::Missed);
            }
            std::thread::sleep(POLL);
        }
    }

    /// Puts the version before back in its place, and notes which one did not start.
    pub(super) fn bring_back(&self, program: &Path) -> io::Result<()> {
        let missed = read(&self.pending()).unwrap_or_else(|| Version::new(""));
        let folder = program.parent().unwrap_or(Path::new("/"));
        let (back, aside) = (folder.join(".whyrank-back"), folder.join(".whyrank-aside"));
        for left in [&back, &aside] {
            remove(left)?;
        }
        copy(&self.previous(), &back)?;
        // A folder cannot be renamed over another: on macOS a program is one.
        if program.is_dir() {
            fs::rename(program, &aside)?;
        }
        fs::rename(&back, program)?;
        remove(&aside)?;
        write(&self.failure(), &missed)?;
        self.confirm()
    }

    /// The version that did not start, once.
    pub(super) fn take_failure(&self) -> Option<String> {
        let failed = read(&self.failure())?;
        let _ = remove(&self.failure());
        Some(failed.version)
    }

    fn previous(&self) -> PathBuf {
        self.folder.join("previous")
    }

    fn pending(&self) -> PathBuf {
        self.folder.join("pending.json")
    }

    /// Held by who waits for a version to be up.
    fn waiting(&self) -> PathBuf {
        self.folder.join("waiting.lock")
    }

    fn failure(&self) -> PathBuf {
        self.folder.join("failed.json")
    }
}

fn write(path: &Path, version: &Version) -> io::Result<()> {
    files::replace(path, &serde_json::to_vec(version)?)
}

fn read(path: &Path) -> Option<Version> {
    let text = whyrank_system::regular::read_text(path, 4096).ok()?;
    serde_json::from_str(&text).ok()
}

/// A file or a folder with all that is in it, links as links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let kind = fs::symlink_metadata(from)?.file_type();
    if kind.is_symlink() {
        return link(&fs::read_link(from)?, to);
    }
    if !kind.is_dir() {
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    fs::set_permissions(to, fs::metadata(from)?.permissions())
}

#[cfg(unix)]
fn link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(not(unix))]
fn link(target: &Path, at: &Path) -> io::Result<()> {
    fs::copy(target, at).map(drop)
}

fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;
    use whyrank_system::program::{Program, SearchPath, Streams};

    const LONG: Duration = Duration::from_secs(60);

    struct Installed {
        folder: tempfile::TempDir,
        handover: Handover,
    }

    impl Installed {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let handover = Handover::at(&folder.path().join("state"));
            let installed = Self { folder, handover };
            installed.put("exit 0 # old");
            installed.handover.keep(&installed.program()).expect("kept");
            installed
        }

        fn program(&self) -> PathBuf {
            self.folder.path().join("whyrank")
        }

        fn put(&self, script: &str) {
            // Renamed into its place: a file that is written cannot be started by another test's fork.
            let beside = self.folder.path().join("beside");
            fs::write(&beside, format!("#!/bin/sh\n{script}\n")).expect("written");
            fs::set_permissions(&beside, fs::Permissions::from_mode(0o755)).expect("set");
            fs::rename(&beside, self.program()).expect("renamed");
        }

        fn turn(&self, script: &str, patience: Duration) -> Turn {
            self.put(script);
            let _waiting = self.handover.expect("2.0.0").expect("noted");
            let program = Program::new("/bin/sh", self.folder.path()).args([self.program()]);
            let streams = Streams::piped();
            let running = program.start(&SearchPath::outside_of_here(), streams);
            let running = running.expect("it starts");
            self.handover.wait(running, patience).expect("waited")
        }
    }

    #[test]
    fn a_version_that_says_it_is_up_keeps_its_place() {
        let installed = Installed::new();
        let says = format!("rm {}", installed.handover.pending().display());
        assert_eq!(installed.turn(&says, LONG), Turn::Taken);
        installed.handover.confirm().expect("confirmed");
        assert!(!installed.handover.previous().exists());
        assert_eq!(installed.handover.take_failure(), None);
    }

    #[test]
    fn a_version_that_ends_or_hangs_gives_its_place_back() {
        for (script, patience) in [("exit 1", LONG), ("sleep 600", Duration::ZERO)] {
            let installed = Installed::new();
            assert_eq!(installed.turn(script, patience), Turn::Missed);
            let program = installed.program();
            installed.handover.bring_back(&program).expect("back");
            let text = fs::read_to_string(&program).expect("it is there");
            assert!(text.contains("old"), "{text}");
            let mode = fs::metadata(&program).expect("it is there").permissions();
            assert_eq!(mode.mode() & 0o777, 0o755);
            let failure = || installed.handover.take_failure();
            assert_eq!(failure().as_deref(), Some("2.0.0"));
            assert_eq!(failure(), None);
        }
    }

    #[test]
    fn an_update_whose_starter_died_is_finished_or_undone_by_the_next_starts() {
        let installed = Installed::new();
        let (handover, program) = (&installed.handover, installed.program());
        let settle = |version: &str| handover.settle(&program, version).expect("settled");
        let text = || fs::read_to_string(&program).expect("it is there");
        installed.put("exit 0 # new");
        let waiting = handover.expect("2.0.0").expect("noted");
        assert!(
            matches!(settle("2.0.0"), Left::Nothing(None)),
            "it is waited for"
        );
        drop(waiting);
        let Left::Nothing(Some(trying)) = settle("2.0.0") else {
            panic!("one more try");
        };
        assert!(
            matches!(settle("2.0.0"), Left::Nothing(None)),
            "it is under way"
        );
        drop(trying);
        assert!(matches!(settle("2.0.0"), Left::BroughtBack));
        assert!(text().contains("old") && !handover.is_pending());
        assert_eq!(handover.take_failure().as_deref(), Some("2.0.0"));

        // Up at the second try, it keeps its place.
        let installed = Installed::new();
        drop(installed.handover.expect("2.0.0").expect("noted"));
        let program = installed.program();
        let left = installed.handover.settle(&program, "2.0.0");
        installed.handover.confirm().expect("it is up");
        drop(left);
        let left = installed.handover.settle(&program, "2.0.0");
        assert!(matches!(left.expect("settled"), Left::Nothing(None)));

        // What was never installed is no longer expected.
        let installed = Installed::new();
        drop(installed.handover.expect("2.0.0").expect("noted"));
        let left = installed.handover.settle(&installed.program(), "1.0.0");
        assert!(matches!(left.expect("settled"), Left::Nothing(None)));
        assert!(!installed.handover.is_pending() && !installed.handover.previous().exists());
    }

    #[test]
    fn a_program_that_is_a_folder_comes_back_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = folder.path().join("Whyrank.app");
        fs::create_dir_all(app.join("Contents/MacOS")).expect("made");
        fs::write(app.join("Contents/MacOS/whyrank"), "old").expect("written");
        std::os::unix::fs::symlink("MacOS", app.join("Contents/link")).expect("linked");
        let handover = Handover::at(folder.path());
        handover.keep(&app).expect("kept");
        let _waiting = handover.expect("2.0.0").expect("noted");
        fs::write(app.join("Contents/MacOS/whyrank"), "new").expect("written");
        handover.bring_back(&app).expect("back");
        let through = fs::read_to_string(app.join("Contents/link/whyrank"));
        assert_eq!(through.expect("it is there"), "old");
        let link = fs::read_link(app.join("Contents/link")).expect("a link");
        assert_eq!(link, Path::new("MacOS"));
    }
}
