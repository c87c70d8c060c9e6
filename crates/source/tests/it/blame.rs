//! Lines go back to the commits that brought them.

use crate::fixture::Fixture;
use whyrank_source::{Blame, CommitId};

fn by_line(blame: &Blame) -> Vec<Option<CommitId>> {
    let lines = blame.lines.iter();
    lines
        .flat_map(|one| vec![one.commit; one.n_lines as usize])
        .collect()
}

#[test]
fn lines_go_back_through_edits_and_renames_and_what_is_not_committed_has_nobody() {
    let fixture = Fixture::with_files(&[("a.txt", "one\ntwo\nthree\nfour\nfive\n")]);
    let first = fixture.commit("first");
    fixture.write("a.txt", "one\nTWO\nthree\nfour\nfive\n");
    let second = fixture.commit("second");
    std::fs::remove_file(fixture.path("a.txt")).expect("it goes");
    fixture.write("b.txt", "zero\none\nTWO\nthree\nfive\n");
    let third = fixture.commit("third");
    let text = b"zero\none\nTWO\nnew\nthree\nfive\nlast";
    let blame = fixture
        .open()
        .blame(third, "b.txt", text, &|| false)
        .expect("a blame");
    let expected = [
        Some(third),
        Some(first),
        Some(second),
        None,
        Some(first),
        Some(first),
        None,
    ];
    assert_eq!(by_line(&blame), expected);
    assert_eq!(blame.unreached, []);
    let unknown = fixture
        .open()
        .blame(third, "c.txt", b"x\ny\n", &|| false)
        .expect("a blame");
    assert_eq!(by_line(&unknown), [None, None]);
}

#[test]
fn a_walk_that_is_stopped_names_the_lines_that_it_did_not_reach() {
    let fixture = Fixture::with_files(&[("a.txt", "one\ntwo\n")]);
    let first = fixture.commit("first");
    let blame = fixture
        .open()
        .blame(first, "a.txt", b"one\ntwo\nnew\n", &|| true)
        .expect("a blame");
    assert_eq!(by_line(&blame), [None]);
    assert_eq!(blame.unreached, [(1, 2)]);
}

#[test]
fn a_permalink_leads_to_a_commit_that_the_remote_is_known_to_have() {
    let fixture = Fixture::with_files(&[("a.txt", "one\n")]);
    let pushed = fixture.commit("pushed");
    let repository = fixture.open();
    assert_eq!(repository.remote(), None);
    let url = "https://me:secret@gitlab.example.org/o/r.git";
    fixture.git.remote("origin", url).expect("a remote");
    let remote = repository.remote().expect("it is there");
    assert_eq!(
        (remote.name.as_str(), remote.host.as_str()),
        ("origin", "gitlab.example.org")
    );
    assert_eq!(
        repository
            .newest_at("origin", pushed)
            .expect("it is looked up"),
        None
    );
    let oid = git2::Oid::from_bytes(&pushed.0).expect("an id");
    let named = fixture
        .git
        .reference("refs/remotes/origin/main", oid, true, "fetch");
    named.expect("a branch");
    fixture.write("a.txt", "one\ntwo\n");
    let ahead = fixture.commit("ahead");
    for commit in [pushed, ahead] {
        let newest = repository
            .newest_at("origin", commit)
            .expect("it is looked up");
        assert_eq!(newest, Some(pushed));
    }
    let link = remote
        .forge
        .expect("a forge")
        .permalink(pushed, "a.txt", (1, 1));
    assert_eq!(
        link,
        format!("https://gitlab.example.org/o/r/-/blob/{pushed}/a.txt#L1")
    );
}
