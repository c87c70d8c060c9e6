//! Many memos: every one is reached page by page, and the timeline shows those that are asked for.

use crate::fixture::Fixture;
use std::collections::HashSet;
use whyrank_engine::api::{
    MemoId, MemoListRequest, MemoListResponse, MemoMark, MemoMoment, RepoId,
};

const N_MEMOS: u32 = 250;

fn page(fixture: &Fixture, repo: &RepoId, state: &str, offset: u32) -> MemoListResponse {
    let request = MemoListRequest {
        repo: repo.to_owned(),
        state: state.to_owned(),
        limit: 100,
        offset,
        ..MemoListRequest::default()
    };
    fixture.engine.memos(&request).expect("a page")
}

/// The ids of all pages, and how many were said to be there.
fn all(fixture: &Fixture, repo: &RepoId, state: &str) -> (Vec<MemoId>, u32) {
    let mut ids = Vec::new();
    loop {
        let page = page(fixture, repo, state, ids.len() as u32);
        if page.memos.is_empty() {
            return (ids, page.n_found);
        }
        ids.extend(page.memos.into_iter().map(|memo| memo.id));
    }
}

#[test]
fn every_memo_is_reached_page_by_page_once() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.commit("second");
    fixture.make_memos(&repo, N_MEMOS);
    for state in ["all", "valid", "superseded", "forgotten"] {
        let (ids, n_found) = all(&fixture, &repo, state);
        let unique: HashSet<&MemoId> = ids.iter().collect();
        assert_eq!(
            (unique.len(), n_found as usize),
            (ids.len(), ids.len()),
            "{state}"
        );
    }
    assert_eq!(all(&fixture, &repo, "all").0.len(), N_MEMOS as usize);
    let one = page(&fixture, &repo, "valid", 0).memos[0].id.clone();
    fixture
        .engine
        .mark_memo(&crate::fixture::act(&repo, &one), &MemoMark::Pinned(true))
        .expect("it is pinned");
    assert_eq!(all(&fixture, &repo, "pinned"), (vec![one], 1));
    // States that show only when a memo is looked at have pages as well.
    std::fs::remove_file(fixture.root().join("src/retry.py")).expect("its code goes");
    let (drifted, n_found) = all(&fixture, &repo, "drifted");
    assert!(drifted.len() > 20, "{} drifted", drifted.len());
    assert_eq!(drifted.len(), n_found as usize);
}

#[test]
fn the_timeline_of_some_memos_is_that_of_all_cut_down() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    for n in 0..4 {
        fixture.write("src/other.py", &format!("n = {n}\n"));
        fixture.commit(&format!("commit {n}"));
    }
    fixture.make_memos(&repo, N_MEMOS);
    let moment = MemoMoment::default();
    let timeline = |memos: &[MemoId]| {
        let timeline = fixture.engine.memo_timeline(&repo, &moment, memos);
        timeline.expect("a timeline")
    };
    let some: Vec<MemoId> = page(&fixture, &repo, "all", 50)
        .memos
        .into_iter()
        .map(|memo| memo.id)
        .collect();
    let (all, cut) = (timeline(&[]), timeline(&some));
    assert_eq!(all.commits, cut.commits);
    let mut expected = all.bars;
    expected.retain(|bar| some.contains(&bar.memo));
    assert_eq!(expected, cut.bars);
    assert!(!cut.bars.is_empty());
}
