//! Whether what was cited is still there: the same, moved, modified or gone. Git and the files tell; an
//! index helps to find what moved, and is not needed.
//!
//! An evidence id is `blob:first-last@commit`, with the first twelve digits of the content's git id. The
//! old text comes from the index or from git, so an id holds for as long as one of them keeps it.

mod critique;
mod files_now;
mod relations;
mod sentences;

use crate::Engine;
use crate::api::{EvidenceState, VerifiedEvidence, VerifyRequest, VerifyResponse};
use crate::error::{EngineError, Result};
use crate::registry::Registered;
use crate::views::LiveView;
use files_now::{Current, FilesNow};
use std::sync::Arc;
use whyrank_source::{BlobId, Repository};

/// More are no citation.
const MAX_EVIDENCE: usize = 100;
/// Digits of a content's id in an evidence id.
const BLOB_DIGITS: usize = 12;
/// Share of lines that have to stay for a place to be a modified one and not another.
const MODIFIED: f64 = 0.3;
const NOTE_LINES: usize = 6;
const NOTE_CHARS: usize = 100;

/// An evidence id or a place, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cited {
    /// Digits of a content's id, or a path.
    what: String,
    is_blob: bool,
    first: u32,
    last: u32,
    commit: Option<String>,
}

impl Engine {
    /// Tells what became of cited code.
    ///
    /// # Errors
    /// `bad-argument` without evidence or with more than a hundred; `unknown-revision`.
    pub fn verify_evidence(&self, request: &VerifyRequest) -> Result<VerifyResponse> {
        if request.evidence.is_empty() || request.evidence.len() > MAX_EVIDENCE {
            return Err(EngineError::bad_argument(
                format!("{} pieces of evidence", request.evidence.len()),
                format!("give 1 to {MAX_EVIDENCE} evidence ids, or places as src/a.rs:10-20"),
            ));
        }
        let repo = self.state.registry.get(&request.repo)?;
        let verifier = Verifier::new(self, &repo, request.as_of.as_deref())?;
        let evidence = request.evidence.iter();
        let verified = evidence.map(|evidence| verifier.verify(evidence));
        Ok(VerifyResponse {
            evidence: verified.collect::<Result<_>>()?,
        })
    }
}

struct Verifier {
    files: FilesNow,
    /// The index, which keeps texts that git has not; none where there is none.
    view: Option<Arc<LiveView>>,
}

impl Verifier {
    fn new(engine: &Engine, repo: &Registered, as_of: Option<&str>) -> Result<Self> {
        let files = FilesNow::of(Repository::discover(&repo.root)?, as_of)?;
        // Git has all of a commit; of the working tree the index knows what is not committed.
        let view = match engine.state.worktree_view(repo) {
            Ok(view) => Some(view),
            Err(error) if error.code == "index-damaged" => return Err(error),
            Err(_) => None,
        };
        Ok(Self { files, view })
    }

    fn verify(&self, evidence: &str) -> Result<VerifiedEvidence> {
        let Some(cited) = parse(evidence) else {
            let note = "an evidence id is as 1a2b3c4d5e6f:10-20@commit, a place as src/a.rs:10-20";
            return Ok(verdict(evidence, EvidenceState::Malformed, note.to_owned()));
        };
        if !cited.is_blob {
            return Ok(self.place(evidence, &cited));
        }
        if let Some((path, current)) = self.same(&cited)? {
            let found = verdict(evidence, EvidenceState::Unchanged, String::new());
            return Ok(self.at(found, &path, &current, (cited.first, cited.last)));
        }
        let Some(old) = self.old_text(&cited.what) else {
            let note = "neither the index nor git keeps the text that was cited; search again";
            return Ok(verdict(evidence, EvidenceState::Unknown, note.to_owned()));
        };
        let lines: Vec<&str> = span(&old, cited.first, cited.last);
        self.find(evidence, &cited, &lines)
    }

    /// Files of the index that have a content, where the index is of what is asked about.
    fn indexed(&self) -> &[whyrank_index::ViewFile] {
        match &self.view {
            Some(view) if self.files.is_worktree() => &view.files,
            _ => &[],
        }
    }

    /// The first file that has a content, and has it still.
    fn same(&self, cited: &Cited) -> Result<Option<(String, Current)>> {
        let is_cited = |blob: BlobId| blob.to_string().starts_with(&cited.what);
        let indexed = self.indexed().iter().filter(|file| is_cited(file.blob));
        let committed = self
            .files
            .committed
            .iter()
            .filter(|(_, blob)| is_cited(**blob));
        let likely = indexed.map(|file| &file.path);
        let likely = likely.chain(committed.map(|(path, _)| path));
        let changed = self.files.changed_since(None)?;
        for path in likely.chain(&*changed) {
            if let Some(current) = self
                .files
                .read(path)
                .filter(|current| is_cited(current.blob))
            {
                return Ok(Some((path.clone(), current)));
            }
        }
        Ok(None)
    }

    /// A place without a content: whether it is there now.
    fn place(&self, evidence: &str, cited: &Cited) -> VerifiedEvidence {
        let Some(path) = self.files.path_of(&cited.what) else {
            let note = format!("no file `{}`", cited.what);
            return verdict(evidence, EvidenceState::Absent, note);
        };
        let Some(current) = self.files.read(&path) else {
            let note = format!("`{}` is gone, or no text that is shown", cited.what);
            return verdict(evidence, EvidenceState::Absent, note);
        };
        if let Some(absent) = too_short(evidence, cited, &current) {
            return absent;
        }
        let note = "cited without a content hash, so that nothing tells whether it changed";
        let found = verdict(evidence, EvidenceState::Present, note.to_owned());
        self.at(found, &path, &current, (cited.first, cited.last))
    }

    fn at(
        &self,
        mut found: VerifiedEvidence,
        path: &str,
        current: &Current,
        (first, last): (u32, u32),
    ) -> VerifiedEvidence {
        let language = whyrank_syntax::detect(path, current.text.as_bytes());
        let facts = language.map(|language| whyrank_syntax::analyze(&current.text, language));
        let symbols = facts.map(|facts| facts.symbols).unwrap_or_default();
        let holds = |symbol: &&whyrank_syntax::Symbol| {
            symbol.span.start_line <= first.max(symbol.name_line.min(last))
                && symbol.span.end_line >= first
        };
        let innermost = symbols.iter().rfind(holds);
        found.symbol = innermost.map(|symbol| symbol.qualified.clone());
        found.path = Some(path.to_owned());
        (found.start_line, found.end_line) = (first, last);
        found.now = Some(id_of(
            self.files.commit.as_deref(),
            current.blob,
            first,
            last,
        ));
        found
    }

    /// The text of a content that no file has any more.
    fn old_text(&self, digits: &str) -> Option<String> {
        let kept = self.view.as_ref();
        if let Some(Ok(Some(text))) = kept.map(|view| view.reader.text_of_blob(digits)) {
            return Some(text);
        }
        let bytes = self.files.repository.blob_by_prefix(digits)?;
        String::from_utf8(bytes).ok()
    }

    /// Looks for lines first where they were, then in all that changed since, then everywhere that the index
    /// knows of them.
    fn find(&self, evidence: &str, cited: &Cited, lines: &[&str]) -> Result<VerifiedEvidence> {
        let told = lines.iter().any(|line| !line.trim().is_empty());
        if !told {
            let note = "the lines cited were blank";
            return Ok(verdict(evidence, EvidenceState::Unknown, note.to_owned()));
        }
        let home = self.home(cited);
        let changed = self.files.changed_since(cited.commit.as_deref())?;
        let mut nearest: Option<(f64, String, Current, u32)> = None;
        let mut is_home_there = false;
        let others = changed.iter().filter(|path| Some(*path) != home.as_ref());
        for path in home.iter().chain(others) {
            let Some(current) = self.files.read(path) else {
                continue;
            };
            let is_home = Some(path) == home.as_ref();
            is_home_there |= is_home;
            let text = to_lines(&current.text);
            if let Some(first) = same_lines(&text, lines) {
                return Ok(self.moved(evidence, cited, lines, (path, &current, first, is_home)));
            }
            if is_home || home.is_none() {
                let near = nearest_window(&text, lines, cited.first);
                if let Some((share, first)) = near
                    && nearest.as_ref().is_none_or(|(most, ..)| share > *most)
                {
                    nearest = Some((share, path.clone(), current, first));
                }
            }
        }
        if let Some((path, current, first)) = self.elsewhere(home.as_deref(), lines)? {
            return Ok(self.moved(evidence, cited, lines, (&path, &current, first, false)));
        }
        let Some((_, path, current, first)) = nearest.filter(|(share, ..)| *share >= MODIFIED)
        else {
            let note = match (home, is_home_there) {
                (Some(_), true) => "its file is there, its lines are not",
                (Some(_), false) => "its file is gone, and no other has its lines",
                (None, _) => "no file has these lines",
            };
            return Ok(verdict(evidence, EvidenceState::Deleted, note.to_owned()));
        };
        let n_lines = current.text.lines().count() as u32;
        let last = (first + lines.len() as u32 - 1).min(n_lines);
        let note = difference(lines, &span(&current.text, first, last));
        let found = verdict(evidence, EvidenceState::Modified, note);
        Ok(self.at(found, &path, &current, (first, last)))
    }

    fn moved(
        &self,
        evidence: &str,
        cited: &Cited,
        lines: &[&str],
        (path, current, first, is_home): (&str, &Current, u32, bool),
    ) -> VerifiedEvidence {
        let note = if is_home {
            let by = i64::from(first) - i64::from(cited.first);
            format!("moved by {by} lines")
        } else {
            "moved to another file".to_owned()
        };
        let last = first + lines.len() as u32 - 1;
        let found = verdict(evidence, EvidenceState::Moved, note);
        self.at(found, path, current, (first, last))
    }

    /// Another file that has lines as the index has it, and has them still.
    fn elsewhere(
        &self,
        home: Option<&str>,
        lines: &[&str],
    ) -> Result<Option<(String, Current, u32)>> {
        let Some(view) = self.view.as_ref().filter(|_| self.files.is_worktree()) else {
            return Ok(None);
        };
        for (at, file) in (0u32..).zip(&view.files) {
            let is_home = Some(file.path.as_str()) == home;
            if is_home || same_lines(&to_lines(&view.text(at)?), lines).is_none() {
                continue;
            }
            if let Some(current) = self.files.read(&file.path)
                && let Some(first) = same_lines(&to_lines(&current.text), lines)
            {
                return Ok(Some((file.path.clone(), current, first)));
            }
        }
        Ok(None)
    }

    /// The file that had the content when it was indexed, or at the commit cited, or has its path now.
    fn home(&self, cited: &Cited) -> Option<String> {
        let is_it = |blob: &BlobId| blob.to_string().starts_with(&cited.what);
        let mut indexed = self.indexed().iter();
        if let Some(file) = indexed.find(|file| is_it(&file.blob)) {
            return Some(file.path.clone());
        }
        let repository = &self.files.repository;
        let of_commit = cited.commit.as_deref().and_then(|commit| {
            let blobs = repository.blobs_of(repository.resolve(commit).ok()?).ok()?;
            let (path, _) = blobs.into_iter().find(|(_, blob)| is_it(blob))?;
            Some(path)
        });
        of_commit.or_else(|| {
            let mut committed = self.files.committed.iter();
            committed
                .find(|(_, blob)| is_it(blob))
                .map(|(path, _)| path.clone())
        })
    }
}

/// Names a span of a file by content.
pub(crate) fn evidence_id(view: &LiveView, file: u32, first: u32, last: u32) -> String {
    let blob = view.files[file as usize].blob;
    id_of(view.commit.as_deref(), blob, first, last)
}

fn id_of(commit: Option<&str>, blob: BlobId, first: u32, last: u32) -> String {
    let blob = blob.to_string();
    let commit = commit.map_or("worktree", |commit| &commit[..commit.len().min(8)]);
    format!("{}:{first}-{last}@{commit}", &blob[..BLOB_DIGITS])
}

/// A verdict on lines beyond the end of their file.
fn too_short(evidence: &str, cited: &Cited, current: &Current) -> Option<VerifiedEvidence> {
    let n_lines = current.text.lines().count() as u32;
    let note = format!("the file has {n_lines} lines");
    (cited.last > n_lines).then(|| verdict(evidence, EvidenceState::Absent, note))
}

fn verdict(evidence: &str, state: EvidenceState, note: String) -> VerifiedEvidence {
    VerifiedEvidence {
        evidence: evidence.to_owned(),
        state,
        path: None,
        start_line: 0,
        end_line: 0,
        symbol: None,
        note,
        now: None,
    }
}

fn parse(evidence: &str) -> Option<Cited> {
    let evidence = evidence.trim().trim_matches('`');
    let (place, commit) = match evidence.rsplit_once('@') {
        Some((place, commit)) if place.contains(':') => (place, Some(commit)),
        _ => (evidence, None),
    };
    let (what, lines) = place.rsplit_once(':')?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    let is_blob = what.len() >= 7 && what.chars().all(|c| c.is_ascii_hexdigit());
    let fits = first >= 1 && last >= first && !what.is_empty();
    fits.then(|| Cited {
        what: what.to_lowercase().clone(),
        is_blob,
        first,
        last,
        commit: commit
            .filter(|commit| *commit != "worktree")
            .map(str::to_owned),
    })
    .map(|cited| {
        if is_blob {
            return cited;
        }
        // Paths keep their case.
        Cited {
            what: what.to_owned(),
            ..cited
        }
    })
}

fn span(text: &str, first: u32, last: u32) -> Vec<&str> {
    let lines = text.lines().skip(first as usize - 1);
    lines.take((last + 1 - first) as usize).collect()
}

fn to_lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The first line of a run of lines, from 1; indentation at the ends of lines does not count.
fn same_lines(text: &[String], lines: &[&str]) -> Option<u32> {
    let is_same = |window: &[String]| {
        let mut pairs = window.iter().zip(lines);
        pairs.all(|(left, right)| left.trim_end() == right.trim_end())
    };
    let at = text.windows(lines.len().max(1)).position(is_same)?;
    Some(at as u32 + 1)
}

/// The run of lines that has most of others in common, and which share; near ones first.
fn nearest_window(text: &[String], lines: &[&str], expected: u32) -> Option<(f64, u32)> {
    let told: Vec<&str> = lines
        .iter()
        .map(|line| line.trim())
        .filter(|line| line.len() > 2)
        .collect();
    let known: std::collections::HashSet<&str> = told.iter().copied().collect();
    let hits: Vec<bool> = text
        .iter()
        .map(|line| known.contains(line.trim()))
        .collect();
    let width = lines.len().min(text.len());
    if told.is_empty() || width == 0 {
        return None;
    }
    let mut n = hits[..width].iter().filter(|hit| **hit).count();
    let mut best = (n, 0usize);
    for start in 1..=text.len() - width {
        n = n + usize::from(hits[start + width - 1]) - usize::from(hits[start - 1]);
        let is_nearer = |at: usize| (at as u32 + 1).abs_diff(expected);
        if n > best.0 || (n == best.0 && is_nearer(start) < is_nearer(best.1)) {
            best = (n, start);
        }
    }
    (best.0 > 0).then(|| (best.0 as f64 / told.len() as f64, best.1 as u32 + 1))
}

/// The first lines that went and came.
fn difference(old: &[&str], new: &[&str]) -> String {
    let gone = old
        .iter()
        .filter(|line| !new.contains(line))
        .map(|line| ('-', line));
    let came = new
        .iter()
        .filter(|line| !old.contains(line))
        .map(|line| ('+', line));
    let clip = |line: &str| line.trim().chars().take(NOTE_CHARS).collect::<String>();
    let each = NOTE_LINES / 2;
    let lines = gone.take(each).chain(came.take(each));
    let lines = lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(sign, line)| format!("{sign} {}", clip(line)));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_places_are_told_apart() {
        let id = parse("1A2b3c4d5e6f:10-20@abcdef12").unwrap();
        assert!(
            id.is_blob && id.what == "1a2b3c4d5e6f" && id.commit.as_deref() == Some("abcdef12")
        );
        let place = parse("`src/A.rs:7`").unwrap();
        assert!(!place.is_blob && (place.first, place.last) == (7, 7) && place.what == "src/A.rs");
        assert_eq!(parse("1a2b3c4d5e6f:10-20@worktree").unwrap().commit, None);
        for bad in ["", "src/a.rs", "src/a.rs:x", "src/a.rs:9-2", ":1-2"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_nearest_window_has_most_lines_in_common() {
        let text: Vec<String> = ["let a", "x", "let b", "let c", "y"]
            .map(str::to_owned)
            .into();
        assert_eq!(
            nearest_window(&text, &["let b", "let c"], 1),
            Some((1.0, 3))
        );
        assert_eq!(same_lines(&text, &["let b ", "let c"]), Some(3));
        assert_eq!(nearest_window(&text, &["nothing"], 1), None);
    }
}
