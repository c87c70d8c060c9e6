//! Whether an index holds what one would expect of its repository.

use super::skipped::count_reasons;
use crate::api::RepoState;
use crate::registry::Registered;
use crate::views::LiveView;
use whyrank_source::{Repository, SkippedFile};

/// The state of a current view: ready, unless it holds implausibly little.
pub(super) fn state_of(repo: &Registered, view: &LiveView, note: String) -> (RepoState, String) {
    let loaded = view.snapshot();
    let skipped = view.reader.skipped(&loaded.key).unwrap_or_default();
    match Repository::discover(&repo.root) {
        Ok(repository) => state(&repository, loaded.files.len(), &skipped, note),
        Err(_) => (RepoState::Ready, note),
    }
}

/// The same of what a view holds and leaves out.
pub(super) fn state(
    repository: &Repository,
    n_files: usize,
    skipped: &[SkippedFile],
    note: String,
) -> (RepoState, String) {
    if is_plausible(n_files, |most| repository.tracks_more_than(most)) {
        return (RepoState::Ready, note);
    }
    let doubt = doubt(n_files, repository.n_tracked(), skipped);
    (RepoState::Partial, format!("{doubt}; {note}"))
}

/// Whether a view holds something, and half of what git tracks.
fn is_plausible(n_files: usize, tracks_more_than: impl FnOnce(usize) -> bool) -> bool {
    n_files > 0 && !tracks_more_than(2 * n_files)
}

/// Why a view holds implausibly little.
fn doubt(n_files: usize, n_tracked: usize, skipped: &[SkippedFile]) -> String {
    let n_hidden = n_tracked.saturating_sub(n_files + skipped.len());
    let mut reasons: Vec<String> = (n_hidden > 0)
        .then(|| format!("{n_hidden} by .whyrankignore"))
        .into_iter()
        .collect();
    let counted = count_reasons(skipped);
    reasons.extend(
        counted
            .iter()
            .map(|row| format!("{} {}", row.count, row.reason)),
    );
    let why = if reasons.is_empty() {
        "there is nothing to index".to_owned()
    } else {
        format!("left out: {}", reasons.join(", "))
    };
    match n_files {
        0 => format!("no file is indexed, git tracks {n_tracked}: {why}"),
        n => format!("{n} files are indexed, git tracks {n_tracked}: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_source::SkipReason;

    #[test]
    fn nothing_and_less_than_half_of_what_git_tracks_are_doubtful() {
        let binary = |n: usize| {
            let path = |at| format!("{at}.png");
            let skipped = (0..n).map(|at| SkippedFile {
                path: path(at),
                reason: SkipReason::Binary,
            });
            skipped.collect::<Vec<_>>()
        };
        let of = |n_files, n_tracked| is_plausible(n_files, |most| n_tracked > most);
        assert!(of(50, 100));
        assert!(of(3, 0), "nothing was added yet");
        assert!(!of(49, 100) && !of(0, 0));
        let few = doubt(49, 100, &binary(11));
        assert_eq!(
            few,
            "49 files are indexed, git tracks 100: left out: 40 by .whyrankignore, 11 binary"
        );
        let none = doubt(0, 0, &[]);
        assert!(none.ends_with("there is nothing to index"), "{none}");
    }
}
