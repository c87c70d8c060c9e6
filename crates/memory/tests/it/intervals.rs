//! For one memo never more than one version holds, at no commit and at no moment.

use crate::fixture::{World, draft, text};
use proptest::prelude::*;
use whyrank_memory::{AsOf, Snapshot};
use whyrank_source::CommitId;

#[derive(Clone, Debug)]
enum Step {
    Commit,
    Branch(u8),
    Merge(u8),
    Add,
    Edit(u8),
    Supersede(u8),
    Forget(u8),
    Detach(u8),
}

fn steps(branches: bool) -> impl Strategy<Value = Vec<Step>> {
    let linear = prop_oneof![
        3 => Just(Step::Commit),
        2 => Just(Step::Add),
        4 => any::<u8>().prop_map(Step::Edit),
        1 => any::<u8>().prop_map(Step::Supersede),
        1 => any::<u8>().prop_map(Step::Forget),
    ];
    let any_step = if branches {
        prop_oneof![
            6 => linear,
            1 => any::<u8>().prop_map(|n| Step::Branch(n % 3)),
            1 => any::<u8>().prop_map(|n| Step::Merge(n % 3)),
            1 => any::<u8>().prop_map(Step::Detach),
        ]
        .boxed()
    } else {
        linear.boxed()
    };
    prop::collection::vec(any_step, 1..24)
}

/// Plays the steps; the commits and memos that there are then.
fn play(steps: &[Step]) -> (World, Vec<CommitId>, Vec<String>) {
    let mut world = World::new();
    let mut commits = vec![world.commit("f0", "0")];
    let mut memos: Vec<String> = Vec::new();
    let mut branch = "main".to_owned();
    for (n, step) in steps.iter().enumerate() {
        let pick = |at: &u8| memos.get(*at as usize % memos.len().max(1)).cloned();
        match step {
            Step::Commit => commits.push(world.commit(&format!("f{n}"), "1")),
            Step::Branch(at) => {
                branch = format!("b{at}");
                world.branch(&branch);
            }
            Step::Merge(at) => {
                let other = format!("refs/heads/b{at}");
                let other = world
                    .git
                    .find_reference(&other)
                    .ok()
                    .and_then(|found| found.target());
                if let Some(other) = other {
                    commits.push(world.merge(crate::fixture::id(other)));
                }
            }
            Step::Detach(at) => world.detach(commits[*at as usize % commits.len()]),
            Step::Add => memos.push(world.add(&format!("memo {n}"))),
            Step::Edit(at) => {
                if let Some(memo) = pick(at) {
                    world.edit(&memo, &format!("edit {n}"));
                }
            }
            Step::Supersede(at) => {
                let Some(memo) = pick(at) else { continue };
                let facts = world.write(|writer, snapshot| {
                    let holding = snapshot.holding(&memo)?;
                    let mut facts = writer.add(draft(&format!("instead {n}")))?;
                    let by = crate::fixture::version_of(&facts);
                    facts.extend(writer.end(&holding, Some(&by)));
                    Ok(facts)
                });
                memos.extend(facts.ok().map(|facts| crate::fixture::memo_of(&facts)));
            }
            Step::Forget(at) => {
                if let Some(memo) = pick(at) {
                    // One that does not hold here cannot be forgotten here.
                    let _ = world
                        .write(|writer, snapshot| Ok(writer.end(&snapshot.holding(&memo)?, None)));
                }
            }
        }
    }
    let _ = (branch, text("unused"));
    (world, commits, memos)
}

/// Every commit at every moment at which something was recorded.
fn each_view(world: &World, commits: &[CommitId], mut look: impl FnMut(&Snapshot<'_>)) {
    let commit_history = world.commit_history();
    let ledger = world.memory.ledger();
    let moments: Vec<i64> = ledger
        .facts()
        .iter()
        .map(whyrank_memory::Fact::recorded_at)
        .collect();
    for commit in commits {
        for known_at in moments.iter().copied().chain([i64::MAX]) {
            let as_of = AsOf {
                commit: Some(*commit),
                time_ms: world.now_ms,
                known_at,
            };
            // A detached commit that was left and never pinned is not in the history.
            if let Some(snapshot) = Snapshot::new(ledger, Some(&commit_history), as_of) {
                look(&snapshot);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_one_line_of_commits_intervals_never_overlap(steps in steps(false)) {
        let (world, commits, _) = play(&steps);
        each_view(&world, &commits, |snapshot| {
            for resolved in snapshot.resolved_versions() {
                assert!(resolved.contested.is_empty(), "{steps:?}");
            }
        });
    }

    #[test]
    fn on_branches_one_version_answers_and_the_others_are_conflicts(steps in steps(true)) {
        let (world, commits, memos) = play(&steps);
        let opposites = crate::fixture::opposites(&world);
        each_view(&world, &commits, |snapshot| {
            let resolved_versions = snapshot.resolved_versions();
            assert!(resolved_versions.len() <= memos.len());
            let n_contested = resolved_versions.iter().filter(|one| !one.contested.is_empty()).count();
            let listed = snapshot.conflicts(&opposites).into_iter();
            let listed = listed.filter(|one| one.kind == whyrank_memory::ConflictKind::Writers);
            assert_eq!(listed.count(), n_contested, "{steps:?}");
        });
    }
}
