//! A repository, an engine with a home of its own, and what tests ask of them.

use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use whyrank_engine::api::{
    IndexOptions, JobState, MemoActRequest, MemoDone, MemoId, RecallRequest, RememberRequest,
    RepoId,
};
use whyrank_engine::{Endings, Engine, EnginePaths};

pub(crate) const CODE: &str = "def next_delay(attempt):\n    limit = 3\n    return min(attempt, limit)\n\n\ndef send(order):\n    return next_delay(order)\n";

pub(crate) struct Fixture {
    pub(crate) folder: TempDir,
    pub(crate) engine: Engine,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let engine =
            Engine::open(EnginePaths::below(&folder.path().join("home"))).expect("it opens");
        let fixture = Self { folder, engine };
        let mut options = git2::RepositoryInitOptions::new();
        options.initial_head("main");
        git2::Repository::init_opts(fixture.root(), &options).expect("a repository");
        fixture.write("src/retry.py", CODE);
        fixture.commit("first");
        fixture
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    pub(crate) fn repo(&self) -> RepoId {
        self.engine.add_repo(&self.root()).expect("it is added").id
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        fs::write(path, text).expect("it is written");
    }

    pub(crate) fn commit(&self, message: &str) -> String {
        let git = git2::Repository::open(self.root()).expect("a repository");
        let mut index = git.index().expect("an index");
        index
            .add_all(["*"], git2::IndexAddOption::DEFAULT, None)
            .expect("staged");
        index.update_all(["*"], None).expect("staged");
        index.write().expect("written");
        let tree = git
            .find_tree(index.write_tree().expect("a tree"))
            .expect("a tree");
        let who =
            git2::Signature::new("Ada", "ada@example.org", &git2::Time::new(1_700_000_000, 0))
                .expect("a name");
        let parent = git.head().ok().and_then(|head| head.peel_to_commit().ok());
        let parents: Vec<_> = parent.iter().collect();
        git.commit(Some("HEAD"), &who, &who, message, &tree, &parents)
            .expect("a commit")
            .to_string()
    }

    pub(crate) fn branch(&self, name: &str) {
        let git = git2::Repository::open(self.root()).expect("a repository");
        let reference = format!("refs/heads/{name}");
        if git.find_reference(&reference).is_err() {
            let head = git.head().expect("HEAD").target().expect("a commit");
            git.reference(&reference, head, false, "")
                .expect("a branch");
        }
        git.set_head(&reference).expect("HEAD");
    }

    pub(crate) fn index(&self, repo: &RepoId) {
        let options = IndexOptions {
            skip_vectors: true,
            ..IndexOptions::default()
        };
        let job = self.engine.start_index(repo, options).expect("it starts");
        assert_eq!(
            self.engine.wait_job(&job).expect("it ends").state,
            JobState::Done
        );
    }

    pub(crate) fn remember(&self, repo: &RepoId, content: &str, anchors: &[&str]) -> MemoDone {
        self.engine
            .remember(&request(repo, content, anchors))
            .expect("it is recorded")
    }

    /// Makes memos over the repository's history; returns how many facts they are.
    pub(crate) fn make_memos(&self, repo: &RepoId, n_memos: u32) -> u32 {
        let made = crate::memos::export(&self.root(), n_memos).expect("they are made");
        let imported = self.engine.import_memos(repo, &made, Endings::TakeIn);
        imported.expect("they are recorded").n_added
    }

    pub(crate) fn recalled(&self, repo: &RepoId, query: &str) -> Vec<String> {
        let request = RecallRequest {
            repo: repo.to_owned(),
            query: query.to_owned(),
            ..RecallRequest::default()
        };
        let found = self.engine.recall(&request).expect("it answers").memos;
        found.into_iter().map(|one| one.memo.content).collect()
    }
}

pub(crate) fn request(repo: &RepoId, content: &str, anchors: &[&str]) -> RememberRequest {
    RememberRequest {
        repo: repo.to_owned(),
        content: content.to_owned(),
        kind: "decision".to_owned(),
        anchors: anchors
            .iter()
            .map(|text| (*text).to_owned().into())
            .collect(),
        ..RememberRequest::default()
    }
}

pub(crate) fn act(repo: &RepoId, memo: &MemoId) -> MemoActRequest {
    MemoActRequest {
        repo: repo.to_owned(),
        memo: memo.to_owned(),
        ..MemoActRequest::default()
    }
}
