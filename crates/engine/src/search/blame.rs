//! Blame of a file as the preview shows it, and links to its lines at the forge.

use crate::Engine;
use crate::api::{BlameCommit, BlameRange, FileBlame, Permalink, RepoId};
use crate::code::deps::find_file;
use crate::error::Result;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use whyrank_source::{Blame, BlobId, CommitId, Head, Remote, Repository};

/// When it is reached, lines of older commits are left open.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// A file as it is shown, in the repository that it is of.
struct ShownFile {
    repository: Repository,
    /// The commit that it is shown as of, or stands on; `None` before the first.
    commit: Option<CommitId>,
    path: String,
    blob: BlobId,
    text: String,
}

impl Engine {
    /// Returns the commit, author and time of each line of a file as it is shown.
    ///
    /// It walks history for at most ten seconds; what is older is left open, and the answer says so.
    ///
    /// # Errors
    /// `bad-argument` for a path that is not in the index; those of opening the view and of git.
    pub fn blame(&self, repo: &RepoId, path: &str, as_of: Option<&str>) -> Result<FileBlame> {
        let shown = self.shown_file(repo, path, as_of)?;
        let Some(commit) = shown.commit else {
            return Ok(FileBlame {
                path: shown.path,
                ..FileBlame::default()
            });
        };
        let deadline = Instant::now() + TIME_LIMIT;
        let is_late = || Instant::now() >= deadline;
        let text = shown.text.as_bytes();
        let blame = shown
            .repository
            .blame(commit, &shown.path, text, &is_late)?;
        told(&shown, &blame)
    }

    /// Returns a link to lines of a file, as it is shown, at the forge of its remote. It leads to a
    /// commit that the remote is known to have and that holds the file as it is shown, or there is
    /// none.
    ///
    /// # Errors
    /// As [`Engine::blame`].
    pub fn permalink(
        &self,
        repo: &RepoId,
        path: &str,
        lines: (u32, u32),
        as_of: Option<&str>,
    ) -> Result<Permalink> {
        let shown = self.shown_file(repo, path, as_of)?;
        let missing = |why: String| Permalink {
            url: None,
            missing: Some(why),
        };
        let Some(remote) = shown.repository.remote() else {
            return Ok(missing("the repository has no remote".to_owned()));
        };
        let Remote { name, host, forge } = remote;
        let Some(forge) = forge else {
            let what = if host.is_empty() { &name } else { &host };
            return Ok(missing(format!("{what} is no forge that is known")));
        };
        let unknown = || {
            missing(format!(
                "this version of the file is not known to be on {name}"
            ))
        };
        let Some(commit) = shown.commit else {
            return Ok(unknown());
        };
        let newest = shown.repository.newest_at(&name, commit)?;
        match newest.filter(|commit| shown.is_in(*commit)) {
            Some(commit) => Ok(Permalink {
                url: Some(forge.permalink(commit, &shown.path, lines)),
                missing: None,
            }),
            None => Ok(unknown()),
        }
    }

    fn shown_file(&self, repo: &RepoId, path: &str, as_of: Option<&str>) -> Result<ShownFile> {
        let (repo, path) = &self.part_of(repo, path)?;
        let registered = self.state.registry.get(repo)?;
        let view = self.state.view_as_of(&registered, as_of)?;
        let file = &view.files[find_file(&view, path)? as usize];
        let repository = Repository::discover(&registered.root)?;
        let commit = match as_of {
            Some(revision) => Some(repository.resolve(revision)?),
            None => match repository.head()? {
                Head::Unborn { .. } => None,
                Head::Branch { commit, .. } | Head::Detached { commit } => Some(commit),
            },
        };
        Ok(ShownFile {
            repository,
            commit,
            path: file.path.clone(),
            blob: file.blob,
            text: view.reader.text(file.content_id)?,
        })
    }
}

impl ShownFile {
    fn is_in(&self, commit: CommitId) -> bool {
        let there = self.repository.blob_of(commit, &self.path);
        there.is_ok_and(|there| there == Some(self.blob))
    }
}

fn told(shown: &ShownFile, blame: &Blame) -> Result<FileBlame> {
    let named: BTreeSet<CommitId> = blame.lines.iter().filter_map(|one| one.commit).collect();
    let mut commits = Vec::new();
    for id in named {
        let info = shown.repository.commit_info(id)?;
        let commit = BlameCommit {
            sha: id.to_string(),
            author: info.author,
            at: info.time_s as f64 * 1e3,
            summary: info.summary,
        };
        commits.push(commit);
    }
    commits.sort_by(|a, b| b.at.total_cmp(&a.at).then(a.sha.cmp(&b.sha)));
    let index = |id: CommitId| {
        let sha = id.to_string();
        commits
            .iter()
            .position(|commit| commit.sha == sha)
            .map(|at| at as u32)
    };
    let ranges = blame.lines.iter().map(|one| BlameRange {
        start_line: one.start,
        end_line: one.start + one.n_lines - 1,
        commit: one.commit.and_then(index),
    });
    let n_unreached: u32 = blame.unreached.iter().map(|(_, n_lines)| n_lines).sum();
    Ok(FileBlame {
        path: shown.path.clone(),
        ranges: joined(ranges.collect()),
        stopped: (n_unreached > 0).then(|| {
            format!(
                "{n_unreached} lines were not reached within {} s",
                TIME_LIMIT.as_secs()
            )
        }),
        commits,
    })
}

/// Neighbours of one commit are one range.
fn joined(ranges: Vec<BlameRange>) -> Vec<BlameRange> {
    let mut joined: Vec<BlameRange> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.commit == range.commit && last.end_line + 1 == range.start_line => {
                last.end_line = range.end_line;
            }
            _ => joined.push(range),
        }
    }
    joined
}
