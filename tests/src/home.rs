//! The built `whyrank`, run with a home folder of its own.

use serde_json::Value;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// No command of these tests takes longer, even on a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(180);

/// A built program of the workspace: `whyrank`, `whyrank-desktop` or `whyrank-lab`.
///
/// Tests lie in `target/<profile>/deps`, programs one folder up; `WHYRANK_TEST_BIN` names another
/// folder.
pub fn program(name: &str) -> PathBuf {
    if let Some(folder) = std::env::var_os("WHYRANK_TEST_BIN") {
        return PathBuf::from(folder).join(name);
    }
    let test = std::env::current_exe().expect("a running test has a path");
    let profile = test
        .ancestors()
        .nth(2)
        .expect("tests lie in target/<profile>/deps");
    let path = profile
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        path.is_file(),
        "{} is missing: build the workspace first, as `npm test` does",
        path.display()
    );
    path
}

/// A home folder for `whyrank`, empty at first; it goes when the value goes.
pub struct Home {
    folder: TempDir,
}

impl Home {
    /// A home without a model.
    pub fn new() -> Self {
        Self {
            folder: TempDir::with_prefix("whyrank-home-").expect("a temporary folder"),
        }
    }

    /// A home with the machine's default model, if there is one: `WHYRANK_TEST_MODEL` names its
    /// folder, else the user's own installation is asked.
    pub fn with_model() -> Option<Self> {
        let model = model_folder()?;
        let home = Self::new();
        let models = home.data().join("models");
        std::fs::create_dir_all(&models).expect("a folder for the models");
        // <models>/<name>/<key>: the name's folder is shared.
        let named = model.parent()?;
        link(named, &models.join(named.file_name()?));
        Some(home)
    }

    /// The folder that `WHYRANK_HOME` names.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    /// The stores there are: one for each repository, whatever the number of its working trees.
    pub fn stores(&self) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.data().join("stores")) else {
            return Vec::new();
        };
        entries.flatten().map(|entry| entry.path()).collect()
    }

    /// The live generation of the only store.
    pub fn live_generation(&self) -> PathBuf {
        let stores = self.stores();
        let [store] = stores.as_slice() else {
            panic!("one store expected, found {stores:?}")
        };
        let live = std::fs::read_to_string(store.join("live")).expect("a live generation");
        store.join(live.trim())
    }

    /// Bytes on disk below the stores.
    pub fn index_bytes(&self) -> u64 {
        folder_bytes(&self.data().join("stores"))
    }

    /// `whyrank` with this home, a quiet environment, and these arguments.
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(program("whyrank"));
        self.furnish(&mut command);
        command.args(args);
        command
    }

    /// Gives a command this home and a quiet environment.
    pub fn furnish(&self, command: &mut Command) {
        command
            .env("WHYRANK_HOME", self.path())
            .env("HOME", self.path())
            .env("NO_COLOR", "1")
            .env_remove("WHYRANK_LOG")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdin(Stdio::null());
    }

    /// Runs `whyrank` to its end.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Outcome {
        Outcome::of(self.command(args))
    }

    /// Runs `whyrank-lab` to its end.
    pub fn run_lab<S: AsRef<OsStr>>(&self, args: &[S]) -> Outcome {
        let mut command = Command::new(program("whyrank-lab"));
        self.furnish(&mut command);
        command.args(args);
        Outcome::of(command)
    }

    /// Runs `whyrank`, expects success, and reads the JSON on stdout.
    pub fn json<S: AsRef<OsStr>>(&self, args: &[S]) -> Value {
        self.run(args).succeeds().json()
    }

    /// Indexes a repository without vectors.
    pub fn index(&self, repo: &str) -> Outcome {
        self.run(&["index", repo, "--no-vectors", "--json"])
            .succeeds()
    }

    /// The paths that a search finds, best first, each before its near-identical copies; none when
    /// nothing is found.
    pub fn paths_of(&self, repo: &str, query: &str) -> Vec<String> {
        let outcome = self.run(&["search", query, "--repo", repo, "--json"]);
        assert!(
            matches!(outcome.code, Some(0 | 1)),
            "search {query:?}: {outcome:?}"
        );
        let answer = outcome.json();
        let hits = answer["hits"].as_array().expect("an answer has hits");
        let text = |path: &serde_json::Value| path.as_str().expect("a path is text").to_owned();
        let copies =
            |hit: &serde_json::Value| hit["copies"].as_array().cloned().unwrap_or_default();
        hits.iter()
            .flat_map(|hit| [vec![hit["path"].clone()], copies(hit)].concat())
            .map(|path| text(&path))
            .collect()
    }
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

fn model_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("WHYRANK_TEST_MODEL") {
        return Some(PathBuf::from(folder)).filter(|folder| folder.is_dir());
    }
    let output = Command::new(program("whyrank"))
        .args(["models", "path"])
        .output()
        .ok()?;
    let folder = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    (output.status.success() && folder.is_dir()).then_some(folder)
}

#[cfg(unix)]
fn link(target: &Path, at: &Path) {
    std::os::unix::fs::symlink(target, at).expect("a symbolic link");
}

#[cfg(windows)]
fn link(target: &Path, at: &Path) {
    std::os::windows::fs::symlink_dir(target, at).expect("a symbolic link");
}

fn folder_bytes(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => folder_bytes(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

/// How a command ended and what it printed.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Wall time.
    pub took: Duration,
}

impl Outcome {
    /// Runs a command to its end, within the time limit.
    pub fn of(mut command: Command) -> Self {
        let started = Instant::now();
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
        let code = wait(&mut child, started).unwrap_or_else(|| panic!("{command:?} hangs"));
        let text = |reader: thread::JoinHandle<String>| reader.join().expect("the reader ends");
        Self {
            code,
            stdout: text(stdout),
            stderr: text(stderr),
            took: started.elapsed(),
        }
    }

    /// Expects exit code 0.
    pub fn succeeds(self) -> Self {
        assert_eq!(
            self.code,
            Some(0),
            "stdout: {}\nstderr: {}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// Expects this exit code and, in the message, each of these words.
    pub fn fails(self, code: i32, words: &[&str]) -> Self {
        let said = format!("{}\n{}", self.stdout, self.stderr);
        assert_eq!(self.code, Some(code), "{said}");
        for word in words {
            assert!(said.contains(word), "{word:?} is not said in: {said}");
        }
        assert!(!said.contains("panicked"), "a crash is no message: {said}");
        self
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON ({error}): {}\n{}", self.stdout, self.stderr))
    }
}

/// The exit code; the outer `None` when the time is up (the child is ended then).
fn wait(child: &mut Child, started: Instant) -> Option<Option<i32>> {
    while started.elapsed() < TIME_LIMIT {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return Some(status.code());
        }
        thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    None
}

fn drain(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
