//! Which two states a reference means: a revision and the working tree, or the two ends of a range, as git
//! reads them. What is uncommon about them is said beside.

use crate::error::{EngineError, Result};
use whyrank_source::{CommitId, Head, Repository};

/// Two states of a repository.
pub(super) struct Comparison {
    /// `None`: before the first commit.
    pub(super) from: Option<CommitId>,
    /// `None`: the working tree.
    pub(super) to: Option<CommitId>,
    /// What it is compared with, in words.
    pub(super) base: String,
    /// What to know of it: merges, history that is missing.
    pub(super) notes: Vec<String>,
}

/// A commit, and what it was asked for by.
#[derive(Clone, Copy)]
struct NamedCommit<'a> {
    id: CommitId,
    name: &'a str,
}

/// A reference, taken apart.
#[derive(Debug, PartialEq, Eq)]
enum Reference<'a> {
    /// Changes of the working tree since this one.
    Since(&'a str),
    /// `A..B`: from one tree to the other.
    Range(&'a str, &'a str),
    /// `A...B`: what B has since both parted.
    Parted(&'a str, &'a str),
    /// `A^!`: what a commit changed.
    Alone(&'a str),
}

impl<'a> Reference<'a> {
    fn of(text: &'a str) -> Self {
        let or_head = |revision: &'a str| match revision.trim() {
            "" => "HEAD",
            revision => revision,
        };
        // A search for a message may hold dots.
        let is_search = text.contains(":/") || text.contains('{');
        let text = text.trim();
        if let Some(commit) = text.strip_suffix("^!").or(text.strip_suffix("^-")) {
            return Self::Alone(or_head(commit));
        }
        match (text.split_once("..."), text.split_once("..")) {
            _ if is_search => Self::Since(or_head(text)),
            (Some((from, to)), _) => Self::Parted(or_head(from), or_head(to)),
            (None, Some((from, to))) => Self::Range(or_head(from), or_head(to)),
            (None, None) => Self::Since(or_head(text)),
        }
    }
}

impl Comparison {
    /// # Errors
    /// `unknown-revision`, which says where a shallow clone is why.
    pub(super) fn of(repository: &Repository, reference: &str) -> Result<Self> {
        match Reference::of(reference) {
            Reference::Since(revision) => since(repository, revision),
            Reference::Range(from, to) => range(repository, from, to),
            Reference::Parted(from, to) => parted(repository, from, to),
            Reference::Alone(commit) => alone(repository, commit),
        }
    }
}

fn since(repository: &Repository, revision: &str) -> Result<Comparison> {
    if matches!(repository.head()?, Head::Unborn { .. }) {
        return Err(EngineError::new(
            "unknown-revision",
            "the repository has no commit yet",
            "give a path to look at all below it",
        ));
    }
    let start = named(repository, revision)?;
    let tip = named(repository, "HEAD")?;
    let (left, mut notes) = parting(repository, start, tip);
    let base = if left == start.id {
        format!("{revision} ({})", short(left))
    } else {
        format!("{revision} (left at {})", short(left))
    };
    notes.extend(merge_note(repository, Some(left), tip)?);
    Ok(Comparison {
        from: Some(left),
        to: None,
        base,
        notes,
    })
}

fn range(repository: &Repository, from: &str, to: &str) -> Result<Comparison> {
    let end = named(repository, to)?;
    let start = start(repository, from)?;
    let mut notes: Vec<String> = merge_note(repository, start, end)?.into_iter().collect();
    let base = start.and_then(|start| repository.merge_base(start, end.id));
    if start.is_some() && base != start {
        notes.push(format!(
            "{from} has commits that {to} has not: they count as taken back; {from}...{to} leaves them out"
        ));
    }
    let of = start.map_or_else(|| "nothing".to_owned(), short);
    Ok(Comparison {
        from: start,
        to: Some(end.id),
        base: format!("{from} ({of}) up to {to} ({})", short(end.id)),
        notes,
    })
}

fn parted(repository: &Repository, from: &str, to: &str) -> Result<Comparison> {
    let (start, end) = (named(repository, from)?, named(repository, to)?);
    let (left, mut notes) = parting(repository, start, end);
    notes.extend(merge_note(repository, Some(left), end)?);
    Ok(Comparison {
        from: Some(left),
        to: Some(end.id),
        base: format!(
            "{from} (left at {}) up to {to} ({})",
            short(left),
            short(end.id)
        ),
        notes,
    })
}

fn alone(repository: &Repository, revision: &str) -> Result<Comparison> {
    let commit = named(repository, revision)?;
    let (first, _) = repository.parents(commit.id)?;
    if first.is_none() {
        check_beginning(repository, revision)?;
    }
    Ok(Comparison {
        from: first,
        to: Some(commit.id),
        base: format!("before {revision} up to {revision} ({})", short(commit.id)),
        notes: merge_note(repository, first, commit)?.into_iter().collect(),
    })
}

/// The commit at which a range begins; none for the parent of the first commit.
fn start(repository: &Repository, revision: &str) -> Result<Option<CommitId>> {
    let error = match resolve(repository, revision) {
        Ok(commit) => return Ok(Some(commit)),
        Err(error) => error,
    };
    let child = revision.strip_suffix('^').or(revision.strip_suffix("~1"));
    let child = child.or(revision.strip_suffix('~'));
    let child = child.and_then(|child| Some((child, repository.resolve(child).ok()?)));
    match child {
        Some((child, commit)) if repository.parents(commit)?.1 == 0 => {
            check_beginning(repository, child)?;
            Ok(None)
        }
        _ => Err(error),
    }
}

/// Refuses what would call the end of a shallow clone the beginning of history.
fn check_beginning(repository: &Repository, revision: &str) -> Result<()> {
    if repository.incompleteness() != Some("shallow") {
        return Ok(());
    }
    Err(EngineError::new(
        "unknown-revision",
        format!("the history in this shallow clone ends at {revision}: its parent is not here"),
        "`git fetch --unshallow`, or `git fetch --deepen=N`, brings it",
    ))
}

fn named<'a>(repository: &Repository, revision: &'a str) -> Result<NamedCommit<'a>> {
    Ok(NamedCommit {
        id: resolve(repository, revision)?,
        name: revision,
    })
}

fn resolve(repository: &Repository, revision: &str) -> Result<CommitId> {
    repository.resolve(revision).map_err(|error| {
        let error = EngineError::from(error);
        match repository.incompleteness() {
            Some("shallow") => EngineError::new(
                error.code,
                error.message,
                "the clone is shallow: `git fetch --unshallow` brings older commits; else give a branch, \
                 a tag or a commit id",
            ),
            _ => error,
        }
    })
}

/// Where two lines of history parted; the first of them, and why, where nothing tells.
fn parting(
    repository: &Repository,
    start: NamedCommit<'_>,
    end: NamedCommit<'_>,
) -> (CommitId, Vec<String>) {
    if let Some(base) = repository.merge_base(start.id, end.id) {
        return (base, Vec::new());
    }
    let why = match repository.incompleteness() {
        Some("shallow") => "in this shallow clone",
        _ => "in common",
    };
    let name = start.name;
    let note = format!(
        "{name} and {} have no history {why}: compared with all that {name} holds",
        end.name
    );
    (start.id, vec![note])
}

/// Says that a merge is compared with its first parent.
fn merge_note(
    repository: &Repository,
    from: Option<CommitId>,
    commit: NamedCommit<'_>,
) -> Result<Option<String>> {
    let (first, n_parents) = repository.parents(commit.id)?;
    let is_merge = n_parents > 1 && first.is_some() && first == from;
    let note = || {
        let name = commit.name;
        format!("{name} is a merge: compared with its first parent")
    };
    Ok(is_merge.then(note))
}

pub(super) fn short(commit: CommitId) -> String {
    commit.to_string()[..10].to_owned()
}

#[cfg(test)]
mod tests {
    use super::Reference;

    #[test]
    fn references_are_read_as_git_reads_them() {
        let check = |text: &str, expected: Reference<'_>| {
            assert_eq!(Reference::of(text), expected, "{text}");
        };
        check("", Reference::Since("HEAD"));
        check("main", Reference::Since("main"));
        check("a..b", Reference::Range("a", "b"));
        check("..b", Reference::Range("HEAD", "b"));
        check("a..", Reference::Range("a", "HEAD"));
        check("a...b", Reference::Parted("a", "b"));
        check("a^..a", Reference::Range("a^", "a"));
        check("a^!", Reference::Alone("a"));
        check(":/wait...", Reference::Since(":/wait..."));
    }
}
