//! `whyrank rg` beside ripgrep itself: the same bytes and the same exit codes, with an index and without one.

mod corpus;
mod draws;

use super::circles::modules::root;
use corpus::Corpus;
use draws::Draws;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use whyrank_tests::{Home, TestRepo, skip};

/// Patterns on each repository, unless `WHYRANK_RG_PATTERNS` says otherwise.
const FEW: usize = 60;

/// ripgrep: what `WHYRANK_TEST_RG` names, or the one on `PATH`.
fn ripgrep() -> Option<PathBuf> {
    let asked = std::env::var_os("WHYRANK_TEST_RG").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).map(|folder| folder.join("rg"));
    asked.or_else(|| folders.find(|file| file.is_file()))
}

/// The same, of a version that prints as the libraries here do: 13 and 14 differ in statistics, and where long
/// lines are left out.
fn comparable() -> Option<PathBuf> {
    let rg = ripgrep()?;
    let output = Command::new(&rg).arg("--version").output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = said.strip_prefix("ripgrep ")?.split('.').next()?;
    let version: u32 = version.parse().ok()?;
    (version >= 15).then_some(rg)
}

fn run(mut command: Command, folder: &Path, args: &[String]) -> Output {
    let command = command.args(args).current_dir(folder);
    let command = command
        .env_remove("RIPGREP_CONFIG_PATH")
        .stdin(std::process::Stdio::null());
    command.output().expect("it can be started")
}

/// Both answers to the same arguments, as far as they may be compared: times are left out of JSON.
fn both(home: &Home, rg: &Path, folder: &Path, args: &[String]) -> [(Option<i32>, Vec<u8>); 2] {
    let mut ours = home.command(&["rg"]);
    ours.env("WHYRANK_HOME", home.path());
    let mut theirs = Command::new(rg);
    home.furnish(&mut theirs);
    theirs.args(["--sort", "path"]);
    [ours, theirs].map(|command| {
        let output = run(command, folder, args);
        let stdout = if args.iter().any(|arg| arg == "--json") {
            without_times(&output.stdout)
        } else {
            output.stdout
        };
        (output.status.code(), stdout)
    })
}

fn without_times(json: &[u8]) -> Vec<u8> {
    let lines = json
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty());
    let timeless = lines.map(|line| {
        let mut value: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
        let data = &mut value["data"];
        if let Some(stats) = data["stats"].as_object_mut() {
            stats.remove("elapsed");
            // Before a NUL byte it depends on how long the buffer became with the files before.
            stats.remove("bytes_searched");
        }
        if let Some(data) = data.as_object_mut() {
            data.remove("elapsed_total");
        }
        format!("{value}\n").into_bytes()
    });
    timeless.collect::<Vec<_>>().concat()
}

fn assert_same(home: &Home, rg: &Path, folder: &Path, args: &[String]) {
    let [ours, theirs] = both(home, rg, folder, args);
    let differs_at = ours.1.iter().zip(&theirs.1).position(|(a, b)| a != b);
    let shown = |output: &[u8]| {
        let start = differs_at
            .unwrap_or(output.len().min(theirs.1.len()))
            .saturating_sub(80);
        String::from_utf8_lossy(&output[start.min(output.len())..])
            .chars()
            .take(300)
            .collect::<String>()
    };
    assert!(
        ours == theirs,
        "{args:?} in {}:\nexit {:?} and {:?}\nours:\n{}\ntheirs:\n{}",
        folder.display(),
        ours.0,
        theirs.0,
        shown(&ours.1),
        shown(&theirs.1)
    );
}

fn strings(args: &[&str]) -> Vec<String> {
    args.iter().map(|arg| (*arg).to_owned()).collect()
}

/// Random patterns and flags over repositories: this checkout, and those that `WHYRANK_RG_REPOS` names.
#[test]
fn random_patterns_and_flags_print_what_ripgrep_prints() {
    let Some(rg) = comparable() else {
        return skip(
            "whyrank rg against ripgrep",
            "no ripgrep 15 or newer on PATH: cargo install ripgrep, or name one in WHYRANK_TEST_RG",
        );
    };
    let asked = std::env::var("WHYRANK_RG_PATTERNS").ok();
    let n = asked.and_then(|n| n.parse().ok()).unwrap_or(FEW);
    let more = std::env::var_os("WHYRANK_RG_REPOS").unwrap_or_default();
    let sources = std::iter::once(root().to_owned())
        .chain(std::env::split_paths(&more).filter(|path| !path.as_os_str().is_empty()));
    for (number, source) in sources.enumerate() {
        let home = Home::new();
        let corpus = Corpus::copied(&source);
        let mut draws = Draws::new(number as u64, &corpus);
        for at in 0..n {
            if at == n / 2 {
                corpus.let_settle();
                home.index(corpus.repo.arg());
            }
            let args = draws.arguments();
            assert_same(&home, &rg, corpus.repo.root(), &args);
        }
    }
}

/// What ripgrep itself does with paths, standard input and files that are no text.
#[test]
fn paths_encodings_and_streams_are_read_as_ripgrep_reads_them() {
    let Some(rg) = comparable() else {
        return skip(
            "whyrank rg against ripgrep",
            "no ripgrep 15 or newer on PATH: cargo install ripgrep, or name one in WHYRANK_TEST_RG",
        );
    };
    let home = Home::new();
    let corpus = Corpus::copied(&root().join("crates/grep"));
    // Not among random searches: what is printed before a NUL byte this far in depends, in ripgrep, on how long
    // its buffer became with the files before.
    let late = [b"word here\n".repeat(20_000), b"\0 word\nword\n".to_vec()].concat();
    corpus.repo.write("kinds/late-nul.bin", late);
    let cases: &[&[&str]] = &[
        &["fn", "."],
        &["fn", "./src"],
        &["fn", "src", "kinds"],
        &["fn", "src/lib.rs"],
        &["fn", "src/lib.rs", "src/run.rs"],
        &["word", "kinds/wide.txt"],
        &["word", "kinds"],
        &["word", "kinds/nul.bin"],
        &["-a", "word", "kinds/nul.bin"],
        &["word", "kinds/late-nul.bin"],
        &["-c", "word", "kinds/late-nul.bin", "kinds/nul.bin"],
        &["--json", "word", "kinds"],
        &["word", "gone"],
        &["word", "gone", "kinds"],
        &["-q", "word", "gone", "kinds"],
        &["("],
        &["-t", "nothing", "x"],
        &["-t", "cobol", "x"],
        &["-g", "{", "x"],
        &["--files"],
        &["--files", "-uu", "-0"],
        &["--files", "-g", "*.txt"],
        &["-f", "kinds/patterns.txt"],
        &["a\\nb"],
        &["-m", "0", "x"],
        &["-e", "fn", "-e", "mod", "-e", "fn"],
        &["--color", "always", "-n", "fn"],
        &["-p", "mod"],
        &["--heading", "-C1", "mod"],
        &["-r", "<$0>", "mod \\w+"],
        &["-uuu", "word"],
        &["--binary", "word"],
        &["-L", "word", "kinds"],
    ];
    for case in cases {
        assert_same(&home, &rg, corpus.repo.root(), &strings(case));
    }
}

#[test]
fn what_is_piped_in_is_searched_where_no_path_is_given() {
    let home = Home::new();
    let repo = TestRepo::with(&[("a.txt", "needle in a file\n")]);
    let searched = |args: &[&str]| {
        use std::io::Write as _;
        let mut command = home.command(args);
        command
            .current_dir(repo.root())
            .stdin(std::process::Stdio::piped());
        let mut child = command
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("started");
        let mut input = child.stdin.take().expect("a pipe");
        input
            .write_all(b"one\na needle in a pipe\n")
            .expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        String::from_utf8(output.stdout).expect("text")
    };
    assert_eq!(searched(&["rg", "needle"]), "a needle in a pipe\n");
    assert_eq!(
        searched(&["rg", "-n", "needle", "-"]),
        "2:a needle in a pipe\n"
    );
    assert_eq!(
        searched(&["rg", "needle", "."]),
        "./a.txt:needle in a file\n"
    );
}

#[test]
fn secrets_are_struck_out_and_counted() {
    let home = Home::new();
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let line = format!("const TOKEN: &str = \"{key}\";\nconst OTHER: &str = \"x\";\n");
    let repo = TestRepo::with(&[
        ("src/main.rs", &line),
        (".env", "TOKEN=b1C2d3E4f5\n"),
        ("deploy.pem", "TOKEN"),
    ]);
    let searched = |args: &[&str]| {
        let mut command = home.command(&["rg"]);
        command.args(args).current_dir(repo.root());
        whyrank_tests::Outcome::of(command)
    };
    let found = searched(&["-n", "--hidden", "const|TOKEN"]).succeeds();
    assert!(!found.stdout.contains(&key), "{}", found.stdout);
    assert!(
        found
            .stdout
            .contains("src/main.rs:1:const TOKEN: &str = \"****"),
        "{}",
        found.stdout
    );
    assert!(
        found
            .stdout
            .contains("src/main.rs:2:const OTHER: &str = \"x\";"),
        "{}",
        found.stdout
    );
    assert!(
        !found.stdout.contains(".env") && !found.stdout.contains("deploy.pem"),
        "{}",
        found.stdout
    );
    assert!(
        found.stderr.contains("1 line printed without the secrets"),
        "{}",
        found.stderr
    );
    assert!(
        found.stderr.contains("2 files left out"),
        "{}",
        found.stderr
    );
    // Nor does a count tell of it.
    let guessed = searched(&["-c", &key[..12]]);
    assert_eq!((guessed.code, guessed.stdout.as_str()), (Some(1), ""));
}

#[test]
fn a_configuration_holds_and_flags_that_are_not_known_lead_to_ripgrep() {
    let home = Home::new();
    let repo = TestRepo::with(&[("a.txt", "Needle\n")]);
    let config = repo.beside("rc");
    std::fs::write(&config, "# mine\n--ignore-case\n").expect("written");
    let command = |args: &[&str]| {
        let mut command = home.command(&["rg"]);
        command.args(args).current_dir(repo.root());
        command
    };
    let mut configured = command(&["needle", "."]);
    configured.env("RIPGREP_CONFIG_PATH", &config);
    let found = whyrank_tests::Outcome::of(configured).succeeds();
    assert_eq!(found.stdout, "./a.txt:Needle\n");
    let mut alone = command(&["--stats", "Needle", "."]);
    alone.env("PATH", repo.beside("nowhere"));
    whyrank_tests::Outcome::of(alone).fails(2, &["--stats", "no ripgrep is on PATH"]);
    if ripgrep().is_some() {
        let found = whyrank_tests::Outcome::of(command(&["--stats", "Needle", "."])).succeeds();
        assert!(found.stdout.contains("1 matched lines"), "{}", found.stdout);
    }
    let help = whyrank_tests::Outcome::of(command(&["--help"])).succeeds();
    assert!(help.stdout.contains("rg --sort path"), "{}", help.stdout);
}
