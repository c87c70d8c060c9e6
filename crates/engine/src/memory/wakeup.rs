//! What a session begins with: what must not be forgotten, and what has happened.

use super::commands::short;
use crate::Engine;
use crate::api::{MemoMoment, MemoState, RepoId, TimelineCommit, WakeupResponse};
use crate::error::Result;
use whyrank_memory::{Kind, Query, Tier};
use whyrank_source::Head;

const MAX_MEMOS: usize = 24;
const N_COMMITS: usize = 5;

impl Engine {
    /// Returns pinned and core memos, open todos, then the newest; and the newest commits.
    ///
    /// # Errors
    /// As [`Engine::recall`].
    pub fn wakeup(&self, repo: &RepoId) -> Result<WakeupResponse> {
        self.with_memory(repo, |session| {
            let as_of = session.as_of(&MemoMoment::default())?;
            let snapshot = session.snapshot(as_of)?;
            let ledger = session.open.memory.ledger();
            let found = snapshot.recall(&session.open.words, &Query::default());
            let mut ranked: Vec<(u32, usize, u32)> = found
                .iter()
                .enumerate()
                .filter_map(|(rank, one)| {
                    let version = ledger.version(one.resolved.version)?;
                    let is_core = ledger.tier(&version.memo, as_of.known_at) == Tier::Core;
                    let class = match (
                        ledger.is_pinned(&version.memo, as_of.known_at),
                        is_core,
                        version.kind,
                    ) {
                        (true, _, _) => 0,
                        (_, true, _) => 1,
                        (_, _, Kind::Todo) => 2,
                        _ => 3,
                    };
                    Some((class, rank, one.resolved.version))
                })
                .collect();
            ranked.sort_unstable();
            let code = session.code_at(as_of);
            let mut memos = Vec::new();
            for (_, rank, version) in ranked.into_iter().take(MAX_MEMOS) {
                let mut memo = session.shown(as_of, version, MemoState::Valid);
                session.describe(&mut memo, &found[rank].resolved);
                if !memo.anchors.is_empty() {
                    session.compare(&mut memo, &code);
                }
                memos.push(memo);
            }
            Ok(WakeupResponse {
                title: session.title(),
                memos,
                commits: session.newest_commits(),
                n_conflicts: session.open.conflicts(&snapshot).len() as u32,
                n_memos: snapshot.resolved_versions().len() as u32,
                notes: session.notes(),
            })
        })
    }
}

impl super::MemorySession<'_> {
    fn title(&self) -> String {
        let name = crate::paths::folder_name(&self.place.root);
        match self
            .place
            .repository
            .as_ref()
            .map(whyrank_source::Repository::head)
        {
            Some(Ok(Head::Branch { branch, commit })) => {
                format!("{name} on {branch} at {}", short(commit))
            }
            Some(Ok(Head::Detached { commit })) => format!("{name} at {}", short(commit)),
            Some(Ok(Head::Unborn { branch })) => format!("{name} on {branch}, no commit yet"),
            _ => name,
        }
    }

    fn newest_commits(&self) -> Vec<TimelineCommit> {
        let Some(repository) = &self.place.repository else {
            return Vec::new();
        };
        let newest = repository.newest_commits(N_COMMITS);
        let commits = newest.into_iter().map(|node| TimelineCommit {
            sha: node.id.to_string(),
            at: node.time_s as f64 * 1000.0,
            summary: node.summary,
        });
        commits.collect()
    }
}
