//! Whether what was cited is still there: the same, moved, modified or gone.
//!
//! An evidence id is `blob:first-last@commit`, with the first twelve digits of the content's git id. The
//! old text comes from the index or from git, so an id holds for as long as one of them keeps it.

mod critique;
mod relations;
mod sentences;

use crate::Engine;
use crate::api::{EvidenceState, VerifiedEvidence, VerifyRequest, VerifyResponse};
use crate::error::{EngineError, Result};
use crate::views::{LiveView, Texts};
use whyrank_source::{BlobId, Repository, blob_id, shown};

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
    /// `bad-argument` without evidence or with more than a hundred; those of opening the view.
    pub fn verify_evidence(&self, request: &VerifyRequest) -> Result<VerifyResponse> {
        if request.evidence.is_empty() || request.evidence.len() > MAX_EVIDENCE {
            return Err(EngineError::bad_argument(
                format!("{} pieces of evidence", request.evidence.len()),
                format!("give 1 to {MAX_EVIDENCE} evidence ids, or places as src/a.rs:10-20"),
            ));
        }
        let repo = self.state.registry.get(&request.repo)?;
        let view = self.state.view_as_of(&repo, request.as_of.as_deref())?;
        let mut verifier = Verifier {
            repository: Repository::discover(&repo.root)?,
            texts: Texts::new(&view),
            view: &view,
            is_worktree: request.as_of.is_none(),
        };
        let evidence = request.evidence.iter();
        let verified = evidence.map(|evidence| verifier.verify(evidence));
        Ok(VerifyResponse {
            evidence: verified.collect::<Result<_>>()?,
        })
    }
}

struct Verifier<'a> {
    view: &'a LiveView,
    repository: Repository,
    texts: Texts<'a>,
    /// Files are read where they lie: they may have changed since they were indexed.
    is_worktree: bool,
}

/// A file as it is now.
struct Current {
    blob: BlobId,
    text: String,
}

impl Verifier<'_> {
    fn verify(&mut self, evidence: &str) -> Result<VerifiedEvidence> {
        let Some(cited) = parse(evidence) else {
            let note = "an evidence id is as 1a2b3c4d5e6f:10-20@commit, a place as src/a.rs:10-20";
            return Ok(verdict(evidence, EvidenceState::Malformed, note.to_owned()));
        };
        if !cited.is_blob {
            return self.place(evidence, &cited);
        }
        if let Some((file, current)) = self.same(&cited.what)? {
            let found = verdict(evidence, EvidenceState::Unchanged, String::new());
            return self.at(found, file, &current, (cited.first, cited.last));
        }
        let Some(old) = self.old_text(&cited.what) else {
            let note = "neither the index nor git keeps the text that was cited; search again";
            return Ok(verdict(evidence, EvidenceState::Unknown, note.to_owned()));
        };
        let lines: Vec<&str> = span(&old, cited.first, cited.last);
        self.find(evidence, &cited, &lines)
    }

    /// The first file that has a content, and has it still.
    fn same(&mut self, digits: &str) -> Result<Option<(u32, Current)>> {
        let files = (0u32..).zip(&self.view.files);
        let is_cited = |blob: BlobId| blob.to_string().starts_with(digits);
        let cited = files.filter(|(_, file)| is_cited(file.blob));
        for file in cited.map(|(file, _)| file).collect::<Vec<u32>>() {
            if let Some(current) = self.current(file)?.filter(|current| is_cited(current.blob)) {
                return Ok(Some((file, current)));
            }
        }
        Ok(None)
    }

    /// A file as it is now; `None` where it is gone or no text any more.
    fn current(&mut self, file: u32) -> Result<Option<Current>> {
        let entry = &self.view.files[file as usize];
        if !self.is_worktree {
            let text = self.texts.get(file)?.to_owned();
            return Ok(Some(Current {
                blob: entry.blob,
                text,
            }));
        }
        Ok(self.read(&entry.path))
    }

    /// A file of the working tree, as it lies there.
    fn read(&self, path: &str) -> Option<Current> {
        let bytes = self.repository.read_worktree(path).ok()?;
        // Nothing is said about what no listing would take in: secrets above all.
        let text = shown(path, &bytes, &self.repository.filter())
            .ok()?
            .into_owned();
        Some(Current {
            blob: blob_id(&bytes),
            text,
        })
    }

    /// A place without a content: whether it is there now.
    fn place(&mut self, evidence: &str, cited: &Cited) -> Result<VerifiedEvidence> {
        let Ok(file) = crate::code::deps::find_file(self.view, &cited.what) else {
            return Ok(self.unindexed(evidence, cited));
        };
        let Some(current) = self.current(file)? else {
            let note = format!("`{}` is gone, or no text any more", cited.what);
            return Ok(verdict(evidence, EvidenceState::Absent, note));
        };
        if let Some(absent) = too_short(evidence, cited, &current) {
            return Ok(absent);
        }
        let note = "cited without a content hash, so that nothing tells whether it changed";
        let found = verdict(evidence, EvidenceState::Present, note.to_owned());
        self.at(found, file, &current, (cited.first, cited.last))
    }

    /// A place in a file that the index does not have, or not yet.
    fn unindexed(&self, evidence: &str, cited: &Cited) -> VerifiedEvidence {
        let current = if self.is_worktree {
            self.read(&cited.what)
        } else {
            None
        };
        let Some(current) = current else {
            let note = format!("no indexed file `{}`", cited.what);
            return verdict(evidence, EvidenceState::Absent, note);
        };
        if let Some(absent) = too_short(evidence, cited, &current) {
            return absent;
        }
        let note = "not in the index; cited without a content hash";
        let now = evidence_id_of(self.view, current.blob, cited.first, cited.last);
        VerifiedEvidence {
            path: Some(cited.what.clone()),
            start_line: cited.first,
            end_line: cited.last,
            now: Some(now),
            ..verdict(evidence, EvidenceState::Present, note.to_owned())
        }
    }

    fn at(
        &self,
        mut found: VerifiedEvidence,
        file: u32,
        current: &Current,
        (first, last): (u32, u32),
    ) -> Result<VerifiedEvidence> {
        let entry = &self.view.files[file as usize];
        // Where definitions lie is known of the indexed content only.
        let is_indexed = current.blob == entry.blob;
        let mut symbols = entry.outline().symbols.iter().filter(|_| is_indexed);
        let holds = |symbol: &&whyrank_syntax::Symbol| {
            symbol.span.start_line <= first.max(symbol.name_line.min(last))
                && symbol.span.end_line >= first
        };
        let innermost = symbols.rfind(holds);
        found.symbol = innermost.map(|symbol| symbol.qualified.clone());
        found.path = Some(entry.path.clone());
        (found.start_line, found.end_line) = (first, last);
        found.now = Some(evidence_id_of(self.view, current.blob, first, last));
        Ok(found)
    }

    /// The text of a content that no file of the view has any more.
    fn old_text(&self, digits: &str) -> Option<String> {
        if let Ok(Some(text)) = self.view.reader.text_of_blob(digits) {
            return Some(text);
        }
        let bytes = self.repository.blob_by_prefix(digits)?;
        String::from_utf8(bytes).ok()
    }

    /// Looks for lines first where they were, then everywhere.
    fn find(&mut self, evidence: &str, cited: &Cited, lines: &[&str]) -> Result<VerifiedEvidence> {
        let told = lines.iter().any(|line| !line.trim().is_empty());
        if !told {
            let note = "the lines cited were blank";
            return Ok(verdict(evidence, EvidenceState::Unknown, note.to_owned()));
        }
        let home = self.home(cited);
        let order = home.into_iter().chain(self.others(home));
        let mut nearest: Option<(f64, u32, u32)> = None;
        for file in order.collect::<Vec<u32>>() {
            let is_home = Some(file) == home;
            // Reading all files again would take too long: the index says which to look into.
            if !is_home
                && home.is_some()
                && same_lines(&to_lines(self.texts.get(file)?), lines).is_none()
            {
                continue;
            }
            let Some(current) = self.current(file)? else {
                continue;
            };
            let text = to_lines(&current.text);
            if let Some(first) = same_lines(&text, lines) {
                let last = first + lines.len() as u32 - 1;
                let note = if is_home {
                    format!(
                        "moved by {} lines",
                        i64::from(first) - i64::from(cited.first)
                    )
                } else {
                    "moved to another file".to_owned()
                };
                let found = verdict(evidence, EvidenceState::Moved, note);
                return self.at(found, file, &current, (first, last));
            }
            if is_home || home.is_none() {
                let near = nearest_window(&text, lines, cited.first);
                if near.is_some_and(|(share, _)| nearest.is_none_or(|(most, _, _)| share > most)) {
                    nearest = near.map(|(share, first)| (share, file, first));
                }
            }
        }
        let Some((_, file, first)) = nearest.filter(|(share, _, _)| *share >= MODIFIED) else {
            let note = match home {
                Some(_) => "its file is there, its lines are not",
                None => "no file has these lines",
            };
            return Ok(verdict(evidence, EvidenceState::Deleted, note.to_owned()));
        };
        let Some(current) = self.current(file)? else {
            return Ok(verdict(
                evidence,
                EvidenceState::Deleted,
                "its file is gone".to_owned(),
            ));
        };
        let n_lines = current.text.lines().count() as u32;
        let last = (first + lines.len() as u32 - 1).min(n_lines);
        let note = difference(lines, &span(&current.text, first, last));
        let found = verdict(evidence, EvidenceState::Modified, note);
        self.at(found, file, &current, (first, last))
    }

    /// The file that had the content when it was indexed, or at the commit cited, or has its path now.
    fn home(&self, cited: &Cited) -> Option<u32> {
        let mut files = (0u32..).zip(&self.view.files);
        let indexed = files.find(|(_, file)| file.blob.to_string().starts_with(&cited.what));
        if let Some((file, _)) = indexed {
            return Some(file);
        }
        let commits = [cited.commit.as_deref(), Some("HEAD")];
        let of_commit = |commit: &str| -> Option<u32> {
            let commit = self.repository.resolve(commit).ok()?;
            let blobs = self.repository.blobs_of(commit).ok()?;
            let is_it = |blob: &BlobId| blob.to_string().starts_with(&cited.what);
            let (path, _) = blobs.iter().find(|(_, blob)| is_it(blob))?;
            self.view.file(path)
        };
        commits.into_iter().flatten().find_map(of_commit)
    }

    fn others(&self, home: Option<u32>) -> impl Iterator<Item = u32> + use<> {
        let n_files = self.view.files.len() as u32;
        (0..n_files).filter(move |file| Some(*file) != home)
    }
}

/// Names a span of a file by content.
pub(crate) fn evidence_id(view: &LiveView, file: u32, first: u32, last: u32) -> String {
    let blob = view.files[file as usize].blob;
    evidence_id_of(view, blob, first, last)
}

fn evidence_id_of(view: &LiveView, blob: BlobId, first: u32, last: u32) -> String {
    let blob = blob.to_string();
    let commit = view.commit.as_deref();
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
