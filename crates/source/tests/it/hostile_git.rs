//! Folders whose `.git` somebody else wrote, drawn: what they lead to is refused by name, or is not read.

use crate::drawn::Draw;
use crate::fixture::{Fixture, commit_index, link};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use whyrank_source::{BlobId, CommitId, FileFilter, Repository, SourceError, blob_id};

const SECRET: &str = "the victim's";

/// A victim's repository, and beside it a folder from elsewhere.
struct World {
    victim: Fixture,
    secret: BlobId,
    head: CommitId,
}

impl World {
    fn new() -> Self {
        let victim = Fixture::with_files(&[("secret.rs", SECRET)]);
        let head = victim.commit("first");
        let tree = victim.above.join("tree");
        victim.git.worktree("tree", &tree, None).expect("a tree");
        Self {
            victim,
            secret: blob_id(SECRET.as_bytes()),
            head,
        }
    }

    fn git_dir(&self) -> PathBuf {
        self.victim.path(".git")
    }

    fn stranger(&self) -> PathBuf {
        self.victim.above.join("stranger")
    }

    /// A repository of the stranger's own; its git folder.
    fn begin(&self) -> PathBuf {
        let root = self.stranger();
        let _ = fs::remove_dir_all(&root);
        let git = git2::Repository::init(&root).expect("a repository");
        fs::write(root.join("own.rs"), "own").expect("a file");
        let mut index = git.index().expect("an index");
        index.add_path(Path::new("own.rs")).expect("staged");
        index.write().expect("written");
        commit_index(&git, &mut index, "own");
        root.join(".git")
    }
}

/// A path to the victim's, absolute or from the stranger's folder or one in it.
fn way(draw: &mut Draw, world: &World, to: &str, n_up: usize) -> String {
    if draw.next(2) == 0 {
        return world.victim.path(to).display().to_string();
    }
    format!("{}repo/{to}", "../".repeat(n_up))
}

/// In the place of what is there.
fn lead(target: &Path, at: &Path) {
    let _ = fs::remove_dir_all(at);
    let _ = fs::remove_file(at);
    link(target, at);
}

fn set(git: &Path, name: &str, value: &str) {
    let mut config = git2::Config::open(&git.join("config")).expect("settings");
    config.set_str(name, value).expect("set");
}

/// One way to lead out; where the folder is that is then asked for.
fn led_out(draw: &mut Draw, world: &World, git: &Path) -> PathBuf {
    let root = world.stranger();
    let theirs = world.git_dir();
    match draw.next(12) {
        0 => {
            let to = [".git", ".git/worktrees/tree"][draw.next(2)];
            let way = way(draw, world, to, 1);
            let _ = fs::remove_dir_all(git);
            fs::write(git, format!("gitdir: {way}\n")).expect("a file");
        }
        1 => lead(&theirs, git),
        2 => {
            let up = ["..", "../..", "../../repo", "../../tree"][draw.next(4)];
            set(git, "core.worktree", up);
        }
        3 => {
            set(git, "extensions.worktreeConfig", "true");
            let own = way(draw, world, "", 2);
            let text = format!("[core]\n\tworktree = {own}\n");
            fs::write(git.join("config.worktree"), text).expect("a file");
        }
        4 => {
            let way = way(draw, world, ".git", 2);
            fs::write(git.join("commondir"), way).expect("a file");
        }
        5 => lead(&theirs.join("objects"), &git.join("objects")),
        6 => {
            for entry in fs::read_dir(theirs.join("objects")).expect("objects") {
                let entry = entry.expect("an entry");
                lead(&entry.path(), &git.join("objects").join(entry.file_name()));
            }
        }
        7 => {
            let mut file = git.join("objects/info/alternates");
            let way = way(draw, world, ".git/objects", 3);
            if draw.next(2) == 0 {
                // By way of a folder that is the stranger's own.
                fs::create_dir_all(root.join("more/info")).expect("a folder");
                fs::write(&file, "# more\n\n../../more\n").expect("a file");
                file = root.join("more/info/alternates");
            }
            let way = way.replacen("../../../", &"../".repeat(file_depth(&file, &root)), 1);
            fs::write(file, format!("{way}\n")).expect("a file");
        }
        8 => {
            let name = ["HEAD", "index", "packed-refs", "logs", "refs", "info"][draw.next(6)];
            lead(&theirs.join(name), &git.join(name));
        }
        9 => {
            let folder = ["refs/heads", "objects/pack", "objects/info"][draw.next(3)];
            lead(&theirs.join(folder), &git.join(folder));
        }
        10 => {
            // A folder that is one of git's by what lies in it.
            let inner = root.join("inner");
            let _ = fs::remove_dir_all(&inner);
            fs::rename(git, &inner).expect("renamed");
            set(&inner, "core.bare", "false");
            set(
                &inner,
                "core.worktree",
                ["..", "../..", "../../repo"][draw.next(3)],
            );
            return inner;
        }
        _ => {
            fs::rename(git, root.join("data")).expect("renamed");
            fs::write(git, "gitdir: data\n").expect("a file");
            let way = way(draw, world, ".git", 2);
            fs::write(root.join("data/commondir"), way).expect("a file");
        }
    }
    root
}

/// Folders between an object folder and the one above the stranger's.
fn file_depth(alternates: &Path, root: &Path) -> usize {
    let folder = alternates.ancestors().nth(2).expect("an object folder");
    folder
        .strip_prefix(root)
        .expect("inside")
        .components()
        .count()
        + 1
}

/// More of them: `WHYRANK_CASES=20000`.
#[test]
fn no_git_folder_leads_into_another_repository() {
    let cases = std::env::var("WHYRANK_CASES").ok();
    let n_cases = cases.and_then(|n| n.parse().ok()).unwrap_or(100);
    let world = World::new();
    let (mut n_led, mut n_reaching) = (0, 0);
    for seed in 0..n_cases {
        let git = world.begin();
        let mut draw = Draw(seed);
        draw.next(1);
        let asked = led_out(&mut draw, &world, &git);
        match Repository::discover(&asked) {
            Err(SourceError::LeadsElsewhere { .. }) => n_led += 1,
            Err(SourceError::ReachesOutside { .. }) => n_reaching += 1,
            Err(_) => {}
            Ok(opened) => holds_nothing_of(&world, &opened, seed),
        }
    }
    let least = n_cases / 5;
    assert!(n_led > least && n_reaching > least, "{n_led} {n_reaching}");
}

fn holds_nothing_of(world: &World, opened: &Repository, seed: u64) {
    assert!(opened.root().starts_with(world.stranger()), "seed {seed}");
    assert!(opened.read_blob(world.secret).is_err(), "seed {seed}");
    assert!(opened.commit_info(world.head).is_err(), "seed {seed}");
    let go_on = &mut |_| ControlFlow::Continue(());
    let listing = opened.list_worktree(&FileFilter::default(), &(), go_on);
    let listing = listing.map(|listing| listing.files).unwrap_or_default();
    assert!(
        listing.iter().all(|file| file.path != "secret.rs"),
        "seed {seed}"
    );
}

/// Folders that git itself makes of one repository: nothing of it leads out.
#[test]
fn a_git_folder_beside_its_tree_and_objects_within_are_its_own() {
    let world = World::new();
    let git = world.begin();
    let root = world.stranger();
    fs::create_dir_all(root.join("more/info")).expect("a folder");
    fs::write(git.join("objects/info/alternates"), "../../more\n").expect("a file");
    Repository::discover(&root).expect("objects within");
    let beside = world.victim.above.join("data.git");
    fs::rename(&git, &beside).expect("renamed");
    fs::write(&git, format!("gitdir: {}\n", beside.display())).expect("a file");
    let error = Repository::discover(&root).expect_err("it names nobody");
    assert!(error.to_string().contains("safe.directory"), "{error}");
    set(&beside, "core.worktree", &root.display().to_string());
    fs::remove_file(beside.join("objects/info/alternates")).expect("removed");
    let opened = Repository::discover(&root).expect("it names this tree");
    assert_eq!((opened.root(), opened.git_dir()), (&*root, &*beside));
}
