//! Exact and regular-expression search: every line of a view that matches, read from the texts of the
//! index. Nothing is ranked, so nothing is explained.

use super::filters;
use super::hits::facet;
use super::line_matcher::{LineMatcher, MatchedLine};
use super::narrowed::in_own_words;
use crate::Engine;
use crate::api::Facet;
use crate::api::{EnclosingSymbol, GrepFile, GrepLine, GrepRequest, GrepResponse, SnippetLine};
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use crate::views::MAX_LINE_CHARS;
use rayon::prelude::*;
use roaring::RoaringBitmap;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, Instant};
use whyrank_retrieval::FileRole;

const DEFAULT_LINES: usize = 1_000;
const MAX_LINES: usize = 10_000;
/// When it is reached, what was found so far is the answer.
const TIME_LIMIT: Duration = Duration::from_secs(4);
/// What is shown before the first match of a line that is cut.
const CHARS_BEFORE: usize = 60;

/// What a file holds, and whether all of it was searched.
struct InFile {
    file: u32,
    lines: Vec<GrepLine>,
    n_lines: u32,
    is_whole: bool,
}

impl Engine {
    /// Finds the lines of a view that match a text or a regular expression.
    ///
    /// Files are searched in parallel, for four seconds at most. A pattern that is none is an answer
    /// with a problem, not an error: it is what half a pattern is while it is typed.
    ///
    /// # Errors
    /// `bad-argument` (empty pattern, broken glob, unknown kind or language); those of opening the view.
    pub fn grep(&self, request: &GrepRequest) -> Result<GrepResponse> {
        let started = Instant::now();
        if request.pattern.is_empty() {
            return Err(EngineError::bad_argument(
                "the pattern is empty",
                "give a text or a regular expression",
            ));
        }
        let matcher = LineMatcher::new(&request.pattern, request.regex, request.match_case);
        let matcher = match matcher {
            Ok(matcher) => matcher,
            Err(problem) => {
                return Ok(GrepResponse {
                    problem: Some(problem),
                    ..GrepResponse::default()
                });
            }
        };
        let view = self.view_of(&request.repo, request.as_of.as_deref())?;
        let scope = GrepScope::new(&view, request, &matcher)?;
        let limit = match request.limit {
            0 => DEFAULT_LINES,
            limit => (limit as usize).min(MAX_LINES),
        };
        let deadline = started + TIME_LIMIT;
        let found: Vec<InFile> = scope
            .files
            .par_iter()
            .map(|file| scope.search(*file, &matcher, limit, deadline))
            .collect::<Result<_>>()?;
        let mut response = respond(&view, found, limit);
        response.case_counts = matcher.case_counts;
        response.elapsed_ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(response)
    }
}

/// Where a pattern is sought.
struct GrepScope<'v> {
    view: &'v LiveView,
    files: Vec<u32>,
    /// Only lines of these chunks; all lines where no kind was asked for.
    chunks: Option<RoaringBitmap>,
    /// Files that may hold a match: of the others nothing is read.
    candidates: RoaringBitmap,
}

impl<'v> GrepScope<'v> {
    fn new(view: &'v LiveView, request: &GrepRequest, matcher: &LineMatcher) -> Result<Self> {
        let narrowed = filters(&in_own_words(view, &request.filters)?);
        let allowed = narrowed.allowed(&view.index)?;
        let holds_any = |file: &u32| {
            let entry = &view.files[*file as usize];
            let end = entry.first_chunk + entry.n_chunks;
            allowed.range_cardinality(entry.first_chunk..end) > 0
        };
        let mut files: Vec<u32> = (0..view.files.len() as u32).filter(holds_any).collect();
        // Views list files by path, and the sort is stable.
        files.sort_by_key(|file| view.index.roles[*file as usize] == FileRole::Test);
        Ok(Self {
            view,
            files,
            chunks: (!narrowed.kinds.is_empty()).then_some(allowed),
            candidates: view.candidates(&matcher.needed()),
        })
    }

    fn search(
        &self,
        file: u32,
        matcher: &LineMatcher,
        limit: usize,
        deadline: Instant,
    ) -> Result<InFile> {
        let is_late = || Instant::now() >= deadline;
        let mut found = InFile {
            file,
            lines: Vec::new(),
            n_lines: 0,
            is_whole: true,
        };
        if !self.candidates.contains(file) {
            return Ok(found);
        }
        if !is_late() {
            let text = self.view.text(file)?;
            for line in matcher.lines(&text, &is_late) {
                if !self.holds(file, line.number) {
                    continue;
                }
                found.n_lines += 1;
                if found.lines.len() < limit {
                    found.lines.push(self.shown(file, &line));
                }
            }
        }
        found.is_whole = !is_late();
        Ok(found)
    }

    /// Whether a line is of a kind that was asked for.
    fn holds(&self, file: u32, line: u32) -> bool {
        let Some(allowed) = &self.chunks else {
            return true;
        };
        let entry = &self.view.files[file as usize];
        let chunks = entry.outline().chunks.iter().zip(entry.first_chunk..);
        let mut around = chunks
            .filter(|(chunk, _)| (chunk.span.start_line..=chunk.span.end_line).contains(&line));
        around.any(|(_, id)| allowed.contains(id))
    }

    fn shown(&self, file: u32, line: &MatchedLine<'_>) -> GrepLine {
        let first = line.matches.first().map_or(0, |one| one.start);
        let window = window(line.text, first);
        let units = |range: &str| range.encode_utf16().count() as u32;
        let text = &line.text[window.clone()];
        let matches = line.matches.iter().filter_map(|one| {
            let start = one.start.max(window.start);
            let end = one.end.min(window.end);
            let before = line.text.get(window.start..start)?;
            (start < end).then(|| (units(before), units(&line.text[window.start..end])))
        });
        GrepLine {
            text: SnippetLine {
                line: line.number,
                matches: matches.collect(),
                text: text.to_owned(),
            },
            cut: units(&line.text[..window.start]),
            inside: self.symbol_around(file, line.start_byte + first),
        }
    }

    /// The innermost definition around a byte.
    fn symbol_around(&self, file: u32, at: usize) -> Option<EnclosingSymbol> {
        let symbols = &self.view.files[file as usize].outline().symbols;
        let around = symbols.iter().rev().find(|symbol| {
            (symbol.span.start_byte as usize..symbol.span.end_byte as usize).contains(&at)
        });
        around.map(|symbol| EnclosingSymbol {
            name: symbol.qualified.clone(),
            start_line: symbol.span.start_line,
            end_line: symbol.span.end_line,
        })
    }
}

/// The part of a line that is shown: all of it, or what lies around a match.
fn window(line: &str, at: usize) -> Range<usize> {
    let before = line[..at].char_indices().rev().nth(CHARS_BEFORE - 1);
    let is_long = line.chars().nth(MAX_LINE_CHARS).is_some();
    let start = if is_long {
        before.map_or(0, |(byte, _)| byte)
    } else {
        0
    };
    let end = line[start..].char_indices().nth(MAX_LINE_CHARS);
    start..end.map_or(line.len(), |(byte, _)| start + byte)
}

fn respond(view: &LiveView, found: Vec<InFile>, limit: usize) -> GrepResponse {
    let mut response = GrepResponse {
        n_searched: found.len() as u32,
        facets: facets(view, &found),
        ..GrepResponse::default()
    };
    let n_unfinished = found.iter().filter(|one| !one.is_whole).count();
    let mut left = limit;
    for one in found.into_iter().filter(|one| one.n_lines > 0) {
        response.n_lines += one.n_lines;
        response.n_files += 1;
        if left > 0 {
            let file = file_of(view, one, left);
            left -= file.lines.len();
            response.files.push(file);
        }
    }
    if n_unfinished > 0 {
        response.stopped = Some(format!(
            "stopped after {} s: {n_unfinished} of {} files were not searched to their end",
            TIME_LIMIT.as_secs(),
            response.n_searched
        ));
    } else if response.n_lines as usize > limit {
        response.stopped = Some(format!("the first {limit} lines"));
    }
    response
}

fn file_of(view: &LiveView, mut found: InFile, n_lines: usize) -> GrepFile {
    found.lines.truncate(n_lines);
    let badge = view.index.roles[found.file as usize].badge();
    GrepFile {
        path: view.files[found.file as usize].path.clone(),
        badges: badge.into_iter().map(str::to_owned).collect(),
        n_lines: found.n_lines,
        lines: found.lines,
    }
}

/// Lines per language and per folder.
fn facets(view: &LiveView, found: &[InFile]) -> Vec<Facet> {
    let mut counts: [BTreeMap<String, u32>; 2] = Default::default();
    for one in found.iter().filter(|one| one.n_lines > 0) {
        let file = &view.files[one.file as usize];
        let folder = file.path.split_once('/').map_or("", |(folder, _)| folder);
        for (slot, value) in [file.language.name(), folder].into_iter().enumerate() {
            *counts[slot].entry(value.to_owned()).or_default() += one.n_lines;
        }
    }
    let named = ["language", "folder"].into_iter().zip(counts);
    named.map(|(name, counts)| facet(name, counts)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_its_first_match() {
        let line = format!("{}needle{}", "é".repeat(500), "x".repeat(500));
        let shown = &line[window(&line, line.find("needle").unwrap_or_default())];
        assert!(shown.starts_with('é') && shown.contains("needle"));
        assert_eq!(shown.chars().count(), MAX_LINE_CHARS);
        assert_eq!(window("short needle", 6), 0..12);
    }
}
