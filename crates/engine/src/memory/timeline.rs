//! Memory along both times: commits on one axis, moments of recording on the other.

use crate::Engine;
use crate::api::{
    MemoId, MemoMoment, MemoState, MemoTimeline, RepoId, TimelineBar, TimelineCommit,
};
use crate::error::Result;
use std::collections::{BTreeSet, HashMap};
use whyrank_memory::{AsOf, CommitHistory, History, Ledger, Snapshot, Validity, commit_moment};
use whyrank_source::CommitId;

/// Commits on the axis; where there are more, those without an event are thinned out.
const MAX_COMMITS: usize = 240;

impl Engine {
    /// Returns versions along the line of first parents that leads to a commit, as known at a
    /// moment: those of some memos, or of all where none is named.
    ///
    /// # Errors
    /// As [`Engine::recall`].
    pub fn memo_timeline(
        &self,
        repo: &RepoId,
        moment: &MemoMoment,
        memos: &[MemoId],
    ) -> Result<MemoTimeline> {
        self.with_memory(repo, |session| {
            let as_of = session.as_of(moment)?;
            // The axis is one of commits, memos or not.
            session.open.follow_history(session.place, as_of.commit)?;
            let ledger = session.open.memory.ledger();
            let mut timeline = MemoTimeline {
                commits: Vec::new(),
                places: Vec::new(),
                n_commits: 0,
                bars: Vec::new(),
                recorded: ledger.moments().into_iter().map(|at| at as f64).collect(),
            };
            let (Some(commit_history), Some(head)) = (&session.open.commit_history, as_of.commit)
            else {
                return Ok(timeline);
            };
            let events: BTreeSet<&str> = ledger.shas().iter().map(String::as_str).collect();
            let whole = first_parents(&commit_history.history, head);
            timeline.n_commits = whole.len() as u32;
            let places = thinned(&whole, &commit_history.history, &events);
            let line: Vec<u32> = places.iter().map(|place| whole[*place]).collect();
            let bars = stretches(ledger, commit_history, &line, as_of, memos);
            timeline.commits = line
                .iter()
                .filter_map(|at| commit_history.history.node(*at))
                .map(|node| TimelineCommit {
                    sha: node.id.to_string(),
                    at: node.time_s as f64 * 1000.0,
                    summary: node.summary.clone(),
                })
                .collect();
            timeline.places = places.into_iter().map(|place| place as u32).collect();
            timeline.bars = bars
                .into_iter()
                .map(|stretch| session.bar(as_of, stretch))
                .collect();
            Ok(timeline)
        })
    }
}

impl super::MemorySession<'_> {
    fn bar(&self, as_of: AsOf, stretch: Stretch) -> TimelineBar {
        let memo = self.shown(as_of, stretch.version, MemoState::Valid);
        let title = memo.content.lines().next().unwrap_or_default();
        TimelineBar {
            title: title.chars().take(120).collect(),
            memo: memo.id,
            version: memo.version,
            from: stretch.from,
            until: stretch.until,
            recorded_at: memo.recorded_at,
            invalidated_at: memo.invalidated_at,
            orphaned: stretch.orphaned,
        }
    }
}

/// Commits in a row at which a version answers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Stretch {
    version: u32,
    from: u32,
    until: Option<u32>,
    orphaned: bool,
}

/// For each version the stretches of commits at which it answers, by version.
fn stretches(
    ledger: &Ledger,
    commit_history: &CommitHistory,
    line: &[u32],
    as_of: AsOf,
    memos: &[MemoId],
) -> Vec<Stretch> {
    let mut open: HashMap<u32, Stretch> = HashMap::new();
    let mut ended = Vec::new();
    for (at, commit) in line.iter().enumerate() {
        let Some(node) = commit_history.history.node(*commit) else {
            continue;
        };
        let here = AsOf {
            commit: Some(node.id),
            time_ms: commit_moment(node.time_s) + 999,
            ..as_of
        };
        let Some(snapshot) = Snapshot::new(ledger, Some(commit_history), here) else {
            continue;
        };
        let mut seen = HashMap::new();
        let resolved_versions = match memos {
            [] => snapshot.resolved_versions(),
            some => some
                .iter()
                .filter_map(|memo| snapshot.resolved_version_of(memo))
                .collect(),
        };
        for resolved in resolved_versions {
            let known = open.remove(&resolved.version);
            let stretch = Stretch {
                version: resolved.version,
                from: known.map_or(at as u32, |known| known.from),
                until: None,
                orphaned: matches!(resolved.validity, Validity::Orphaned { .. }),
            };
            seen.insert(resolved.version, stretch);
        }
        ended.extend(open.into_values().map(|stretch| Stretch {
            until: Some(at as u32),
            ..stretch
        }));
        open = seen;
    }
    ended.extend(open.into_values());
    ended.sort_unstable();
    ended
}

/// The commits along first parents, oldest first.
fn first_parents(history: &History, head: CommitId) -> Vec<u32> {
    let mut line = Vec::new();
    let mut next = history.find(head);
    while let Some(at) = next {
        line.push(at);
        next = history.first_parent(at);
    }
    line.reverse();
    line
}

/// The places of as many commits as an axis takes: events and the last one stay.
fn thinned(line: &[u32], history: &History, events: &BTreeSet<&str>) -> Vec<usize> {
    if line.len() <= MAX_COMMITS {
        return (0..line.len()).collect();
    }
    let last = line.len() - 1;
    let is_event = |at: u32| {
        history
            .node(at)
            .is_some_and(|node| events.contains(node.id.to_string().as_str()))
    };
    let marked: Vec<bool> = line.iter().map(|at| is_event(*at)).collect();
    let n_events = marked.iter().filter(|is_event| **is_event).count();
    let every = line.len()
        / MAX_COMMITS
            .saturating_sub(n_events.min(MAX_COMMITS / 2))
            .max(1)
        + 1;
    let event_every = n_events / (MAX_COMMITS / 2) + 1;
    let mut n_seen = 0;
    let kept = (0..line.len()).filter(|place| {
        n_seen += usize::from(marked[*place]);
        let is_kept_event = marked[*place] && n_seen % event_every == 0;
        place % every == 0 || *place == last || is_kept_event
    });
    kept.collect()
}
