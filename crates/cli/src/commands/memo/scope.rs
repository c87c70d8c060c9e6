//! Which memory is meant: that of a repository or folder, or of several repositories.

use whyrank_engine::api::{MissingRepo, RepoId};
use whyrank_engine::{Engine, EngineError};

use crate::args::{MemoAction, MemoCommandArgs};
use crate::workspace::{self, RepoSelection};

/// The repository or folder that is meant, or the joined id of several with those that cannot be asked.
pub(super) fn asked(
    engine: &Engine,
    args: &MemoCommandArgs,
) -> anyhow::Result<(RepoId, Vec<MissingRepo>)> {
    let (selectors, action) = (args.repo.selectors(), &args.action);
    // Who names no repository means the default workspace with a question, not with a list: its ids are
    // what other actions take here.
    let is_question = matches!(action, MemoAction::Recall(_));
    match workspace::scope(selectors, is_question)? {
        RepoSelection::One(repo) => {
            let repo = workspace::selector(repo.as_deref());
            match engine.find_repo(repo) {
                Ok(summary) => Ok((summary.id, Vec::new())),
                // Outside git time alone decides.
                Err(error) if error.code == "not-a-repository" => Ok((repo.into(), Vec::new())),
                Err(error) => Err(error.into()),
            }
        }
        RepoSelection::Several(_) if !action.takes_several() => Err(EngineError::new(
            "bad-argument",
            "a memo belongs to one repository",
            "name one; `whyrank memo recall` and `list` take several",
        )
        .into()),
        RepoSelection::Several(selectors) => {
            let scope = engine.scope(&selectors)?;
            Ok((scope.joined(), scope.missing))
        }
    }
}
