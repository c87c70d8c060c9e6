//! Memory as callers see it: repositories with branches, a folder without git, code that moves.

mod cost;
mod fixture;
mod following;
mod home;
#[path = "../../../../lab/src/memory/memos.rs"]
mod memos;
mod pages;
mod several;

use fixture::{CODE, Fixture, act, request};
use std::fs;
use std::path::Path;
use whyrank_engine::api::{
    AnchorPlace, AnchorTarget, ContextRequest, IndexOptions, LookupRequest, Memo, MemoEditRequest,
    MemoListRequest, MemoMark, MemoMoment, MemoTier, RecallRequest, RememberRequest, RepoId,
    SearchRequest,
};
use whyrank_engine::{Endings, Engine, EnginePaths};

#[test]
fn a_memo_is_recorded_recalled_edited_and_forgotten() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    let memo = fixture
        .remember(
            &repo,
            "Retries stop after three attempts",
            &["src/retry.py#next_delay"],
        )
        .memo;
    assert_eq!(
        (
            memo.state.as_str(),
            memo.anchors[0].start_line,
            memo.anchors[0].end_line
        ),
        ("valid", 1, 3)
    );
    assert_eq!(
        fixture.recalled(&repo, "how many attempts"),
        ["Retries stop after three attempts"]
    );
    let edit = MemoEditRequest {
        repo: repo.clone(),
        memo: memo.id[..6].into(),
        content: Some("Retries stop after five attempts".to_owned()),
        ..MemoEditRequest::default()
    };
    fixture.engine.edit_memo(&edit).expect("it is edited");
    let history = fixture
        .engine
        .memo_history(&repo, &memo.id)
        .expect("its history");
    assert_eq!(history.versions.len(), 2);
    assert!(
        history.versions[0]
            .diff
            .contains("+Retries stop after five"),
        "{}",
        history.versions[0].diff
    );
    let back = MemoEditRequest {
        revert_to: Some(memo.version.clone()),
        content: None,
        ..edit
    };
    let done = fixture.engine.edit_memo(&back).expect("it is reverted");
    assert_eq!(
        (done.memo.content.as_str(), done.memo.n_versions),
        ("Retries stop after three attempts", 3)
    );
    fixture
        .engine
        .forget_memo(&act(&repo, &memo.id))
        .expect("it is forgotten");
    assert!(fixture.recalled(&repo, "attempts").is_empty());
    let again = fixture
        .engine
        .forget_memo(&act(&repo, &memo.id))
        .expect_err("it holds no more");
    assert_eq!(again.code, "bad-argument");
}

#[test]
fn a_memo_of_a_branch_shows_on_main_only_as_of_the_branch() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.branch("feature");
    fixture.commit("on the branch");
    fixture.remember(&repo, "Retries use jitter", &[]);
    fixture.branch("main");
    assert!(fixture.recalled(&repo, "jitter").is_empty());
    let of = |moment: MemoMoment| {
        let request = MemoListRequest {
            repo: repo.clone(),
            moment,
            ..MemoListRequest::default()
        };
        fixture.engine.memos(&request).expect("a list").memos.len()
    };
    let as_of = |name: &str| MemoMoment {
        as_of: Some(name.to_owned()),
        known_at: None,
    };
    assert_eq!((of(as_of("feature")), of(as_of("main"))), (1, 0));
    let before = MemoMoment {
        as_of: Some("feature".to_owned()),
        known_at: Some("1h".to_owned()),
    };
    assert_eq!(of(before), 0);
    let error = fixture.engine.memos(&MemoListRequest {
        repo,
        moment: as_of("nowhere"),
        ..MemoListRequest::default()
    });
    assert_eq!(
        error.expect_err("there is no such commit").code,
        "unknown-revision"
    );
}

#[test]
fn a_search_shows_memos_that_speak_of_it_and_none_that_do_not_hold() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.index(&repo);
    let search = |query: &str| {
        let request = SearchRequest {
            repo: repo.clone(),
            query: query.to_owned(),
            distinct_files: true,
            ..SearchRequest::default()
        };
        let found = fixture.engine.search(&request).expect("it answers");
        found
            .memos
            .into_iter()
            .map(|memo| memo.content)
            .collect::<Vec<_>>()
    };
    let old = fixture
        .remember(&repo, "next_delay doubles", &["src/retry.py#next_delay"])
        .memo;
    fixture.remember(&repo, "The office has a red door", &[]);
    assert_eq!(search("next_delay"), ["next_delay doubles"]);
    let instead = RememberRequest {
        supersedes: Some(old.id),
        ..request(
            &repo,
            "next_delay is constant",
            &["src/retry.py#next_delay"],
        )
    };
    fixture.engine.remember(&instead).expect("it is recorded");
    assert_eq!(search("next_delay"), ["next_delay is constant"]);
    fixture.branch("feature");
    fixture.commit("on the branch");
    fixture.remember(
        &repo,
        "next_delay has jitter on the branch",
        &["src/retry.py#next_delay"],
    );
    fixture.branch("main");
    assert_eq!(search("next_delay"), ["next_delay is constant"]);
}

#[test]
fn code_that_changes_is_said_to_and_the_anchor_follows_it() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    let memo = fixture
        .remember(&repo, "The limit is three", &["src/retry.py:1-3"])
        .memo;
    assert_eq!(
        memo.anchors[0].symbol.as_deref(),
        Some("next_delay"),
        "a selection that is a definition has its name"
    );
    fixture.write("src/retry.py", &format!("import time\n\n{CODE}"));
    let show = || {
        fixture
            .engine
            .memo(&repo, &memo.id, &MemoMoment::default())
            .expect("the memo")
    };
    let moved = show();
    assert_eq!(
        (
            moved.drifted,
            moved.anchors[0].state.as_str(),
            moved.anchors[0].now.as_str()
        ),
        (false, "moved", "src/retry.py:3-5")
    );
    fixture.write(
        "src/retry.py",
        &format!("import time\n\n{}", CODE.replace("limit = 3", "limit = 5")),
    );
    fixture.index(&repo);
    let changed = show();
    assert!(
        changed.drifted && changed.anchors[0].diff.contains("+    limit = 5"),
        "{changed:?}"
    );
    let asked = RecallRequest {
        repo: repo.clone(),
        query: "limit".to_owned(),
        ..RecallRequest::default()
    };
    let asked = fixture.engine.recall(&asked).expect("it answers");
    let is_marked = |memo: &Memo| memo.notes.iter().any(|note| note.starts_with("drifted: "));
    assert!(
        asked.n_drifted == 1 && is_marked(&asked.memos[0].memo),
        "what changed under it is when a memo matters"
    );
    let lookup = LookupRequest {
        repo: repo.clone(),
        symbol: "next_delay".to_owned(),
        ..LookupRequest::default()
    };
    let found = fixture.engine.lookup(&lookup).expect("it answers");
    assert!(is_marked(&found.memos[0]), "{found:?}");
    let done = fixture
        .engine
        .reanchor_memo(&act(&repo, &memo.id))
        .expect("it follows");
    assert_eq!(
        (done.memo.drifted, done.memo.anchors[0].start_line),
        (false, 3)
    );
    assert_eq!(fixture.recalled(&repo, "limit").len(), 1);
    assert!(
        fixture.engine.reanchor_memo(&act(&repo, &memo.id)).is_err(),
        "nothing moved since"
    );
}

#[test]
fn context_and_lookup_show_the_memos_of_the_code_that_they_give() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.index(&repo);
    fixture.remember(&repo, "Red is the colour", &["src/retry.py#send"]);
    fixture.remember(&repo, "Blue is the colour", &["src/retry.py:2-3"]);
    fixture.remember(&repo, "Green is the colour", &["src/retry.py"]);
    fixture.remember(&repo, "The office has a door", &[]);
    let about = |symbol: &str| {
        let request = LookupRequest {
            repo: repo.clone(),
            symbol: symbol.to_owned(),
            ..LookupRequest::default()
        };
        let found = fixture.engine.lookup(&request).expect("it answers").memos;
        found
            .into_iter()
            .map(|memo| memo.content)
            .collect::<Vec<_>>()
    };
    assert_eq!(about("send"), ["Red is the colour"]);
    assert_eq!(about("next_delay"), ["Blue is the colour"], "its lines");
    // Three lines further down they still are.
    fixture.write("src/retry.py", &format!("import time\n\n\n{CODE}"));
    fixture.index(&repo);
    assert_eq!(about("next_delay"), ["Blue is the colour"]);
    let request = ContextRequest {
        repo: repo.clone(),
        task: "change how an order is sent".to_owned(),
        ..ContextRequest::default()
    };
    let found = fixture.engine.context(&request).expect("it answers");
    let mut texts: Vec<&str> = found
        .memos
        .iter()
        .map(|memo| memo.content.as_str())
        .collect();
    texts.sort_unstable();
    assert_eq!(
        texts,
        [
            "Blue is the colour",
            "Green is the colour",
            "Red is the colour"
        ],
        "{:?}",
        found.pieces
    );
}

#[test]
fn rebuilding_and_removing_the_index_never_touch_memory() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.index(&repo);
    fixture.remember(&repo, "kept", &[]);
    let options = IndexOptions {
        rebuild: true,
        skip_vectors: true,
        ..IndexOptions::default()
    };
    let job = fixture
        .engine
        .start_index(&repo, options)
        .expect("it starts");
    fixture.engine.wait_job(&job).expect("it ends");
    assert_eq!(fixture.recalled(&repo, "kept"), ["kept"]);
    fixture
        .engine
        .remove_repo(&repo, true)
        .expect("it is removed");
    let repo = fixture.repo();
    assert_eq!(fixture.recalled(&repo, "kept"), ["kept"]);
}

#[test]
fn two_engines_see_what_the_other_recorded() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    let other =
        Engine::open(EnginePaths::below(&fixture.folder.path().join("home"))).expect("it opens");
    assert!(fixture.recalled(&repo, "").is_empty());
    other
        .remember(&request(&repo, "from elsewhere", &[]))
        .expect("it is recorded");
    assert_eq!(fixture.recalled(&repo, ""), ["from elsewhere"]);
    fixture.commit("second");
    other
        .remember(&request(&repo, "at the second commit", &[]))
        .expect("it is recorded");
    assert_eq!(fixture.recalled(&repo, "second"), ["at the second commit"]);
}

#[test]
fn a_folder_without_git_has_memory_by_time_alone() {
    let fixture = Fixture::new();
    let folder = fixture.folder.path().join("notes");
    fs::create_dir_all(folder.join("deep")).expect("a folder");
    fs::write(folder.join("plan.md"), "# Plan\n").expect("a file");
    let repo = RepoId::from(&*folder.to_string_lossy());
    let old = fixture.remember(&repo, "Ship on Monday", &["plan.md"]).memo;
    assert_eq!(old.valid_from_sha, None);
    let instead = RememberRequest {
        supersedes: Some(old.id),
        ..request(&repo, "Ship on Tuesday", &[])
    };
    fixture.engine.remember(&instead).expect("it is recorded");
    assert_eq!(fixture.recalled(&repo, "ship"), ["Ship on Tuesday"]);
    let below = RepoId::from(&*folder.join("deep").to_string_lossy());
    assert_eq!(
        fixture.recalled(&below, "ship"),
        ["Ship on Tuesday"],
        "a folder below shares it"
    );
    let moment = MemoMoment {
        as_of: Some("HEAD".to_owned()),
        known_at: None,
    };
    let asked = fixture.engine.recall(&RecallRequest {
        repo,
        moment,
        ..RecallRequest::default()
    });
    assert_eq!(asked.expect_err("there is no commit").code, "bad-argument");
}

#[test]
fn what_is_chosen_is_linked_by_its_parts_whatever_its_names_look_like() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    let text = "class A:\n    def run(self):\n        return 1\n\n\nclass A:\n    def run(self):\n        return 2\n";
    fixture.write("src/a#b:7.py", text);
    fixture.index(&repo);
    let linked = |place: AnchorPlace| {
        let mut request = request(&repo, "x", &[]);
        request.anchors = vec![AnchorTarget::Place(place)];
        let done = fixture.engine.remember(&request).expect("it is there");
        let anchor = &done.memo.anchors[0];
        (anchor.symbol.clone(), anchor.start_line, anchor.end_line)
    };
    let path = || "src/a#b:7.py".to_owned();
    let of_line = |line| AnchorPlace {
        path: path(),
        symbol: Some("A.run".to_owned()),
        start_line: line,
        end_line: line,
    };
    let run = Some("A.run".to_owned());
    assert_eq!(linked(of_line(2)), (run.clone(), 2, 3));
    assert_eq!(linked(of_line(7)), (run, 7, 8));
    let whole = AnchorPlace {
        path: path(),
        ..AnchorPlace::default()
    };
    assert_eq!(linked(whole), (None, 0, 0));
}

#[test]
fn what_is_written_is_found_before_there_is_a_memo() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    let found = fixture.engine.anchor_place(&repo, "src/retry.py:1-2");
    let found = found.expect("it is there");
    assert_eq!(
        (found.path.as_str(), found.start_line, found.end_line),
        ("src/retry.py", 1, 2)
    );
    let error = fixture
        .engine
        .anchor_place(&repo, "src/none.py")
        .expect_err("it is not");
    assert_eq!(error.code, "bad-argument");
}

#[test]
fn bad_anchors_and_fields_are_refused_with_a_hint() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    let key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n";
    fixture.write("config/app.pem", key);
    for anchor in [
        "../secret",
        "config/app.pem:2",
        "/etc/passwd",
        "src/none.py",
        "src/retry.py:90-99",
        "src/retry.py#nothing",
        "src/retry.py:3-1",
    ] {
        let error = fixture
            .engine
            .remember(&request(&repo, "x", &[anchor]))
            .expect_err(anchor);
        assert_eq!(error.code, "bad-argument", "{anchor}: {error}");
        assert!(!error.hint.is_empty(), "{anchor}: {error}");
    }
    let odd = RememberRequest {
        kind: "rumour".to_owned(),
        ..request(&repo, "x", &[])
    };
    assert!(
        fixture
            .engine
            .remember(&odd)
            .expect_err("no kind")
            .hint
            .contains("decision")
    );
    let large = fixture
        .engine
        .remember(&request(&repo, &"x".repeat(1 << 20), &[]))
        .expect_err("too large");
    assert!(large.message.contains("65536"), "{large}");
}

#[test]
fn pins_tiers_conflicts_and_the_session_primer() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    let always = fixture
        .remember(&repo, "Always retry failed uploads", &[])
        .memo;
    let done = fixture.remember(&repo, "Never retry failed uploads", &[]);
    assert_eq!(done.conflicts.len(), 1, "the writer is told at once");
    fixture
        .engine
        .mark_memo(&act(&repo, &always.id), &MemoMark::Pinned(true))
        .expect("pinned");
    fixture
        .engine
        .mark_memo(&act(&repo, &done.memo.id), &MemoMark::Tier(MemoTier::Core))
        .expect("core");
    let primer = fixture.engine.wakeup(&repo).expect("a primer");
    let texts: Vec<&str> = primer
        .memos
        .iter()
        .map(|memo| memo.content.as_str())
        .collect();
    assert_eq!(
        texts,
        ["Always retry failed uploads", "Never retry failed uploads"]
    );
    assert_eq!((primer.n_conflicts, primer.commits.len()), (1, 1));
    let timeline = fixture
        .engine
        .memo_timeline(&repo, &MemoMoment::default(), &[])
        .expect("a timeline");
    assert_eq!((timeline.commits.len(), timeline.bars.len()), (1, 2));
    fixture
        .engine
        .mark_memo(&act(&repo, &always.id), &MemoMark::Agrees(done.memo.id))
        .expect("they agree");
    assert!(
        fixture
            .engine
            .memo_conflicts(&repo, &MemoMoment::default())
            .expect("a list")
            .is_empty()
    );
}

#[test]
fn a_purge_leaves_nothing_and_an_export_comes_back() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.remember(&repo, "kept", &["src/retry.py"]);
    let export = fixture.engine.export_memos(&repo).expect("an export");
    assert!(export.damaged.is_empty());
    let other = Fixture::new();
    let there = other.repo();
    let imported = other
        .engine
        .import_memos(&there, &export.text, Endings::TakeIn)
        .expect("it is imported");
    assert_eq!(imported.n_added, export.n_facts);
    assert_eq!(
        other.engine.export_memos(&there).expect("an export").text,
        export.text
    );
    let memo = fixture.remember(&repo, "hunter2", &[]).memo;
    assert_eq!(
        fixture
            .engine
            .purge_memo(&act(&repo, &memo.id))
            .expect("it is gone"),
        1
    );
    assert!(!holds(&fixture.folder.path().join("home"), b"hunter2"));
}

fn holds(folder: &Path, bytes: &[u8]) -> bool {
    let entries = fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| entry.expect("an entry").path())
        .any(|path| {
            if path.is_dir() {
                holds(&path, bytes)
            } else {
                fs::read(path)
                    .expect("a file")
                    .windows(bytes.len())
                    .any(|window| window == bytes)
            }
        })
}

#[test]
fn code_of_a_renamed_file_is_followed_before_the_index_is() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.write("src/other.py", "def next_delay():\n    return []\n");
    fixture.commit("another of the name");
    fixture.index(&repo);
    let memo = fixture
        .remember(&repo, "The limit is three", &["src/retry.py#next_delay"])
        .memo;
    let show = || {
        let shown = fixture
            .engine
            .memo(&repo, &memo.id, &MemoMoment::default())
            .expect("the memo");
        let anchor = &shown.anchors[0];
        let note = shown.notes.join("; ");
        (anchor.state.as_str().to_owned(), anchor.now.clone(), note)
    };
    let rename = |from: &str, to: &str| {
        std::fs::rename(fixture.root().join(from), fixture.root().join(to)).expect("moved");
    };
    rename("src/retry.py", "src/again.py");
    fixture.commit("moved");
    let (state, now, _) = show();
    assert_eq!((&state[..], &now[..]), ("moved", "src/again.py:1-3"));
    rename("src/again.py", "src/once.py");
    fixture.write("src/once.py", &CODE.replace("limit = 3", "limit = 5"));
    fixture.commit("moved and edited");
    let (state, now, note) = show();
    assert_eq!((&state[..], &now[..]), ("changed", "src/once.py:1-3"));
    assert!(
        note.starts_with("drifted: src/retry.py changed (now src/once.py:1-3)"),
        "{note}"
    );
}
