//! Exports as somebody would write them who wants memos here to go.

use crate::fixture::{World, draft, text, timed_scribe};
use crate::full_walk::Numbers;
use whyrank_memory::{
    AsOf, Author, Change, Closing, CommitFact, EndingAct, Endings, Fact, Field, Kind, Mark,
    MemoStatus, Memory, MemoryError, Point, Purge, Reason, Snapshot, Tier, Version,
};

const NOW_MS: i64 = 1_800_000_000_000;
const YEAR_MS: i64 = 366 * 24 * 3_600_000;

/// Exports tried; more by the variable.
const N_EXPORTS: u64 = 60;

impl Numbers {
    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn moment(&mut self) -> i64 {
        let moments = [
            0,
            1,
            NOW_MS - YEAR_MS,
            NOW_MS - 5,
            NOW_MS - 4,
            NOW_MS,
            NOW_MS + YEAR_MS,
        ];
        self.one_of(&moments)
    }

    fn point(&mut self) -> Point {
        let sha = [None, Some("a".repeat(40)), Some("b".repeat(40))];
        let sha = self.one_of(&sha);
        Point {
            sha,
            at: self.moment(),
        }
    }
}

/// Four memos that hold, one of them pinned and core, one edited, one in the place of another.
fn own() -> (tempfile::TempDir, Memory) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut memory = Memory::open(&folder.path().join("own.db")).expect("a memory");
    let mut write = |at: i64, act: &dyn Fn(&whyrank_memory::FactWriter<'_>) -> Vec<Fact>| {
        let facts = memory.write(NOW_MS - 100 + at, |ledger, recorded_at| {
            Ok(act(&timed_scribe(ledger, recorded_at)))
        });
        crate::fixture::memo_of(&facts.expect("it is recorded"))
    };
    let add = |content: &'static str| {
        move |writer: &whyrank_memory::FactWriter<'_>| writer.add(draft(content)).expect("a memo")
    };
    write(1, &add("plain"));
    let pinned = write(2, &add("pinned and core"));
    let edited = write(3, &add("first"));
    write(4, &|writer| {
        let of = writer.ledger.memo(&edited).expect("it is there");
        let facts = writer.edit(&edited, &of.versions, text("second"));
        facts.expect("an edit")
    });
    write(5, &|writer| {
        let old = writer
            .ledger
            .memo(&edited)
            .expect("it is there")
            .versions
            .clone();
        let mut facts = writer.add(draft("in its place")).expect("a memo");
        let by = crate::fixture::version_of(&facts);
        facts.extend(writer.end(&old[..1], Some(&by)));
        facts
    });
    for says in [Field::Tier(Tier::Core), Field::Pinned(true)] {
        let marked = memory.write(NOW_MS - 50, |ledger, recorded_at| {
            let writer = timed_scribe(ledger, recorded_at);
            Ok(vec![writer.mark(&pinned, says.clone())])
        });
        marked.expect("it is recorded");
    }
    (folder, memory)
}

fn versions_of(memory: &Memory) -> Vec<Version> {
    let facts = memory.ledger().facts().into_iter();
    let versions = facts.filter_map(|fact| match fact {
        Fact::Version(version) => Some(version),
        _ => None,
    });
    versions.collect()
}

/// Facts about memos that are here, that are brought along, and that there are not.
fn export(numbers: &mut Numbers, own: &Memory) -> String {
    let mut memos: Vec<String> = own.ledger().memos().map(|(id, _)| id.to_owned()).collect();
    memos.push("m0123456789".to_owned());
    let mut versions = versions_of(own);
    let n_facts = 1 + numbers.below(40);
    let facts = (0..n_facts).map(|_| {
        let fact = drawn(numbers, &memos, &versions);
        if let Fact::Version(version) = &fact {
            versions.push(version.clone());
        }
        fact.json() + "\n"
    });
    facts.collect()
}

fn drawn(numbers: &mut Numbers, memos: &[String], versions: &[Version]) -> Fact {
    let (memo, recorded_at) = (numbers.one_of(memos), numbers.moment());
    let author = Author {
        name: "mallory".to_owned(),
        ..Author::default()
    };
    let of = numbers.one_of(versions);
    let fact = match numbers.below(12) {
        0..3 => {
            let memo = numbers.one_of(&[of.memo.clone(), memo]);
            Fact::Version(Version {
                id: String::new(),
                memo,
                parents: vec![of.id.clone()],
                change: numbers.one_of(&[Change::Edit, Change::Add, Change::Resolve]),
                content: format!("forged {}", numbers.below(1000)),
                kind: Kind::Decision,
                tags: Vec::new(),
                anchors: Vec::new(),
                confidence: numbers.one_of(&[0.0, 1.0]),
                valid_from: numbers.point(),
                recorded_at,
                clock: None,
                author,
            })
        }
        3..8 => {
            let next = numbers.one_of(versions);
            let is_fitting = numbers.below(2) == 0;
            Fact::Closing(Closing {
                id: String::new(),
                version: numbers.one_of(&[of.id.clone(), "v0123456789ab".to_owned()]),
                memo: numbers.one_of(&[of.memo.clone(), of.memo, memo]),
                valid_until: if is_fitting {
                    next.valid_from
                } else {
                    numbers.point()
                },
                recorded_at: if is_fitting {
                    next.recorded_at
                } else {
                    recorded_at
                },
                reason: numbers.one_of(&[Reason::Edit, Reason::Supersede, Reason::Forget]),
                superseded_by: numbers.one_of(&[None, Some(next.id.clone()), Some(next.id)]),
                author,
            })
        }
        8 | 9 => Fact::Mark(Mark {
            id: String::new(),
            says: numbers.one_of(&[
                Field::Tier(Tier::Archive),
                Field::Tier(Tier::Normal),
                Field::Pinned(false),
                Field::Agrees(memo.clone()),
            ]),
            memo,
            recorded_at,
            author,
        }),
        10 => Fact::Purge(Purge {
            id: String::new(),
            memo,
            n_versions: 1,
            recorded_at,
            author,
        }),
        _ => Fact::Commit(CommitFact {
            sha: "a".repeat(40),
            twin: "0".repeat(16),
            kin: "0".repeat(16),
            at: recorded_at,
            summary: "forged".to_owned(),
            lineage: vec!["b".repeat(40)],
            recorded_at,
        }),
    };
    fact.sealed()
}

/// The memos that hold, with tier and pin.
fn standing(memory: &Memory, known_at: i64) -> Vec<(String, Tier, bool)> {
    let ledger = memory.ledger();
    let as_of = AsOf {
        commit: None,
        time_ms: NOW_MS,
        known_at,
    };
    let snapshot = Snapshot::new(ledger, None, as_of).expect("time decides");
    let holds = |id: &&str| matches!(snapshot.state(id), MemoStatus::Valid(_));
    let memos = ledger.memos().map(|(id, _)| id).filter(holds);
    memos
        .map(|id| {
            (
                id.to_owned(),
                ledger.tier(id, known_at),
                ledger.is_pinned(id, known_at),
            )
        })
        .collect()
}

#[test]
fn no_import_ends_demotes_or_unpins_what_is_here_unasked() {
    let n_exports = std::env::var("WHYRANK_EXPORTS")
        .ok()
        .and_then(|n| n.parse().ok());
    let (mut n_taken, mut n_left_out) = (0, 0);
    for seed in 0..n_exports.unwrap_or(N_EXPORTS) {
        let (folder, mut memory) = own();
        let text = export(&mut Numbers(seed), &memory);
        let before = [NOW_MS, i64::MAX].map(|known_at| standing(&memory, known_at));
        assert_eq!(before[0].len(), 4, "all hold");
        let imported = match memory.import(&text, NOW_MS + YEAR_MS, Endings::LeaveOut) {
            Ok(imported) => imported,
            Err(MemoryError::BadLine { .. }) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        n_taken += imported.n_added;
        n_left_out += imported.endings.len();
        for (known_at, before) in [NOW_MS, i64::MAX].into_iter().zip(before) {
            let after = standing(&memory, known_at);
            for (id, tier, is_pinned) in before {
                let now = after.iter().find(|(memo, ..)| *memo == id);
                let (_, now_tier, now_pinned) =
                    now.unwrap_or_else(|| panic!("seed {seed}: {id} is gone\n{text}"));
                let is_kept = *now_tier <= tier && (*now_pinned || !is_pinned);
                assert!(is_kept, "seed {seed}: {id} is further off\n{text}");
            }
        }
        drop(
            memory
                .import(&text, NOW_MS + YEAR_MS, Endings::TakeIn)
                .expect("it was asked for"),
        );
        let reopened = Memory::open(&folder.path().join("own.db")).expect("a memory");
        assert_eq!(reopened.ledger().export(), memory.ledger().export());
    }
    assert!(n_taken > 50 && n_left_out > 50, "{n_taken} {n_left_out}");
}

#[test]
fn what_somebody_forgot_is_named_and_left_out_until_it_is_asked_for() {
    let mut world = World::new();
    let here = world.commit("a", "0");
    let dear = world.add("dear to me");
    let shared = world.memory.ledger().export();
    let mut other = Memory::open(&world.folder.path().join("other.db")).expect("a memory");
    other
        .import(&shared, i64::MAX, Endings::LeaveOut)
        .expect("it is imported");
    std::mem::swap(&mut world.memory, &mut other);
    world.forget(&dear);
    world.add("another");
    let export = world.memory.ledger().export();
    std::mem::swap(&mut world.memory, &mut other);

    let imported = world
        .memory
        .import(&export, i64::MAX, Endings::LeaveOut)
        .expect("imported");
    assert_eq!(imported.n_added, 1, "the other memo");
    let named: Vec<_> = imported
        .endings
        .iter()
        .map(|one| (one.memo.as_str(), one.act))
        .collect();
    assert_eq!(named, [(dear.as_str(), EndingAct::Forgotten)]);
    assert_eq!(imported.endings[0].author.name, "ada");
    assert!(world.resolved(&dear, here).is_some());

    let imported = world
        .memory
        .import(&export, i64::MAX, Endings::TakeIn)
        .expect("imported");
    assert_eq!((imported.n_added, imported.endings.len()), (1, 1));
    assert!(world.resolved(&dear, here).is_none());
}

#[test]
fn an_edit_elsewhere_needs_no_yes_since_the_memo_still_holds() {
    let mut world = World::new();
    let here = world.commit("a", "0");
    let memo = world.add("v1");
    let mine = world.memory.ledger().export();
    world.edit(&memo, "v2");
    world.edit(&memo, "v3");
    let export = world.memory.ledger().export();
    let mut other = Memory::open(&world.folder.path().join("other.db")).expect("a memory");
    other
        .import(&mine, i64::MAX, Endings::LeaveOut)
        .expect("it is imported");
    std::mem::swap(&mut world.memory, &mut other);
    let imported = world
        .memory
        .import(&export, i64::MAX, Endings::LeaveOut)
        .expect("imported");
    assert_eq!((imported.n_edited, imported.endings.len()), (1, 0));
    assert_eq!(world.at(here), ["v3"]);
}

#[test]
fn memos_that_supersede_each_other_come_to_an_end() {
    let (_folder, mut memory) = own();
    let versions = versions_of(&memory);
    let end = |of: &Version, by: &Version| {
        let closing = Closing {
            id: String::new(),
            version: of.id.clone(),
            memo: of.memo.clone(),
            valid_until: Point {
                sha: None,
                at: NOW_MS,
            },
            recorded_at: NOW_MS,
            reason: Reason::Supersede,
            superseded_by: Some(by.id.clone()),
            author: Author::default(),
        };
        Fact::Closing(closing).sealed().json()
    };
    let circle = format!(
        "{}\n{}\n",
        end(&versions[0], &versions[1]),
        end(&versions[1], &versions[0])
    );
    let before = standing(&memory, i64::MAX);
    memory
        .import(&circle, NOW_MS, Endings::LeaveOut)
        .expect("it is imported");
    assert_eq!(standing(&memory, i64::MAX), before);
    memory
        .import(&circle, NOW_MS, Endings::TakeIn)
        .expect("it is imported");
    assert_eq!(standing(&memory, i64::MAX).len(), before.len() - 2);
}

#[test]
fn a_memo_takes_only_so_many_versions_and_marks_from_an_import() {
    let (_folder, mut memory) = own();
    let mark = |at: i64| {
        let mark = Mark {
            id: String::new(),
            memo: "m0123456789".to_owned(),
            says: Field::Pinned(at % 2 == 0),
            recorded_at: NOW_MS - at,
            author: Author::default(),
        };
        Fact::Mark(mark).sealed().json() + "\n"
    };
    let marks: String = (0..1001).map(mark).collect();
    let refused = memory.import(&marks, NOW_MS, Endings::TakeIn);
    let Err(MemoryError::BadLine { line, detail }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(
        (line, detail.as_str()),
        (1001, "m0123456789 has more than 1000 marks")
    );
}
