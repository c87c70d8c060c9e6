//! A repository whose history a test makes, and a memory beside it.

use git2::{Commit, Oid, Signature, Time};
use std::path::PathBuf;
use tempfile::TempDir;
use whyrank_memory::{
    AsOf, Author, Change, CommitHistory, Draft, Edit, Fact, FactWriter, Field, History, Kind,
    Ledger, MemoStatus, Memory, Opposites, Point, ResolvedVersion, Result, Snapshot, Validity,
    WordIndex,
};
use whyrank_source::{CommitId, Repository};

pub(crate) const START_S: i64 = 1_700_000_000;

pub(crate) struct World {
    pub(crate) git: git2::Repository,
    pub(crate) memory: Memory,
    pub(crate) now_ms: i64,
    pub(crate) folder: TempDir,
    commit_s: i64,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let mut options = git2::RepositoryInitOptions::new();
        options.initial_head("main");
        let git = git2::Repository::init_opts(folder.path().join("repo"), &options)
            .expect("a repository");
        Self {
            git,
            memory: Memory::open(&folder.path().join("memos.db")).expect("a memory"),
            now_ms: START_S * 1000,
            folder,
            commit_s: START_S,
        }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    /// Commits `text` as the file `path` on the branch that HEAD is on.
    pub(crate) fn commit(&mut self, path: &str, text: &str) -> CommitId {
        let message = format!("{path}: {text}");
        self.commit_with(path, text, &message)
    }

    pub(crate) fn commit_with(&mut self, path: &str, text: &str, message: &str) -> CommitId {
        let parent = self.head();
        let parents: Vec<Oid> = parent.into_iter().collect();
        let oid = self.raw_commit(path, text, message, &parents);
        self.move_head(oid);
        id(oid)
    }

    fn raw_commit(&mut self, path: &str, text: &str, message: &str, parents: &[Oid]) -> Oid {
        self.commit_s += 60;
        let who = Signature::new("Ada", "ada@example.org", &Time::new(self.commit_s, 0));
        let who = who.expect("a signature");
        let parents: Vec<Commit<'_>> = parents.iter().map(|oid| self.find(*oid)).collect();
        let base = parents.first().map(|parent| parent.tree().expect("a tree"));
        let mut tree = self.git.treebuilder(base.as_ref()).expect("a tree builder");
        let blob = self.git.blob(text.as_bytes()).expect("a blob");
        tree.insert(path, blob, 0o100_644).expect("an entry");
        let tree = self
            .git
            .find_tree(tree.write().expect("a tree"))
            .expect("a tree");
        let parents: Vec<&Commit<'_>> = parents.iter().collect();
        self.git
            .commit(None, &who, &who, message, &tree, &parents)
            .expect("a commit")
    }

    /// Copies a commit onto another, as a rebase or a cherry-pick does.
    pub(crate) fn replay(
        &mut self,
        commit: CommitId,
        onto: CommitId,
        message: Option<&str>,
    ) -> CommitId {
        self.commit_s += 60;
        let original = self.find(oid(commit));
        let onto = self.find(oid(onto));
        let mut index = self
            .git
            .cherrypick_commit(&original, &onto, 0, None)
            .expect("a pick without conflicts");
        let tree = index.write_tree_to(&self.git).expect("a tree");
        let tree = self.git.find_tree(tree).expect("a tree");
        let who = Signature::new("Bo", "bo@example.org", &Time::new(self.commit_s, 0));
        let message = message.unwrap_or_else(|| original.message().expect("a message"));
        let author = original.author();
        let copy = self.git.commit(
            None,
            &author,
            &who.expect("a signature"),
            message,
            &tree,
            &[&onto],
        );
        id(copy.expect("a commit"))
    }

    /// Another change with a commit's author, time and message.
    pub(crate) fn replay_other(
        &mut self,
        commit: CommitId,
        onto: CommitId,
        path: &str,
        text: &str,
    ) -> CommitId {
        let changed = self.raw_commit(path, text, "scratch", &[oid(onto)]);
        let (original, onto) = (self.find(oid(commit)), self.find(oid(onto)));
        let tree = self.find(changed).tree().expect("a tree");
        let author = original.author();
        let message = original.message().expect("a message");
        id(self
            .git
            .commit(None, &author, &author, message, &tree, &[&onto])
            .expect("a commit"))
    }

    /// Merges a commit into the branch that HEAD is on.
    pub(crate) fn merge(&mut self, other: CommitId) -> CommitId {
        self.commit_s += 60;
        let who = Signature::new("Ada", "ada@example.org", &Time::new(self.commit_s, 0));
        let who = who.expect("a signature");
        let (ours, theirs) = (
            self.find(self.head().expect("a head")),
            self.find(oid(other)),
        );
        let mut index = self
            .git
            .merge_commits(&ours, &theirs, None)
            .expect("a merge");
        let tree = index.write_tree_to(&self.git).expect("a tree");
        let tree = self.git.find_tree(tree).expect("a tree");
        let merged = self
            .git
            .commit(None, &who, &who, "merge", &tree, &[&ours, &theirs]);
        let merged = merged.expect("a commit");
        self.move_head(merged);
        id(merged)
    }

    /// Makes a branch where HEAD is, or goes to one that there is.
    pub(crate) fn branch(&self, name: &str) {
        let reference = format!("refs/heads/{name}");
        if self.git.find_reference(&reference).is_err() {
            let head = self.head().expect("a head");
            self.git
                .reference(&reference, head, false, "branch")
                .expect("a branch");
        }
        self.git.set_head(&reference).expect("a head");
    }

    pub(crate) fn set_branch(&self, name: &str, commit: CommitId) {
        let reference = format!("refs/heads/{name}");
        self.git
            .reference(&reference, oid(commit), true, "force")
            .expect("a branch");
    }

    pub(crate) fn delete_branch(&self, name: &str) {
        let mut branch = self
            .git
            .find_reference(&format!("refs/heads/{name}"))
            .expect("a branch");
        branch.delete().expect("it goes");
    }

    pub(crate) fn detach(&self, commit: CommitId) {
        self.git.set_head_detached(oid(commit)).expect("a head");
    }

    pub(crate) fn head_id(&self) -> CommitId {
        id(self.head().expect("a head"))
    }

    fn head(&self) -> Option<Oid> {
        self.git.head().ok().and_then(|head| head.target())
    }

    fn move_head(&self, to: Oid) {
        let name = self.git.find_reference("HEAD").expect("HEAD");
        let name = name
            .symbolic_target()
            .expect("UTF-8")
            .unwrap_or("HEAD")
            .to_owned();
        match name.as_str() {
            "HEAD" => self.git.set_head_detached(to).expect("a head"),
            name => drop(
                self.git
                    .reference(name, to, true, "commit")
                    .expect("a branch"),
            ),
        }
    }

    fn find(&self, oid: Oid) -> Commit<'_> {
        self.git.find_commit(oid).expect("a commit")
    }

    pub(crate) fn commit_history(&self) -> CommitHistory {
        self.commit_history_of(&self.root())
    }

    pub(crate) fn commit_history_of(&self, root: &std::path::Path) -> CommitHistory {
        let repository = Repository::discover(root).expect("a repository");
        let extra: Vec<CommitId> = self
            .memory
            .ledger()
            .shas()
            .iter()
            .filter_map(|sha| whyrank_source::commit_from_hex(sha))
            .collect();
        // The store of commits stays from look to look, as that of a repository does.
        let name = root.file_name().expect("a name").to_string_lossy();
        let shallow = repository.shallow_fingerprint().unwrap_or_default();
        let file = self.folder.path().join(format!("{name}{shallow}.commits"));
        let mut history = History::open(&file);
        history.update(&repository, &extra).expect("a history");
        CommitHistory::new(history, self.memory.ledger())
    }

    fn point(&self, commit: Option<CommitId>, recorded_at: i64) -> Point {
        Point {
            sha: commit.map(|commit| commit.to_string()),
            at: recorded_at,
        }
    }

    /// Records at HEAD, or by time alone where there is no commit.
    pub(crate) fn write(
        &mut self,
        make: impl FnOnce(&FactWriter<'_>, &Snapshot<'_>) -> Result<Vec<Fact>>,
    ) -> Result<Vec<Fact>> {
        let commit = self.head().map(id);
        self.write_at(commit, make)
    }

    pub(crate) fn write_at(
        &mut self,
        commit: Option<CommitId>,
        make: impl FnOnce(&FactWriter<'_>, &Snapshot<'_>) -> Result<Vec<Fact>>,
    ) -> Result<Vec<Fact>> {
        self.now_ms += 1_000;
        let commit_history = self.commit_history();
        let now = self.now_ms;
        let at = |recorded_at| self.point(commit, recorded_at);
        let (first, remembered) = (
            at(0),
            commit.and_then(|commit| commit_history.history.remember(commit, now)),
        );
        self.memory.write(now, |ledger, recorded_at| {
            let as_of = AsOf {
                commit,
                time_ms: recorded_at,
                known_at: i64::MAX,
            };
            let snapshot =
                Snapshot::new(ledger, Some(&commit_history), as_of).expect("the commit is there");
            let writer = FactWriter {
                ledger,
                recorded_at,
                clock: (recorded_at != now).then_some(now),
                at: Point {
                    at: recorded_at,
                    ..first.clone()
                },
                commit: remembered.clone(),
                author: Author {
                    name: "ada".to_owned(),
                    ..Author::default()
                },
            };
            make(&writer, &snapshot)
        })
    }

    pub(crate) fn add(&mut self, content: &str) -> String {
        let facts = self
            .write(|writer, _| writer.add(draft(content)))
            .expect("it is recorded");
        memo_of(&facts)
    }

    pub(crate) fn edit(&mut self, memo: &str, content: &str) {
        self.write(|writer, snapshot| writer.edit(memo, &snapshot.seen(memo)?, text(content)))
            .expect("it is recorded");
    }

    pub(crate) fn supersede(&mut self, old: &str, content: &str) -> String {
        let facts = self.write(|writer, snapshot| {
            let mut facts = writer.add(draft(content))?;
            let by = version_of(&facts);
            facts.extend(writer.end(&snapshot.holding(old)?, Some(&by)));
            Ok(facts)
        });
        memo_of(&facts.expect("it is recorded"))
    }

    pub(crate) fn forget(&mut self, memo: &str) {
        self.write(|writer, snapshot| Ok(writer.end(&snapshot.holding(memo)?, None)))
            .expect("it is recorded");
    }

    pub(crate) fn purge(&mut self, memo: &str) {
        self.write(|writer, _| Ok(vec![writer.purge(memo)]))
            .expect("it is recorded");
    }

    pub(crate) fn mark(&mut self, memo: &str, says: Field) {
        self.write(|writer, _| Ok(vec![writer.mark(memo, says)]))
            .expect("it is recorded");
    }

    /// What holds at a commit, as texts in order.
    pub(crate) fn at(&self, commit: CommitId) -> Vec<String> {
        self.known(Some(commit), i64::MAX)
    }

    pub(crate) fn known(&self, commit: Option<CommitId>, known_at: i64) -> Vec<String> {
        let commit_history = self.commit_history();
        let snapshot = self.snapshot(&commit_history, commit, known_at);
        let mut texts: Vec<String> = snapshot
            .resolved_versions()
            .iter()
            .map(|one| self.text(one.version))
            .collect();
        texts.sort();
        texts
    }

    pub(crate) fn snapshot<'a>(
        &'a self,
        commit_history: &'a CommitHistory,
        commit: Option<CommitId>,
        known_at: i64,
    ) -> Snapshot<'a> {
        let as_of = AsOf {
            commit,
            time_ms: self.now_ms,
            known_at,
        };
        Snapshot::new(self.memory.ledger(), Some(commit_history), as_of)
            .expect("the commit is there")
    }

    pub(crate) fn text(&self, version: u32) -> String {
        self.memory
            .ledger()
            .version(version)
            .expect("a version")
            .content
            .clone()
    }

    /// How a memo stands at a commit.
    pub(crate) fn resolved(&self, memo: &str, commit: CommitId) -> Option<ResolvedVersion> {
        let commit_history = self.commit_history();
        match self
            .snapshot(&commit_history, Some(commit), i64::MAX)
            .state(memo)
        {
            MemoStatus::Valid(resolved) => Some(resolved),
            _ => None,
        }
    }

    pub(crate) fn validity(&self, memo: &str, commit: CommitId) -> Option<Validity> {
        self.resolved(memo, commit)
            .map(|resolved| resolved.validity)
    }

    pub(crate) fn state(&self, memo: &str, commit: Option<CommitId>) -> &'static str {
        let commit_history = self.commit_history();
        self.snapshot(&commit_history, commit, i64::MAX)
            .state(memo)
            .name()
    }
}

pub(crate) fn draft(content: &str) -> Draft {
    Draft {
        kind: Kind::Decision,
        ..Draft::new(content)
    }
}

/// Writes outside git, at a moment.
pub(crate) fn timed_scribe(ledger: &Ledger, recorded_at: i64) -> FactWriter<'_> {
    FactWriter::by_time(ledger, recorded_at, Author::default())
}

pub(crate) fn text(content: &str) -> Edit {
    Edit {
        content: Some(content.to_owned()),
        change: Change::Edit,
        ..Edit::default()
    }
}

pub(crate) fn version_of(facts: &[Fact]) -> String {
    let version = facts.iter().find(|fact| matches!(fact, Fact::Version(_)));
    version.expect("a version").id()
}

pub(crate) fn memo_of(facts: &[Fact]) -> String {
    let version = facts.iter().find(|fact| matches!(fact, Fact::Version(_)));
    version.and_then(Fact::memo).expect("a version").to_owned()
}

pub(crate) fn id(oid: Oid) -> CommitId {
    CommitId(oid.as_bytes().try_into().expect("twenty bytes"))
}

pub(crate) fn oid(commit: CommitId) -> Oid {
    Oid::from_bytes(&commit.0).expect("an id")
}

/// What of a world's memory seems to say the opposite of something else.
pub(crate) fn opposites(world: &World) -> Opposites {
    let ledger = world.memory.ledger();
    let mut words = WordIndex::new(tokenize);
    words.extend(ledger);
    let mut opposites = Opposites::default();
    opposites.extend(ledger, &words);
    opposites
}

/// Lower-case words.
pub(crate) fn tokenize(text: &str, each: &mut dyn FnMut(&str)) {
    for word in text
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        each(&word.to_lowercase());
    }
}
