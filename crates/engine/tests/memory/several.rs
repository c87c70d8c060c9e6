//! Memories of several repositories asked as one.

use crate::fixture::{Fixture, act, request};
use whyrank_engine::api::{
    MemoListRequest, MemoListResponse, MemoMark, MemoMoment, RecallRequest, RecallResponse, RepoId,
};

/// A second repository beside the fixture's own, with a commit.
fn depot(fixture: &Fixture) -> RepoId {
    let root = fixture.folder.path().join("depot");
    let git = git2::Repository::init(&root).expect("a repository");
    let tree = git
        .treebuilder(None)
        .expect("a tree")
        .write()
        .expect("written");
    let tree = git.find_tree(tree).expect("found");
    let who = git2::Signature::now("Ada", "ada@example.org").expect("a name");
    git.commit(Some("HEAD"), &who, &who, "first", &tree, &[])
        .expect("a commit");
    fixture.engine.add_repo(&root).expect("it is added").id
}

fn ask(fixture: &Fixture, repo: &RepoId, query: &str, moment: MemoMoment) -> RecallResponse {
    let request = RecallRequest {
        repo: repo.clone(),
        query: query.to_owned(),
        moment,
        ..RecallRequest::default()
    };
    fixture.engine.recall(&request).expect("it answers")
}

fn lines(response: &RecallResponse) -> Vec<(String, String)> {
    let memos = response.memos.iter().map(|one| &one.memo);
    let named = memos.map(|memo| {
        let repo = memo.repo.as_ref().expect("it has a repository");
        (repo.name.clone(), memo.content.clone())
    });
    named.collect()
}

fn line(repo: &str, content: &str) -> (String, String) {
    (repo.to_owned(), content.to_owned())
}

#[test]
fn memos_of_several_repositories_are_one_list_by_rank() {
    let fixture = Fixture::new();
    let (shop, depot) = (fixture.repo(), depot(&fixture));
    // In the shop `gateway` says nothing, over both it still says less than `jitter`.
    for text in [
        "Gateway one is slow",
        "Gateway two is slow",
        "Gateway three is slow",
    ] {
        fixture.remember(&shop, text, &[]);
    }
    fixture.remember(&shop, "Retries at the gateway have jitter", &[]);
    fixture.remember(&depot, "The gateway of the depot is closed on Sundays", &[]);
    fixture.remember(&depot, "Jitter of retries at the gateway is fixed", &[]);
    let both = RepoId::joined(&[depot.clone(), shop.clone()]);
    let found = ask(&fixture, &both, "gateway jitter", MemoMoment::default());
    assert_eq!((found.n_found, found.missing.len()), (6, 0));
    let found_lines = lines(&found);
    let mut first: Vec<_> = found_lines[..2].to_vec();
    first.sort();
    assert_eq!(
        first,
        [
            line("depot", "Jitter of retries at the gateway is fixed"),
            line("shop", "Retries at the gateway have jitter"),
        ]
    );
    let scores: Vec<f64> = found.memos.iter().map(|one| one.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    for one in &found.memos {
        let sum: f64 = one.terms.iter().map(|term| term.contribution).sum();
        assert!((sum - one.score).abs() < 1e-9, "{one:?}");
    }
    // Ranks are those of one list: no two memos share one.
    let of_words = |one: &whyrank_engine::api::RecalledMemo| {
        let term = one
            .terms
            .iter()
            .find(|term| term.channel.to_string() == "words");
        term.map(|term| term.rank)
    };
    let mut ranks: Vec<u32> = found.memos.iter().filter_map(of_words).collect();
    ranks.sort_unstable();
    assert_eq!(ranks, [1, 2, 3, 4, 5, 6]);
    assert_eq!(
        lines(&ask(
            &fixture,
            &both,
            "gateway jitter",
            MemoMoment::default()
        )),
        found_lines
    );
    let alone = ask(&fixture, &shop, "gateway jitter", MemoMoment::default());
    assert!(alone.memos.iter().all(|one| one.memo.repo.is_none()));
}

#[test]
fn a_repository_that_lacks_the_moment_is_named_and_the_others_answer() {
    let fixture = Fixture::new();
    let (shop, depot) = (fixture.repo(), depot(&fixture));
    fixture.remember(&shop, "Retries have jitter", &[]);
    fixture.remember(&depot, "Retries have none", &[]);
    fixture.branch("release");
    let both = RepoId::joined(&[shop.clone(), depot]);
    let at = |as_of: &str| MemoMoment {
        as_of: Some(as_of.to_owned()),
        known_at: None,
    };
    let found = ask(&fixture, &both, "retries", at("release"));
    assert_eq!(lines(&found), [line("shop", "Retries have jitter")]);
    let missing: Vec<&str> = found.missing.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(missing, ["depot"]);
    let request = RecallRequest {
        repo: both,
        moment: at("nowhere"),
        ..RecallRequest::default()
    };
    assert!(fixture.engine.recall(&request).is_err());
}

#[test]
fn a_list_of_several_is_paged_as_that_of_one() {
    let fixture = Fixture::new();
    let (shop, depot) = (fixture.repo(), depot(&fixture));
    let mut ids = Vec::new();
    for (at, repo) in [&shop, &depot, &shop, &depot].into_iter().enumerate() {
        ids.push(fixture.remember(repo, &format!("memo {at}"), &[]).memo.id);
    }
    let pinned = act(&shop, &ids[0]);
    fixture
        .engine
        .mark_memo(&pinned, &MemoMark::Pinned(true))
        .expect("it is pinned");
    let both = RepoId::joined(&[shop, depot.clone()]);
    let page = |offset: u32, limit: u32| -> MemoListResponse {
        let request = MemoListRequest {
            repo: both.clone(),
            offset,
            limit,
            ..MemoListRequest::default()
        };
        fixture.engine.memos(&request).expect("it answers")
    };
    let texts = |list: &MemoListResponse| -> Vec<String> {
        list.memos.iter().map(|memo| memo.content.clone()).collect()
    };
    let whole = page(0, 0);
    assert_eq!((whole.n_found, whole.n_total), (4, 4));
    assert_eq!(whole.memos[0].content, "memo 0");
    assert_eq!(whole.memos[1].repo.as_ref().expect("named").id, depot);
    let pages: Vec<String> = (0..4).flat_map(|at| texts(&page(at, 1))).collect();
    assert_eq!(pages, texts(&whole));
    assert!(page(9, 1).memos.is_empty());
    // A memo is written to one repository.
    let written = fixture.engine.remember(&request(&both, "to both", &[]));
    assert!(written.is_err());
}
