//! Whether the code that a memo is about is still what it was, and where it went.
//!
//! The lines are looked for where they were, then anywhere in the candidates by content, then by the
//! definition's name, then by how many of them are left. In another file a name alone is no proof.

use crate::fact::{Anchor, digest};
use std::collections::HashMap;
use whyrank_source::unified_diff;

/// Bytes of the anchored lines that are kept; what is longer is compared by hash.
pub const MAX_ANCHOR_BYTES: usize = 16 * 1024;
/// Lines of a file's head that are kept for an anchor on the whole file.
const HEAD_LINES: usize = 60;
/// So much must be left of lines that are found again by likeness.
const LEAST_SIMILARITY: f32 = 0.5;
/// And so much of a definition that is found by its name in another file.
const LEAST_OF_SYMBOL: f32 = 0.3;

/// The code to compare with: a working tree or a commit.
pub trait CodeAt {
    /// A file's text; `None` where there is none.
    fn text(&self, path: &str) -> Option<String>;
    /// Whether there is a file or a folder.
    fn exists(&self, path: &str) -> bool;
    /// Where definitions of a name are: path, first line, last line.
    fn definitions(&self, symbol: &str) -> Vec<(String, u32, u32)>;
    /// Files that a missing file may have become, likeliest first.
    fn successors(&self, path: &str) -> Vec<String>;
}

/// What became of an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnchorState {
    /// There, word for word.
    Unchanged,
    /// Word for word, elsewhere.
    Moved,
    /// Not what it was.
    Changed,
    /// Not found.
    Gone,
}

impl AnchorState {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Moved => "moved",
            Self::Changed => "changed",
            Self::Gone => "gone",
        }
    }
}

/// An anchor compared with the code.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// What became of it.
    pub state: AnchorState,
    /// Where it is now: what re-anchoring would take; `None` where it is gone.
    pub now: Option<Anchor>,
    /// By what it was found: `place`, `content`, `symbol`, `similarity`, `file`.
    pub by: &'static str,
    /// Share of its lines that are left.
    pub similarity: f32,
    /// From what it was to what it is; empty where nothing changed.
    pub diff: String,
}

/// Reads the lines of an anchor: fills in hash and text from a file.
///
/// `start_line` 0 means the whole file. Lines beyond the end are cut. `None` where no line is left.
pub fn anchor_text(mut anchor: Anchor, file: &str) -> Option<Anchor> {
    let lines: Vec<&str> = file.lines().collect();
    if anchor.start_line == 0 {
        anchor.end_line = 0;
        anchor.hash = String::new();
        anchor.text = cut(&joined(&lines[..lines.len().min(HEAD_LINES)]));
        return Some(anchor);
    }
    let end = (anchor.end_line as usize).min(lines.len());
    let span = lines.get(anchor.start_line as usize - 1..end)?;
    if span.is_empty() {
        return None;
    }
    anchor.end_line = end as u32;
    anchor.hash = hash(span);
    anchor.text = cut(&joined(span));
    Some(anchor)
}

/// Compares an anchor with the code.
pub fn check_anchor(anchor: &Anchor, code: &dyn CodeAt) -> Drift {
    if anchor.start_line == 0 {
        return check_file(anchor, code);
    }
    let here = code.text(&anchor.path);
    if let Some(text) = &here
        && anchor_text(anchor.clone(), text).is_some_and(|now| now.hash == anchor.hash)
    {
        return drift(AnchorState::Unchanged, anchor.clone(), "place", 1.0, anchor);
    }
    let definitions = match &anchor.symbol {
        Some(symbol) => code.definitions(symbol),
        None => Vec::new(),
    };
    let mut paths = vec![anchor.path.clone()];
    paths.extend(definitions.iter().map(|(path, _, _)| path.clone()));
    if here.is_none() {
        paths.extend(code.successors(&anchor.path));
    }
    let mut seen = std::collections::HashSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    let texts: Vec<(String, String)> = paths
        .into_iter()
        .filter_map(|path| Some((path.clone(), code.text(&path)?)))
        .collect();
    by_content(anchor, &texts)
        .or_else(|| by_symbol(anchor, &definitions, &texts))
        .or_else(|| by_similarity(anchor, &texts))
        .unwrap_or_else(|| Drift {
            state: AnchorState::Gone,
            now: None,
            by: "similarity",
            similarity: 0.0,
            diff: unified_diff(&anchor.text, ""),
        })
}

fn check_file(anchor: &Anchor, code: &dyn CodeAt) -> Drift {
    if code.exists(&anchor.path) {
        return drift(AnchorState::Unchanged, anchor.clone(), "file", 1.0, anchor);
    }
    let head: Vec<&str> = anchor.text.lines().collect();
    let successors = code.successors(&anchor.path).into_iter();
    let likeness = successors.filter_map(|path| {
        let text = code.text(&path)?;
        let lines: Vec<&str> = text.lines().take(HEAD_LINES).collect();
        Some((similarity(&head, &lines), path, text))
    });
    let best = likeness.max_by(|a, b| a.0.total_cmp(&b.0));
    match best.filter(|(likeness, _, _)| *likeness >= LEAST_SIMILARITY) {
        Some((likeness, path, text)) => {
            let moved = Anchor {
                path,
                ..anchor.clone()
            };
            let now = anchor_text(moved, &text).unwrap_or_else(|| anchor.clone());
            drift(AnchorState::Moved, now, "similarity", likeness, anchor)
        }
        None => Drift {
            state: AnchorState::Gone,
            now: None,
            by: "file",
            similarity: 0.0,
            diff: String::new(),
        },
    }
}

/// The same lines elsewhere, nearest to where they were.
fn by_content(anchor: &Anchor, texts: &[(String, String)]) -> Option<Drift> {
    let n_lines = (anchor.end_line - anchor.start_line + 1) as usize;
    let first = anchor.text.lines().next()?.trim_end();
    for (path, text) in texts {
        let lines: Vec<&str> = text.lines().collect();
        let starts = (0..lines.len().saturating_sub(n_lines - 1)).filter(|at| {
            lines[*at].trim_end() == first && hash(&lines[*at..*at + n_lines]) == anchor.hash
        });
        let near = starts.min_by_key(|at| at.abs_diff(anchor.start_line as usize - 1));
        if let Some(at) = near {
            let now = at_lines(anchor, path, at as u32 + 1, (at + n_lines) as u32, text)?;
            return Some(drift(AnchorState::Moved, now, "content", 1.0, anchor));
        }
    }
    None
}

/// The definition of that name, the likest where there are several; in the same file before others.
fn by_symbol(
    anchor: &Anchor,
    definitions: &[(String, u32, u32)],
    texts: &[(String, String)],
) -> Option<Drift> {
    let old: Vec<&str> = anchor.text.lines().collect();
    let found = definitions.iter().filter_map(|(path, start, end)| {
        let (_, text) = texts.iter().find(|(known, _)| known == path)?;
        let lines: Vec<&str> = text.lines().collect();
        let (first, last) = (*start as usize - 1, (*end as usize).min(lines.len()) - 1);
        let closest = closest_lines(anchor, &lines, first, last);
        // Lines of a definition, or with the comment before it, stay just those.
        let (start, end) = if closest.likeness > likeness_of(&old, lines.get(first..=last)?) {
            closest.reaching(&old, &lines, (*start, *end))
        } else {
            (*start, *end)
        };
        let now = at_lines(anchor, path, start, end, text)?;
        let new: Vec<&str> = now.text.lines().collect();
        let likeness = similarity(&old, &new);
        let is_here = *path == anchor.path;
        // Elsewhere a name may be another's: its lines must speak for it, too.
        (is_here || likeness >= LEAST_OF_SYMBOL).then_some((is_here, likeness, now))
    });
    let best = found.max_by(|a, b| {
        (a.0, a.1)
            .partial_cmp(&(b.0, b.1))
            .unwrap_or(std::cmp::Ordering::Equal)
    })?;
    Some(drift(
        AnchorState::Changed,
        best.2,
        "symbol",
        best.1,
        anchor,
    ))
}

/// The window with the most of the old lines.
fn by_similarity(anchor: &Anchor, texts: &[(String, String)]) -> Option<Drift> {
    let old: Vec<&str> = anchor
        .text
        .lines()
        .map(str::trim)
        .filter(|line| is_telling(line))
        .collect();
    if old.is_empty() {
        return None;
    }
    let mut best: Option<(f32, &str, usize, usize, &str)> = None;
    for (path, text) in texts {
        let lines: Vec<&str> = text.lines().collect();
        let hits: Vec<usize> = (0..lines.len())
            .filter(|at| old.contains(&lines[*at].trim()))
            .collect();
        let n_lines = (anchor.end_line - anchor.start_line + 1) as usize;
        for (place, first) in hits.iter().enumerate() {
            // Lines may have come in between; half as many more still count as one place.
            let within = hits[place..]
                .iter()
                .take_while(|at| **at < first + n_lines + n_lines / 2 + 1);
            let last = within.clone().last().copied().unwrap_or(*first);
            let window: Vec<&str> = within.map(|at| lines[*at].trim()).collect();
            let share = overlap(&old, &window);
            if best.is_none_or(|(known, ..)| share > known) {
                best = Some((share, path, *first, last, text));
            }
        }
    }
    let (share, path, first, last, text) = best.filter(|best| best.0 >= LEAST_SIMILARITY)?;
    let lines: Vec<&str> = text.lines().collect();
    let closest = closest_lines(anchor, &lines, first, last);
    let now = at_lines(anchor, path, closest.start, closest.end, text)?;
    Some(drift(
        AnchorState::Changed,
        now,
        "similarity",
        share,
        anchor,
    ))
}

/// Lines that are most like others.
struct Closest {
    /// From 1.
    start: u32,
    end: u32,
    likeness: f32,
}

impl Closest {
    /// First and last line, out to the definition's where the run stops only because that end was
    /// edited, or where it has the definition's other end: a shorter run is always more alike.
    fn reaching(&self, old: &[&str], lines: &[&str], (start, end): (u32, u32)) -> (u32, u32) {
        if self.end < start || self.start > end {
            return (start, end);
        }
        let is_kept = |old: Option<&&str>, line: u32| {
            let new = lines.get(line as usize - 1);
            old.map(|line| line.trim()) == new.map(|line| line.trim())
        };
        let begins_within = is_kept(old.first(), self.start) && self.end < end;
        let ends_within = is_kept(old.last(), self.end) && self.start > start;
        (
            if begins_within {
                self.start
            } else {
                start.min(self.start)
            },
            if ends_within {
                self.end
            } else {
                end.max(self.end)
            },
        )
    }
}

/// The run of lines at or near `first..=last` (from 0) that is most like the anchor's, brackets and blank
/// lines included: they are what a run begins and ends with. O(lines of the run × lines of the anchor).
fn closest_lines(anchor: &Anchor, lines: &[&str], first: usize, last: usize) -> Closest {
    let old: Vec<&str> = anchor.text.lines().map(str::trim).collect();
    let mut best = Closest {
        start: first as u32 + 1,
        end: last as u32 + 1,
        likeness: f32::NEG_INFINITY,
    };
    let longest = old.len() + old.len() / 2 + 1;
    for start in first.saturating_sub(old.len())..=last {
        let mut left = counts(&old);
        let mut n_common = 0;
        for (n_before, line) in lines[start..].iter().take(longest).enumerate() {
            let line = line.trim();
            n_common += usize::from(take(&mut left, line));
            let is_end = [
                old.first() == Some(&lines[start].trim()),
                old.last() == Some(&line),
            ];
            // Where two runs have as much in common, the one that begins and ends alike.
            let ends = is_end.into_iter().filter(|is| *is).count() as f32 * 1e-4;
            let likeness = dice(n_common, old.len(), n_before + 1) + ends;
            if likeness > best.likeness {
                best = Closest {
                    start: start as u32 + 1,
                    end: (start + n_before) as u32 + 1,
                    likeness,
                };
            }
        }
    }
    best
}

/// As [`closest_lines`] weighs a run.
fn likeness_of(old: &[&str], new: &[&str]) -> f32 {
    let trimmed = |lines: &[&str]| -> Vec<String> {
        lines.iter().map(|line| line.trim().to_owned()).collect()
    };
    let (old, new) = (trimmed(old), trimmed(new));
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    let ends = [old.first() == new.first(), old.last() == new.last()];
    let ends = ends.into_iter().filter(|is| *is).count() as f32 * 1e-4;
    dice(common(&old, &new), old.len(), new.len()) + ends
}

fn dice(n_common: usize, n_old: usize, n_new: usize) -> f32 {
    2.0 * n_common as f32 / (n_old + n_new).max(1) as f32
}

fn at_lines(anchor: &Anchor, path: &str, start: u32, end: u32, text: &str) -> Option<Anchor> {
    let moved = Anchor {
        path: path.to_owned(),
        symbol: anchor.symbol.clone(),
        start_line: start,
        end_line: end,
        ..Anchor::default()
    };
    anchor_text(moved, text)
}

fn drift(
    state: AnchorState,
    now: Anchor,
    by: &'static str,
    similarity: f32,
    was: &Anchor,
) -> Drift {
    let diff = match state {
        AnchorState::Changed => unified_diff(&was.text, &now.text),
        _ => String::new(),
    };
    Drift {
        state,
        now: Some(now),
        by,
        similarity,
        diff,
    }
}

fn joined(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn hash(lines: &[&str]) -> String {
    digest(&joined(lines))[..16].to_owned()
}

fn cut(text: &str) -> String {
    let mut end = text.len().min(MAX_ANCHOR_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

/// Braces and blank lines are alike everywhere.
fn is_telling(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}

/// Share of the telling lines that two texts have in common (Dice).
fn similarity(old: &[&str], new: &[&str]) -> f32 {
    let telling = |lines: &[&str]| -> Vec<String> {
        let lines = lines.iter().map(|line| line.trim());
        lines
            .filter(|line| is_telling(line))
            .map(str::to_owned)
            .collect()
    };
    let (old, new) = (telling(old), telling(new));
    let n = old.len() + new.len();
    if n == 0 {
        return 1.0;
    }
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    2.0 * common(&old, &new) as f32 / n as f32
}

/// Share of the old lines that are among the new ones.
fn overlap(old: &[&str], new: &[&str]) -> f32 {
    common(old, new) as f32 / old.len().max(1) as f32
}

fn common(old: &[&str], new: &[&str]) -> usize {
    let mut left = counts(old);
    new.iter().filter(|line| take(&mut left, line)).count()
}

fn counts<'a>(lines: &[&'a str]) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    for line in lines {
        *counts.entry(*line).or_default() += 1;
    }
    counts
}

/// Takes one of a line away; `false` where none is left.
fn take(left: &mut HashMap<&str, usize>, line: &str) -> bool {
    match left.get_mut(line) {
        Some(n) if *n > 0 => {
            *n -= 1;
            true
        }
        _ => false,
    }
}
