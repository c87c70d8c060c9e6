//! Several memories asked as one: which can be asked, and one list of what each has.

use super::MemorySession;
use crate::Engine;
use crate::api::{
    Memo, MemoConflict, MemoId, MemoListRequest, MemoListResponse, MemoMoment, MissingRepo,
    RecallRequest, RepoId, RepoName,
};
use crate::error::{EngineError, Result};

/// The memories that a question is asked of.
pub(super) struct AskedMemories {
    /// Their repositories, by name.
    pub(super) repos: Vec<RepoName>,
    /// Those that cannot be asked.
    pub(super) missing: Vec<MissingRepo>,
}

impl AskedMemories {
    pub(super) fn ids(&self) -> Vec<RepoId> {
        self.repos.iter().map(|repo| repo.id.clone()).collect()
    }

    pub(super) fn named(&self, id: &RepoId) -> Option<&RepoName> {
        self.repos.iter().find(|repo| repo.id == *id)
    }

    /// The repository whose memory a session has open.
    pub(super) fn of(&self, session: &MemorySession<'_>) -> Option<&RepoName> {
        self.named(session.repo)
    }
}

impl Engine {
    /// Returns the memories of a joined id that can be asked about a moment, or `None` for the id of one
    /// repository.
    ///
    /// # Errors
    /// The first memory's, where none can be asked.
    pub(super) fn asked_memories(
        &self,
        repo: &RepoId,
        moment: &MemoMoment,
    ) -> Result<Option<AskedMemories>> {
        let Some(ids) = repo.several() else {
            return Ok(None);
        };
        let (mut repos, mut missing, mut first_error) = (Vec::new(), Vec::new(), None);
        for (name, repo) in self.named_repos(&ids)? {
            // A commit that one of them lacks is no reason for the others to be silent.
            match self.with_memory(&repo.id, |session| session.as_of(moment)) {
                Ok(_) => repos.push(RepoName { id: repo.id, name }),
                Err(error) => {
                    let why = error.message.clone();
                    missing.push(MissingRepo { name, why });
                    first_error.get_or_insert(error);
                }
            }
        }
        match first_error {
            Some(error) if repos.is_empty() => Err(error),
            _ => Ok(Some(AskedMemories { repos, missing })),
        }
    }

    /// Memos of several by their state, each with its repository, in the order of one.
    pub(super) fn memos_of_several(
        &self,
        request: &MemoListRequest,
        asked: AskedMemories,
    ) -> Result<MemoListResponse> {
        let mut all = MemoListResponse {
            missing: asked.missing,
            ..MemoListResponse::default()
        };
        let mut moments = Vec::new();
        for repo in &asked.repos {
            let one = self.memos(&MemoListRequest {
                repo: repo.id.clone(),
                limit: match request.limit {
                    0 => 0,
                    limit => request.offset.saturating_add(limit),
                },
                offset: 0,
                ..request.clone()
            })?;
            let memos = one.memos.into_iter();
            all.memos.extend(memos.map(|memo| of_repo(memo, repo)));
            all.n_found += one.n_found;
            all.n_total += one.n_total;
            all.n_conflicts += one.n_conflicts;
            moments.push((repo.name.as_str(), one.moment));
            all.notes.extend(named(repo, one.notes));
        }
        all.moment = moment_of(&moments);
        let order = |memo: &Memo| (memo.pinned, memo.recorded_at);
        all.memos.sort_by(|a, b| {
            let ((a_pinned, a_at), (b_pinned, b_at)) = (order(a), order(b));
            let by_time = b_pinned.cmp(&a_pinned).then(b_at.total_cmp(&a_at));
            by_time.then(a.id.cmp(&b.id))
        });
        all.memos
            .drain(..(request.offset as usize).min(all.memos.len()));
        if request.limit > 0 {
            all.memos.truncate(request.limit as usize);
        }
        Ok(all)
    }

    /// The memo of an id, in whichever of several memories it is.
    pub(super) fn memo_of_several(
        &self,
        asked: &AskedMemories,
        memo: &MemoId,
        moment: &MemoMoment,
    ) -> Result<Memo> {
        let mut first_error = None;
        for repo in &asked.repos {
            match self.memo(&repo.id, memo, moment) {
                Ok(memo) => return Ok(of_repo(memo, repo)),
                Err(error) => drop(first_error.get_or_insert(error)),
            }
        }
        Err(first_error.unwrap_or_else(|| unknown_memo(memo)))
    }

    /// What cannot all be right within each of several memories.
    pub(super) fn conflicts_of_several(
        &self,
        asked: &AskedMemories,
        moment: &MemoMoment,
    ) -> Result<Vec<MemoConflict>> {
        let mut all = Vec::new();
        for repo in &asked.repos {
            let own = self.memo_conflicts(&repo.id, moment)?.into_iter();
            all.extend(own.map(|conflict| {
                MemoConflict {
                    memos: conflict
                        .memos
                        .into_iter()
                        .map(|memo| of_repo(memo, repo))
                        .collect(),
                    ..conflict
                }
            }));
        }
        Ok(all)
    }
}

fn unknown_memo(memo: &MemoId) -> EngineError {
    EngineError::new(
        "not-found",
        format!("no memo {memo}"),
        "`whyrank memo list` lists them",
    )
}

/// The question as one of several memories is asked it: near paths begin with a repository's name.
pub(super) fn request_of(request: &RecallRequest, repo: &RepoName) -> RecallRequest {
    let below = |path: &String| {
        let below = path.strip_prefix(repo.name.as_str())?.strip_prefix('/')?;
        Some(below.to_owned())
    };
    RecallRequest {
        repo: repo.id.clone(),
        near: request.near.iter().filter_map(below).collect(),
        ..request.clone()
    }
}

pub(super) fn of_repo(memo: Memo, repo: &RepoName) -> Memo {
    Memo {
        repo: Some(repo.clone()),
        ..memo
    }
}

/// Notes of one of several, each with its name.
pub(super) fn named(
    repo: &RepoName,
    notes: impl IntoIterator<Item = String>,
) -> impl Iterator<Item = String> {
    let notes = notes.into_iter();
    notes.map(|note| format!("{}: {note}", repo.name))
}

/// The moment of all, in words: a commit's name means another commit in each.
pub(super) fn moment_of(moments: &[(&str, String)]) -> String {
    match moments {
        [] => String::new(),
        [(_, first), rest @ ..] if rest.iter().all(|(_, other)| other == first) => first.clone(),
        _ => {
            let each = moments.iter();
            let each = each.map(|(name, moment)| format!("{name} {moment}"));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}
