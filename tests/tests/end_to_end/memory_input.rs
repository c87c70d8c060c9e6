//! What people and agents see when memory is asked the impossible, and when its file is damaged.

use serde_json::{Value, json};
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use whyrank_memory::{Author, Draft, FactWriter, Memory};
use whyrank_tests::{Home, Outcome, TestRepo, program, skip};

const DAY_MS: i64 = 86_400_000;

/// The only memory that there is.
fn memory_file(data: &Path) -> PathBuf {
    let entries = fs::read_dir(data.join("memory")).expect("a folder of memories");
    let mut files = entries.flatten().map(|entry| entry.path());
    let file = files.find(|path| {
        let name = path.to_string_lossy();
        name.ends_with(".db") && !name.ends_with(".vectors.db")
    });
    file.expect("a memory")
}

/// What an agent gets from a tool; asked over the same table as MCP.
fn tool(home: &Home, repo: &str, name: &str, args: &Value) -> Outcome {
    home.run(&["tool", name, "--repo", repo, &args.to_string()])
}

#[test]
fn a_memo_of_a_megabyte_is_refused_with_the_limit_at_every_door() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    let text = "x".repeat(1 << 20);
    let file = repo.beside("large.txt");
    fs::write(&file, &text).expect("a file");
    let mut command = home.command(&["memo", "add", "-", "--repo", repo.arg()]);
    command.stdin(fs::File::open(&file).expect("it opens"));
    Outcome::of(command).fails(2, &["1048576 bytes", "65536"]);
    let args = repo.beside("call.jsonl");
    let call =
        json!({"id": "1", "tool": "remember", "args": {"content": text}, "repo": repo.arg()});
    fs::write(&args, format!("{call}\n")).expect("a file");
    let path = args.to_str().expect("UTF-8");
    let answered = home.run(&["tool", "--batch", path]);
    let said = format!("{}{}", answered.stdout, answered.stderr);
    assert!(said.contains("65536"), "{}", &said[..said.len().min(400)]);
    home.run(&["memo", "list", "--state", "all", "--repo", repo.arg()])
        .fails(1, &["none of 0 memos"]);
}

#[test]
fn unknown_commits_and_anchors_outside_are_refused_by_name_at_every_door() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    let unknown = "1234567890123456789012345678901234567890";
    for args in [
        vec!["memo", "as-of", unknown, "--repo", repo.arg()],
        vec!["memo", "list", "--as-of", unknown, "--repo", repo.arg()],
        vec!["memo", "add", "x", "--at", unknown, "--repo", repo.arg()],
    ] {
        home.run(&args).fails(2, &[unknown]);
    }
    tool(&home, repo.arg(), "as_of", &json!({"commit": unknown})).fails(2, &[unknown]);
    for outside in ["../secrets.txt", "/etc/passwd", ".git/config"] {
        home.run(&[
            "memo",
            "add",
            "x",
            "--anchor",
            outside,
            "--repo",
            repo.arg(),
        ])
        .fails(2, &[outside]);
        let args = json!({"content": "x", "anchors": [outside]});
        tool(&home, repo.arg(), "remember", &args).fails(2, &[outside]);
    }
    home.run(&["memo", "list", "--state", "all", "--repo", repo.arg()])
        .fails(1, &["none of 0 memos"]);
}

#[test]
fn a_clock_that_ran_backwards_keeps_the_order_and_is_told() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.run(&["memo", "add", "Before", "--repo", repo.arg()])
        .succeeds();
    let file = memory_file(&home.data());
    let mut memory = Memory::open(&file).expect("a memory");
    let tomorrow = memory.ledger().last_recorded_at() + DAY_MS;
    memory
        .write(tomorrow, |ledger, recorded_at| {
            FactWriter::by_time(ledger, recorded_at, Author::default())
                .add(Draft::new("Written when the clock was a day ahead"))
        })
        .expect("it is recorded");
    drop(memory);
    let added = home.json(&["memo", "add", "After", "--repo", repo.arg(), "--json"]);
    let recorded = added["memo"]["recorded_at"].as_f64().expect("a moment");
    assert!(recorded > tomorrow as f64, "moments only rise");
    let id = added["memo"]["id"].as_str().expect("an id");
    let shown = home
        .run(&["memo", "show", id, "--repo", repo.arg()])
        .succeeds();
    assert!(shown.stdout.contains("the clock said"), "{}", shown.stdout);
    let all = home.json(&["memo", "list", "--repo", repo.arg(), "--json"]);
    assert_eq!(all["n_found"], 3);
}

#[test]
fn a_corrupt_page_is_said_and_the_rest_is_exported_into_a_new_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let size = ["--memos", "600", "--commits", "120", "--looks", "2"];
    let made = [&["memory", path][..], &size].concat();
    Home::new().run_lab(&made).succeeds();
    let (repo, home) = (folder.path().join("repo"), folder.path().join("home"));
    let run = |home: &Path, args: &[&str]| {
        let mut command = Command::new(program("whyrank"));
        command.args(args).current_dir(&repo);
        command.env("WHYRANK_HOME", home).env("NO_COLOR", "1");
        Outcome::of(command)
    };
    let whole = run(&home, &["memo", "export"])
        .succeeds()
        .stdout
        .lines()
        .count();
    damage(&memory_file(&home.join("data")));
    let listed = run(&home, &["memo", "list"]).succeeds();
    for word in ["cannot be read", "whyrank memo export"] {
        assert!(listed.stderr.contains(word), "{}", listed.stderr);
    }
    run(&home, &["index", ".", "--no-vectors"]).succeeds();
    let searched = run(&home, &["search", "how is it done"]);
    assert!(
        searched.stderr.contains("of the memory cannot be read"),
        "{}",
        searched.stderr
    );
    for call in [
        ["search", r#"{"query":"how is it done"}"#],
        ["context", r#"{"task":"how is it done"}"#],
    ] {
        let told = run(&home, &["tool", call[0], call[1]]);
        assert!(
            told.stdout.contains("of the memory cannot be read"),
            "{}",
            told.stdout
        );
    }
    let exported = run(&home, &["memo", "export", "--out", "../rest.jsonl"]);
    assert_eq!(exported.code, Some(6), "a part is not all");
    assert!(exported.stderr.contains("left out"), "{}", exported.stderr);
    let rest = fs::read_to_string(folder.path().join("rest.jsonl")).expect("an export");
    let n_left = rest.lines().count();
    assert!(
        n_left < whole && n_left * 10 > whole * 8,
        "{n_left} of {whole} facts"
    );
    let fresh = folder.path().join("fresh");
    let imported = run(&fresh, &["memo", "import", "../rest.jsonl"]).succeeds();
    assert!(
        imported.stdout.contains(&format!("{n_left} facts are new")),
        "{}",
        imported.stdout
    );
    run(&fresh, &["memo", "list"]).succeeds();
}

/// Overwrites two pages in the middle of a database.
fn damage(path: &Path) {
    let size = fs::metadata(path).expect("a file").len();
    let mut file = fs::OpenOptions::new()
        .write(true)
        .open(path)
        .expect("it opens");
    for page in [size / 4096 / 3, size / 4096 / 2] {
        file.seek(SeekFrom::Start(page * 4096)).expect("a page");
        file.write_all(&[0xA5; 4096]).expect("it is overwritten");
    }
}

#[test]
fn a_file_that_is_no_memory_is_named_and_left_as_it_is() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.run(&["memo", "add", "x", "--repo", repo.arg()])
        .succeeds();
    let file = memory_file(&home.data());
    let text = "no database, though long enough to look like one ".repeat(200);
    fs::write(&file, &text).expect("it is overwritten");
    let name = file.to_str().expect("UTF-8");
    let failed = home.run(&["memo", "list", "--repo", repo.arg()]);
    assert_ne!(failed.code, Some(0));
    assert!(failed.stderr.contains(name), "{}", failed.stderr);
    // A search does not fail for it.
    home.index(repo.arg());
    let found = home.run(&["search", "cart", "--repo", repo.arg()]);
    assert!(matches!(found.code, Some(0 | 1)), "{found:?}");
    assert_eq!(fs::read_to_string(&file).expect("a file"), text);
}

#[test]
fn a_memory_that_may_not_be_written_is_read_and_says_so() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.run(&["memo", "add", "kept", "--repo", repo.arg()])
        .succeeds();
    let Some(mut as_nobody) = without_rights(&home, &["memo", "add", "more"], &repo) else {
        return skip(
            "a_memory_that_may_not_be_written",
            "files cannot be made read-only here",
        );
    };
    let refused = Outcome::of(std::mem::replace(
        &mut as_nobody,
        without_rights(&home, &["memo", "list"], &repo).expect("as before"),
    ));
    refused.fails(6, &["read-only"]);
    let listed = Outcome::of(as_nobody).succeeds();
    assert!(listed.stdout.contains("kept"), "{}", listed.stdout);
    assert!(
        listed.stderr.contains("nothing can be recorded"),
        "{}",
        listed.stderr
    );
}

/// `whyrank` by someone who may read the home and write nowhere in it. Root may write everywhere, so as
/// root it is started as nobody.
#[cfg(unix)]
fn without_rights(home: &Home, args: &[&str], repo: &TestRepo) -> Option<Command> {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let mode = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    };
    let program_there = home.path().join("whyrank-program");
    if !program_there.exists() {
        let built = program("whyrank");
        if fs::hard_link(&built, &program_there).is_err() {
            fs::copy(&built, &program_there).ok()?;
        }
    }
    let memory = home.data().join("memory");
    for entry in fs::read_dir(&memory).ok()?.flatten() {
        mode(&entry.path(), 0o444);
    }
    mode(&memory, 0o555);
    let above = Path::new(repo.arg()).parent()?;
    for folder in [home.path(), above, Path::new(repo.arg())] {
        mode(folder, 0o755);
    }
    let mut command = Command::new(&program_there);
    home.furnish(&mut command);
    command.args(args).current_dir(repo.arg());
    if fs::write(memory.join("probe"), "").is_ok() {
        // Git leaves repositories of others alone, and what is Whyrank's is for its owner's eyes.
        give(Path::new(repo.arg()));
        give(&home.data());
        mode(&home.data(), 0o555);
        command.uid(NOBODY).gid(NOBODY);
    }
    Some(command)
}

#[cfg(unix)]
const NOBODY: u32 = 65_534;

/// Makes a folder and all in it nobody's.
#[cfg(unix)]
fn give(path: &Path) {
    std::os::unix::fs::lchown(path, Some(NOBODY), Some(NOBODY)).expect("root may");
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    for entry in entries {
        give(&entry.path());
    }
}

#[cfg(not(unix))]
fn without_rights(_: &Home, _: &[&str], _: &TestRepo) -> Option<Command> {
    None
}

#[test]
fn with_the_model_a_memo_is_found_that_shares_no_word_with_the_question() {
    let test = "with_the_model_a_memo_is_found_that_shares_no_word_with_the_question";
    let Some(home) = Home::with_model() else {
        return skip(test, "no embedding model is installed");
    };
    let repo = TestRepo::shop();
    for content in [
        "Payments are repeated at most three times before the customer is told",
        "Icons are drawn in the colour of the text around them",
        "The nightly build needs eight gigabytes of memory",
    ] {
        home.run(&["memo", "add", content, "--repo", repo.arg()])
            .succeeds();
    }
    let question = "how often do we retry charging a credit card";
    let asked = ["memo", "recall", question, "--repo", repo.arg(), "--json"];
    let answer = home.json(&asked);
    let first = &answer["memos"][0];
    assert!(
        first["memo"]["content"]
            .as_str()
            .is_some_and(|text| text.starts_with("Payments")),
        "{answer}"
    );
    let terms = first["terms"].as_array().expect("terms");
    let channels: Vec<&Value> = terms.iter().map(|term| &term["channel"]).collect();
    assert!(channels.contains(&&json!("vector")), "{channels:?}");
    // Another process finds the vectors that were made, and answers alike.
    assert_eq!(home.json(&asked)["memos"], answer["memos"]);
}

#[test]
fn with_the_model_every_imported_memo_gets_a_vector() {
    let test = "with_the_model_every_imported_memo_gets_a_vector";
    let Some(home) = Home::with_model() else {
        return skip(test, "no embedding model is installed");
    };
    let (repo, folder) = (TestRepo::shop(), tempfile::tempdir().expect("a folder"));
    let file = folder.path().join("memos.jsonl");
    let file = file.to_str().expect("UTF-8");
    for n in 0..20 {
        let content = format!("Shelf {n} is counted in the week after week {n}");
        home.run(&["memo", "add", &content, "--repo", repo.arg()])
            .succeeds();
    }
    home.run(&["memo", "export", "--out", file, "--repo", repo.arg()])
        .succeeds();
    let other = Home::with_model().expect("the model is installed");
    let import = ["memo", "import", file, "--repo", repo.arg()];
    other
        .run(&[&import[..], &["--no-vectors"]].concat())
        .succeeds();
    let ask = [
        "memo",
        "recall",
        "counting shelves",
        "--repo",
        repo.arg(),
        "--json",
    ];
    let notes = other.json(&ask)["notes"].to_string();
    assert!(
        notes.contains("12 of 20 memos have no vector yet"),
        "{notes}"
    );
    let encoded = other.json(&["memo", "encode", "--repo", repo.arg(), "--json"]);
    assert_eq!(
        (&encoded["done"], &encoded["total"]),
        (&json!(20), &json!(20))
    );
    assert_eq!(other.json(&ask)["notes"], json!([]));
    let third = Home::with_model().expect("the model is installed");
    third.run(&import).succeeds();
    assert_eq!(
        third.json(&ask)["notes"],
        json!([]),
        "an import makes them at once"
    );
}
