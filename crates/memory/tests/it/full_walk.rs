//! Commits that are kept and read by need say what a walk over all of git says, on random histories.

use crate::fixture::{World, id, oid};
use git2::{Oid, Sort};
use std::collections::{HashMap, HashSet};
use whyrank_memory::{Ancestors, CommitHistory, Placement};
use whyrank_source::CommitId;

const N_HISTORIES: u64 = 4;
const N_STEPS: usize = 60;
const N_STEPS_BETWEEN_LOOKS: usize = 20;

/// Numbers that look random and are always the same (SplitMix64, Steele et al. 2014).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % n.max(1) as u64) as usize
    }

    fn of<T: Copy>(&mut self, some: &[T]) -> T {
        some[self.below(some.len())]
    }
}

/// A random history, with memos at some of its commits.
struct Grown {
    world: World,
    numbers: Numbers,
    /// Every commit that was ever made, reachable or not.
    made: Vec<CommitId>,
    branches: Vec<String>,
}

impl Grown {
    fn new(seed: u64) -> Self {
        let mut world = World::new();
        let first = world.commit("first", "0");
        Self {
            world,
            numbers: Numbers(seed),
            made: vec![first],
            branches: vec!["main".to_owned()],
        }
    }

    fn step(&mut self, n: usize) {
        let (some, path) = (self.numbers.of(&self.made), format!("f{n}"));
        // Texts that are alike would be taken for renamed files.
        let lines = (0..8).map(|line| format!("{}\n", (8 * n + line) * 2_654_435_761));
        let text: String = lines.collect();
        let head = self.world.head_id();
        let made = match self.numbers.below(14) {
            0..4 => self.world.commit_with(&path, &text, &path),
            4 => self.world.commit_with(
                &path,
                &text,
                &format!("undo\n\nThis reverts commit {some}."),
            ),
            5 => return self.switch(n, some),
            6 => self.world.merge(some),
            7 | 8 if self.is_plain(some) => self.rewrite(some, head, None),
            9 if self.is_plain(some) => self.rewrite(some, head, Some("reworded")),
            10 if self.is_plain(some) => {
                let picked = format!("wip\n\n(cherry picked from commit {some})");
                self.world.commit_with(&path, &text, &picked)
            }
            11 => self.world.replay_other(some, head, &path, &text),
            12 => return self.drop_a_branch(some),
            _ => return drop(self.world.add(&format!("memo {n}"))),
        };
        let branch = self.numbers.below(self.branches.len());
        self.world.set_branch(&self.branches[branch], made);
        self.made.push(made);
    }

    fn is_plain(&self, commit: CommitId) -> bool {
        let found = self.world.git.find_commit(oid(commit));
        found.is_ok_and(|commit| commit.parent_count() == 1)
    }

    fn rewrite(&mut self, commit: CommitId, onto: CommitId, message: Option<&str>) -> CommitId {
        self.world.replay(commit, onto, message)
    }

    /// Goes to a branch, to a new one, or to no branch at all.
    fn switch(&mut self, n: usize, to: CommitId) {
        match self.numbers.below(3) {
            0 => self.world.detach(to),
            1 => {
                let name = format!("b{n}");
                self.world.set_branch(&name, to);
                self.world.branch(&name);
                self.branches.push(name);
            }
            _ => {
                let branch = self.numbers.below(self.branches.len());
                self.world.branch(&self.branches[branch]);
            }
        }
    }

    /// Deletes a branch or pushes it back by force.
    fn drop_a_branch(&mut self, to: CommitId) {
        let at = self.numbers.below(self.branches.len());
        let head = self.world.git.head().expect("a head");
        let is_here = head
            .name()
            .is_ok_and(|name| name.ends_with(&self.branches[at]));
        if is_here || self.branches.len() == 1 || self.numbers.below(2) == 0 {
            self.world.set_branch(&self.branches[at], to);
            return;
        }
        let name = self.branches.remove(at);
        self.world.delete_branch(&name);
    }
}

type Author = (Vec<u8>, Vec<u8>, i64);

/// What a walk over all commits of git finds; nothing is kept.
struct FullWalk<'a> {
    git: &'a git2::Repository,
    reachable: HashSet<Oid>,
    /// By time, then id.
    ordered: Vec<Oid>,
}

impl<'a> FullWalk<'a> {
    fn new(git: &'a git2::Repository) -> Self {
        let mut tips: Vec<Oid> = git.head().expect("HEAD").target().into_iter().collect();
        let refs = git.references().expect("refs");
        tips.extend(refs.flatten().filter_map(|reference| reference.target()));
        let mut walk = Self {
            git,
            reachable: HashSet::new(),
            ordered: Vec::new(),
        };
        walk.reachable = walk.above(&tips);
        let mut ordered: Vec<Oid> = walk.reachable.iter().copied().collect();
        ordered.sort_by_key(|oid| (walk.commit(*oid).time().seconds(), *oid));
        walk.ordered = ordered;
        walk
    }

    fn above(&self, from: &[Oid]) -> HashSet<Oid> {
        let mut walk = self.git.revwalk().expect("a walk");
        walk.set_sorting(Sort::NONE).expect("no order");
        for oid in from {
            walk.push(*oid).expect("a start");
        }
        walk.flatten().collect()
    }

    fn commit(&self, oid: Oid) -> git2::Commit<'a> {
        self.git.find_commit(oid).expect("a commit")
    }

    fn author(&self, oid: Oid) -> Author {
        let commit = self.commit(oid);
        let author = commit.author();
        let (name, email) = (author.name_bytes().to_vec(), author.email_bytes().to_vec());
        (name, email, author.when().seconds())
    }

    fn twins(&self, oid: Oid) -> Vec<Oid> {
        let key = |oid| {
            (
                self.author(oid),
                self.commit(oid).summary_bytes().map(<[u8]>::to_vec),
            )
        };
        let own = key(oid);
        let all = self.ordered.iter().copied();
        all.filter(|other| key(*other) == own).collect()
    }

    fn kin(&self, oid: Oid) -> Vec<Oid> {
        let own = self.author(oid);
        let all = self.ordered.iter().copied();
        all.filter(|other| self.author(*other) == own).collect()
    }

    /// `H`ere, `R`ewritten, `O`rphaned or unknown, and where.
    fn place(&self, oid: Oid) -> (char, Option<Oid>) {
        if self.reachable.contains(&oid) {
            return ('H', Some(oid));
        }
        let kin = self.kin(oid);
        let only = (kin.len() == 1).then(|| kin[0]);
        if let Some(copy) = self.twins(oid).last().copied().or(only) {
            return ('R', Some(copy));
        }
        let (mut line, mut seen) = (vec![oid], HashSet::new());
        while !line.is_empty() {
            if let Some(found) = line.iter().find(|oid| self.reachable.contains(oid)) {
                return ('O', Some(*found));
            }
            let parents = line
                .iter()
                .flat_map(|oid| self.commit(*oid).parent_ids().collect::<Vec<_>>());
            line = parents.filter(|oid| seen.insert(*oid)).collect();
        }
        ('U', None)
    }

    fn patch(&self, oid: Oid) -> Option<Oid> {
        let commit = self.commit(oid);
        let before = commit
            .parent(0)
            .ok()
            .map(|parent| parent.tree().expect("a tree"));
        let after = commit.tree().expect("a tree");
        let diff = self
            .git
            .diff_tree_to_tree(before.as_ref(), Some(&after), None);
        diff.expect("a diff").patchid(None).ok()
    }

    fn says(&self, oid: Oid, words: &str, of: Oid) -> bool {
        let commit = self.commit(oid);
        commit
            .message()
            .is_ok_and(|message| message.contains(&format!("{words}{of}")))
    }

    fn picked(&self, oid: Oid, within: &HashSet<Oid>) -> Option<Oid> {
        let mut alike = self.twins(oid).into_iter();
        alike.find(|other| {
            let is_copy = || {
                self.says(*other, "cherry picked from commit ", oid)
                    || (self.patch(oid).is_some() && self.patch(oid) == self.patch(*other))
            };
            *other != oid && within.contains(other) && is_copy()
        })
    }

    fn reverted_by(&self, oid: Oid, within: &HashSet<Oid>, depth: u32) -> bool {
        within.iter().any(|by| {
            self.says(*by, "This reverts commit ", oid)
                && (depth > 8 || !self.reverted_by(*by, within, depth + 1))
        })
    }
}

/// What the history that is kept says, by ids.
struct KeptHistory<'a> {
    commit_history: &'a CommitHistory,
}

impl KeptHistory<'_> {
    fn oid(&self, at: u32) -> Oid {
        oid(self.commit_history.history.node(at).expect("a commit").id)
    }

    fn place(&self, world: &World, sha: &str) -> (char, Option<Oid>) {
        match self
            .commit_history
            .history
            .place(sha, world.memory.ledger().commit(sha))
        {
            Placement::Here { at } => ('H', Some(self.oid(at))),
            Placement::Rewritten { at } => ('R', Some(self.oid(at))),
            Placement::Orphaned { at } => ('O', Some(self.oid(at))),
            Placement::BeforeShallow | Placement::Unknown => ('U', None),
        }
    }

    fn set(&self, ancestors: &Ancestors) -> HashSet<Oid> {
        ancestors.iter().map(|at| self.oid(at)).collect()
    }
}

fn compare(grown: &Grown, seed: u64) -> HashMap<char, usize> {
    let world = &grown.world;
    let commit_history = world.commit_history();
    let (kept, full) = (
        KeptHistory {
            commit_history: &commit_history,
        },
        FullWalk::new(&world.git),
    );
    let mut counts = HashMap::new();
    for sha in world.memory.ledger().shas() {
        let pinned = Oid::from_str(sha).expect("an id");
        let found = kept.place(world, sha);
        assert_eq!(found, full.place(pinned), "place of {sha}, history {seed}");
        *counts.entry(found.0).or_default() += 1;
    }
    for commit in &full.ordered {
        let ancestors = commit_history
            .history
            .ancestors(id(*commit))
            .expect("it is there");
        let above = full.above(&[*commit]);
        assert_eq!(
            kept.set(&ancestors),
            above,
            "above {commit}, history {seed}"
        );
        for sha in world.memory.ledger().shas() {
            let (kind, Some(at)) = full.place(Oid::from_str(sha).expect("an id")) else {
                continue;
            };
            if kind == 'O' {
                continue;
            }
            let index = commit_history.history.find(id(at)).expect("it is there");
            let picked = commit_history
                .history
                .picked(index, &ancestors)
                .map(|at| kept.oid(at));
            assert_eq!(
                picked,
                full.picked(at, &above),
                "{sha} picked, history {seed}"
            );
            *counts.entry('P').or_default() += usize::from(picked.is_some());
            let by = commit_history
                .history
                .reverted_by(index, &ancestors)
                .is_some();
            assert_eq!(
                by,
                full.reverted_by(at, &above, 0),
                "{sha} undone, history {seed}"
            );
            *counts.entry('B').or_default() += usize::from(by);
        }
    }
    counts
}

#[test]
fn commits_that_are_kept_say_what_a_walk_over_all_of_git_says() {
    let mut seen: HashMap<char, usize> = HashMap::new();
    for seed in 0..N_HISTORIES {
        let mut grown = Grown::new(seed);
        grown.world.add("at the first commit");
        for n in 0..N_STEPS {
            grown.step(n);
            if n % N_STEPS_BETWEEN_LOOKS == N_STEPS_BETWEEN_LOOKS - 1 {
                for (what, n) in compare(&grown, seed) {
                    *seen.entry(what).or_default() += n;
                }
            }
        }
    }
    // Histories that never come to a case would prove nothing of it.
    for what in ['H', 'R', 'O', 'P', 'B'] {
        assert!(
            seen.get(&what).is_some_and(|n| *n > 0),
            "no {what}: {seen:?}"
        );
    }
}

#[test]
fn only_new_commits_are_read_and_only_lookalikes_that_matter_compared() {
    let mut world = World::new();
    let base = world.commit("a", "0");
    world.branch("feature");
    let wip = world.commit_with("b", "1", "wip");
    world.add("of this wip");
    world.branch("main");
    for n in 0..20 {
        let other = world.replay_other(wip, base, &format!("c{n}"), "2");
        world.set_branch(&format!("side{n}"), other);
    }
    drop(world.commit_history());
    let commit_history = world.commit_history();
    let snapshot = world.snapshot(&commit_history, Some(wip), i64::MAX);
    assert_eq!(snapshot.resolved_versions().len(), 1);
    let work = commit_history.history.work();
    assert_eq!((work.n_commits, work.n_patches), (0, 0), "all was kept");
    // Seen from one of the lookalikes, the two are compared, once.
    let side = world.git.find_branch("side7", git2::BranchType::Local);
    let side = id(side.expect("a branch").get().target().expect("a commit"));
    for n_patches in [2, 0] {
        let commit_history = world.commit_history();
        let snapshot = world.snapshot(&commit_history, Some(side), i64::MAX);
        assert!(snapshot.resolved_versions().is_empty(), "a stranger");
        assert_eq!(commit_history.history.work().n_patches, n_patches);
    }
    world.commit("a", "3");
    assert_eq!(world.commit_history().history.work().n_commits, 1);
}

#[test]
fn a_commit_that_was_missing_is_taken_in_when_it_is_there_again() {
    let mut world = World::new();
    let commits: Vec<CommitId> = (0..4).map(|n| world.commit("a", &n.to_string())).collect();
    let sha = commits[1].to_string();
    let object = world
        .root()
        .join(".git/objects")
        .join(&sha[..2])
        .join(&sha[2..]);
    let aside = world.folder.path().join("aside");
    std::fs::rename(&object, &aside).expect("it goes");
    let n_above = |world: &World| {
        let commit_history = world.commit_history();
        let above = commit_history
            .history
            .ancestors(commits[3])
            .expect("it is there");
        let known = above
            .iter()
            .filter(|at| commit_history.history.node(*at).is_some());
        known.count()
    };
    assert_eq!(n_above(&world), 2);
    std::fs::rename(&aside, &object).expect("it comes back");
    assert_eq!(n_above(&world), 4);
}
