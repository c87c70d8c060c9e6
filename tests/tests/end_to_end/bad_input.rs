//! What is wrong is named, with the next step; the last good index serves on.

use std::fs;
use std::path::Path;
use std::process::Command;
use whyrank_tests::{Home, Outcome, TestRepo, program, skip};

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary paths are UTF-8")
}

#[test]
fn a_folder_outside_git_is_refused_by_name() {
    let (home, folder) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let path = text(folder.path());
    home.run(&["index", path])
        .fails(2, &[path, "not in a git repository", "git init"]);
    home.run(&["search", "x", "--repo", path])
        .fails(2, &[path, "git init"]);
    home.run(&["index", "/no/such/folder"])
        .fails(2, &["/no/such/folder"]);
}

#[test]
fn an_empty_repository_and_an_unborn_head_are_indexed() {
    let (repo, home) = (TestRepo::unborn(), Home::new());
    home.index(repo.arg());
    home.run(&["search", "anything", "--repo", repo.arg()])
        .fails(1, &[]);
    repo.write("first.py", "def first_function():\n    pass\n");
    home.index(repo.arg());
    assert_eq!(home.paths_of(repo.arg(), "first_function"), ["first.py"]);
    home.run(&["search", "first", "--repo", repo.arg(), "--as-of", "HEAD"])
        .fails(2, &["HEAD"]);
}

#[test]
fn a_bare_repository_is_refused_by_name() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", repo.arg(), text(&bare)]);
    home.run(&["index", text(&bare)])
        .fails(2, &[text(&bare), "bare", "git worktree add"]);
}

#[test]
fn a_submodule_is_left_out_with_its_reason_and_is_a_repository_of_its_own() {
    let (repo, library, home) = (TestRepo::shop(), TestRepo::unborn(), Home::new());
    library.write("lib.py", "def inside_the_submodule():\n    pass\n");
    library.commit("library");
    repo.git(&["submodule", "add", "-q", library.arg(), "vendor/library"]);
    repo.commit("add the library");
    home.index(repo.arg());
    home.run(&["lookup", "inside_the_submodule", "--repo", repo.arg()])
        .fails(1, &[]);
    let status = home
        .run(&["status", "--repo", repo.arg(), "--json"])
        .json()
        .to_string();
    assert!(
        status.contains("another repository") || status.contains("submodule"),
        "{status}"
    );
    let own = repo.root().join("vendor/library");
    home.index(text(&own));
    home.run(&["lookup", "inside_the_submodule", "--repo", text(&own)])
        .succeeds();
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_end() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    std::os::unix::fs::symlink("..", repo.root().join("billing/up")).expect("a link");
    std::os::unix::fs::symlink("round", repo.root().join("round")).expect("a link");
    home.index(repo.arg());
    let found = home.paths_of(repo.arg(), "vat_rate");
    assert_eq!(found[0], "billing/tax.py");
    assert!(!found.iter().any(|path| path.contains("up/")), "{found:?}");
}

#[test]
fn files_that_are_no_source_are_listed_with_their_reason() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    repo.write("data.bin", [0_u8, 1, 2, 3, 0, 255, 254]);
    repo.write("huge.py", "x = 1  # a long file\n".repeat(300_000));
    repo.write("latin1.txt", [&b"gr\xfc\xdfe an alle\n"[..]; 40].concat());
    repo.write(".env", "TOKEN=secret_of_the_shop\n");
    repo.write(
        "utf16.cs",
        utf16("class Utf16Shop { void OpenTheDoor() {} }\n"),
    );
    repo.write(
        "broken.py",
        "def half_written(:\n  ((((\ndef still_found():\n    return 1\n",
    );
    home.index(repo.arg());

    let status = home.run(&["status", "--repo", repo.arg(), "--json"]).json();
    let said = status.to_string();
    for reason in ["binary", "large", "secret"] {
        assert!(
            said.to_lowercase().contains(reason),
            "{reason:?} is missing in {said}"
        );
    }
    assert!(
        !home
            .paths_of(repo.arg(), "secret_of_the_shop")
            .contains(&".env".to_owned())
    );
    assert_eq!(home.paths_of(repo.arg(), "still_found")[0], "broken.py");
    assert_eq!(home.paths_of(repo.arg(), "Utf16Shop")[0], "utf16.cs");
}

fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_skipped_with_its_reason() {
    use std::os::unix::fs::PermissionsExt;
    let (repo, home) = (TestRepo::shop(), Home::new());
    let closed = repo.root().join("closed.py");
    fs::write(&closed, "def nobody_reads_this():\n    pass\n").expect("a file");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("permissions");
    let Some(reader) = ordinary_user(&repo, &home) else {
        let reason = "no user but root can be had";
        return skip(
            "a_file_without_permission_is_skipped_with_its_reason",
            reason,
        );
    };
    let run = |args: &[&str]| {
        let mut command = Command::new(&reader.program);
        home.furnish(&mut command);
        Outcome::of({
            reader.become_one(command.args(args));
            command
        })
    };
    run(&["index", repo.arg(), "--no-vectors"]).succeeds();
    let status = run(&["status", "--repo", repo.arg(), "--json"])
        .json()
        .to_string();
    assert!(status.contains("cannot be read"), "{status}");
    let answer = run(&["search", "vat_rate", "--repo", repo.arg(), "--json"]).json();
    assert_eq!(answer["hits"][0]["path"], "billing/tax.py");
}

/// Someone who may not read everything: this user, or `nobody` where this user is root.
#[cfg(unix)]
struct OrdinaryUser {
    is_root: bool,
    program: std::path::PathBuf,
}

#[cfg(unix)]
impl OrdinaryUser {
    fn become_one(&self, command: &mut Command) {
        use std::os::unix::process::CommandExt;
        if self.is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
    }
}

#[cfg(unix)]
const NOBODY: u32 = 65534;

/// Hands repository and home to `nobody` where this user is root.
#[cfg(unix)]
fn ordinary_user(repo: &TestRepo, home: &Home) -> Option<OrdinaryUser> {
    use std::os::unix::fs::MetadataExt;
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    if !is_root {
        return Some(OrdinaryUser {
            is_root,
            program: program("whyrank"),
        });
    }
    let copy = home.path().join("whyrank");
    fs::copy(program("whyrank"), &copy).expect("a copy of the program");
    let folders = [
        repo.root().parent().expect("a temporary folder"),
        home.path(),
    ];
    let owner = format!("{NOBODY}:{NOBODY}");
    let chown = Command::new("chown")
        .args(["-R", &owner])
        .args(folders)
        .status();
    chown
        .is_ok_and(|status| status.success())
        .then_some(OrdinaryUser {
            is_root,
            program: copy,
        })
}

#[test]
fn a_damaged_catalog_is_named_and_the_next_index_mends_it() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    let catalog = home.live_generation().join("catalog.db");
    for side in ["catalog.db-wal", "catalog.db-shm"] {
        let _ = fs::remove_file(home.live_generation().join(side));
    }
    fs::write(&catalog, "this is no database, whatever its name says").expect("the catalog");
    damaged_then_repaired(&repo, &home);
}

#[test]
fn a_lexical_index_with_missing_files_is_named_and_the_next_index_mends_it() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    let lexical = home.live_generation().join("lexical");
    for entry in fs::read_dir(&lexical).expect("the lexical index").flatten() {
        fs::remove_file(entry.path()).expect("a file goes");
    }
    damaged_then_repaired(&repo, &home);
}

#[test]
fn a_foreign_manifest_is_refused_with_the_part_that_differs() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    let manifest = home.live_generation().join("manifest.json");
    let ours = fs::read_to_string(&manifest).expect("a manifest");
    let mut parts: serde_json::Value = serde_json::from_str(&ours).expect("a manifest is JSON");
    // A hash that does not fit would tell of damage, which is repaired unasked.
    parts.as_object_mut().expect("an object").remove("hash");
    let chunker = parts["parts"]
        .as_array_mut()
        .expect("parts")
        .iter_mut()
        .find(|part| part[0] == "chunker");
    chunker.expect("the chunker is a part")[1] = "of another version".into();
    let foreign = parts.to_string();
    fs::write(&manifest, foreign).expect("the manifest");
    let outcome = home.run(&["search", "vat_rate", "--repo", repo.arg()]);
    assert_ne!(outcome.code, Some(0), "{outcome:?}");
    let code = outcome.code.expect("no signal");
    outcome.fails(
        code,
        &["chunker", "of another version", "whyrank index --rebuild"],
    );
    home.run(&["index", repo.arg(), "--rebuild", "--no-vectors"])
        .succeeds();
    assert_eq!(home.paths_of(repo.arg(), "vat_rate")[0], "billing/tax.py");
}

#[test]
fn an_empty_or_garbled_manifest_is_named() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    fs::write(home.live_generation().join("manifest.json"), "{").expect("the manifest");
    damaged_then_repaired(&repo, &home);
}

fn damaged_then_repaired(repo: &TestRepo, home: &Home) {
    let outcome = home.run(&["search", "vat_rate", "--repo", repo.arg()]);
    let code = outcome.code.expect("no signal");
    assert_ne!(code, 0, "{outcome:?}");
    outcome.fails(code, &["damaged", "whyrank index"]);
    home.run(&["index", repo.arg(), "--no-vectors"]).succeeds();
    assert_eq!(home.paths_of(repo.arg(), "vat_rate")[0], "billing/tax.py");
}

#[test]
fn a_damaged_settings_file_and_list_of_repositories_are_named() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    fs::write(home.data().join("repositories.json"), "not JSON").expect("the list");
    let listed = home.run(&["repos"]);
    assert!(listed.stdout.contains(repo.arg()), "{listed:?}");
    let copy = home.data().join("repositories.copy.json");
    fs::write(&copy, "not JSON either").expect("the copy");
    let outcome = home.run(&["repos"]);
    let code = outcome.code.expect("no signal");
    assert_ne!(code, 0);
    outcome.fails(code, &["repositories.json"]);
    fs::remove_file(home.data().join("repositories.json")).expect("the list");
    fs::remove_file(copy).expect("the copy");

    fs::create_dir_all(home.path().join("config")).expect("a folder");
    fs::write(home.path().join("config/config.toml"), "weights = \"heavy").expect("the settings");
    let outcome = home.run(&["search", "vat_rate", "--repo", repo.arg()]);
    let said = format!("{}{}", outcome.stdout, outcome.stderr);
    assert!(said.contains("config.toml"), "{outcome:?}");
}

#[test]
fn a_model_with_a_wrong_hash_is_refused_and_search_goes_on_without() {
    let Some(good) = Home::with_model() else {
        let reason = "no embedding model on this machine";
        return skip(
            "a_model_with_a_wrong_hash_is_refused_and_search_goes_on_without",
            reason,
        );
    };
    let models = good.data().join("models");
    let (repo, home) = (TestRepo::shop(), Home::new());
    copy_model_with_a_changed_tokenizer(&models, &home.data().join("models"));

    home.run(&["models", "verify"])
        .fails(5, &["minilm-l6", "tokenizer.json", "whyrank models pull"]);
    home.run(&["index", repo.arg()]).succeeds();
    let answer = home.json(&["search", "vat_rate", "--repo", repo.arg(), "--json"]);
    assert_eq!(answer["hits"][0]["path"], "billing/tax.py");
    assert_eq!(answer["coverage"]["vector"], 0.0, "{answer}");
}

fn copy_model_with_a_changed_tokenizer(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("models").flatten() {
        let copy = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_model_with_a_changed_tokenizer(&entry.path(), &copy);
            continue;
        }
        fs::copy(entry.path(), &copy).expect("a copy");
        if entry.file_name() == "tokenizer.json" {
            let mut bytes = fs::read(&copy).expect("a tokenizer");
            *bytes.last_mut().expect("it is not empty") ^= 1;
            fs::write(&copy, bytes).expect("a changed tokenizer");
        }
    }
}

/// A file system in memory; it goes when the value goes.
struct SmallDisk<'a>(&'a Path);

impl<'a> SmallDisk<'a> {
    fn mount(at: &'a Path, size: &str) -> Option<Self> {
        fs::create_dir_all(at).ok()?;
        let options = format!("size={size}");
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs", text(at)])
            .output();
        mount
            .is_ok_and(|output| output.status.success())
            .then_some(Self(at))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).output();
    }
}

#[test]
fn a_full_disk_is_named_and_the_last_good_index_serves() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    let data = home.data();
    let Some(_disk) = SmallDisk::mount(&data, "6m") else {
        let reason = "mounting a small disk needs root";
        return skip(
            "a_full_disk_is_named_and_the_last_good_index_serves",
            reason,
        );
    };
    home.index(repo.arg());
    repo.write_many("more", 4000);
    let outcome = home.run(&["index", repo.arg(), "--no-vectors"]);
    let code = outcome.code.expect("no signal");
    assert_ne!(code, 0, "{outcome:?}");
    outcome.fails(code, &["space"]);
    assert_eq!(home.paths_of(repo.arg(), "vat_rate")[0], "billing/tax.py");
}

#[test]
fn a_relative_home_is_refused_by_name_and_nothing_is_written_there() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["WHYRANK_HOME", "HOME"] {
        let mut command = Command::new(program("whyrank"));
        let command = command.args(["repos", "list"]).current_dir(folder.path());
        let others = ["WHYRANK_HOME", "USERPROFILE", "XDG_DATA_HOME"];
        let command = others
            .iter()
            .fold(command, |command, other| command.env_remove(other));
        let output = command.env(name, "near").output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{name}");
        assert!(said.contains(name) && said.contains("absolute"), "{said}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
