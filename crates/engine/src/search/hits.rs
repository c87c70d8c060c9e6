//! Hits as an answer shows them: whole definitions, the lines that match best, what can be narrowed by.

use crate::api::{Facet, Hit, ReasonCount, SearchResponse, SnippetLine};
use crate::error::Result;
use crate::evidence::evidence_id;
use crate::views::{LivePart, LivePool, MAX_LINE_CHARS, Texts, cut};
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;
use whyrank_index::{ChunkRef, OwnFile};
use whyrank_retrieval::{Coverage, ParsedQuery, RankedHit, SearchOutcome, chunk_kind_name};
use whyrank_syntax::Span;

/// Lines of a snippet.
const SNIPPET_LINES: usize = 3;

pub(super) fn respond(
    pool: &LivePool,
    outcome: SearchOutcome,
    coverage: Coverage,
    started: Instant,
) -> Result<SearchResponse> {
    let views = pool.parts.iter();
    let mut texts: Vec<Texts<'_>> = views.map(|part| Texts::new(&part.view)).collect();
    let hits = outcome
        .hits
        .iter()
        .enumerate()
        .map(|(idx, hit)| hit_of(pool, &outcome.query, hit, idx as u32 + 1, &mut texts))
        .collect::<Result<Vec<Hit>>>()?;
    let mut notes = outcome.trace.notes.clone();
    if coverage.lexical < 1.0 {
        notes.push(format!(
            "{:.0}% of the files are indexed so far",
            coverage.lexical * 100.0
        ));
    }
    if coverage.vector > 0.0 && coverage.vector < 1.0 {
        notes.push(format!(
            "{:.0}% of the chunks have a vector so far",
            coverage.vector * 100.0
        ));
    }
    Ok(SearchResponse {
        missing: Vec::new(),
        unknown_current_file: None,
        query_id: outcome.trace.query_id.as_str().into(),
        facets: facets(&hits, pool.is_pooled()),
        hits,
        n_candidates: outcome.n_candidates as u32,
        elapsed_ms: started.elapsed().as_secs_f64() * 1e3,
        notes,
        confidence: outcome.trace.confidence.and_then(|one| one.measured()),
        poor_fit: outcome.trace.fit.and_then(|fit| fit.poor),
        coverage,
        memory_gap: None,
        memos: Vec::new(),
        rerank: None,
    })
}

fn hit_of(
    pool: &LivePool,
    query: &ParsedQuery,
    hit: &RankedHit,
    rank: u32,
    texts: &mut [Texts<'_>],
) -> Result<Hit> {
    let (at, OwnFile(file)) = pool.index.locate_file(hit.place.file);
    let LivePart { name, view, .. } = &pool.parts[at];
    let place = ChunkRef { file, ..hit.place };
    let (file, chunk, symbol) = view.chunk(place);
    let text = texts[at].get(place.file)?;
    let found = |span: &Span| {
        let bytes = span.start_byte as usize..span.end_byte as usize;
        text.get(bytes).unwrap_or_default()
    };
    let whole = view.index.definition(place);
    let whole = whole.map(|id| &view.index.symbol(id).span);
    let lines = whole.unwrap_or(&chunk.span);
    // A part that is nothing but the comment before a definition shows the definition.
    let shown = if lines.start_line > chunk.span.end_line {
        lines
    } else {
        &chunk.span
    };
    let body = found(shown);
    let signature = match symbol {
        Some(symbol) => symbol.signature.clone(),
        None => cut(
            body.lines()
                .map(str::trim)
                .find(|line| !line.is_empty())
                .unwrap_or_default(),
            120,
        )
        .to_owned(),
    };
    let kind = chunk_kind_name(chunk.kind, symbol);
    Ok(Hit {
        rank,
        repo: pool.is_pooled().then(|| name.clone()),
        path: file.path.clone(),
        start_line: lines.start_line,
        end_line: lines.end_line,
        symbol: symbol.map(|symbol| symbol.qualified.clone()),
        kind: kind.to_owned(),
        signature,
        language: file.language.name().to_owned(),
        score: hit.score,
        channels: hit.channels.clone(),
        snippet: snippet(
            body,
            shown.start_line,
            chunk.focus_line.max(shown.start_line),
            query,
        ),
        badges: view
            .index
            .role_of(place)
            .badge()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        more_in_file: hit.more_in_file,
        copies: hit
            .copies
            .iter()
            .map(|file| pool.index.path_within(*file).to_owned())
            .collect(),
        evidence_id: evidence_id(view, place.file, lines.start_line, lines.end_line),
    })
}

/// Gives hits the paths that they have in the view over several repositories, as [`Engine::view_of`]
/// opens it for the same id.
///
/// [`Engine::view_of`]: crate::Engine::view_of
pub(super) fn lay_below_names(hits: &mut [Hit]) {
    for hit in hits {
        if let Some(repo) = hit.repo.take() {
            hit.path = format!("{repo}/{}", hit.path);
        }
    }
}

/// The definition's head and the lines that hold most of the query's words, in order.
fn snippet(body: &str, first_line: u32, focus_line: u32, query: &ParsedQuery) -> Vec<SnippetLine> {
    let words: HashSet<&str> = query
        .tokens
        .iter()
        .map(|(token, _)| token.as_str())
        .collect();
    let mut scored: Vec<(usize, u32, &str)> = body
        .lines()
        .zip(first_line..)
        .filter(|(text, _)| text.chars().any(char::is_alphanumeric))
        .map(|(text, line)| {
            let found: HashSet<String> = whyrank_index::tokens(text)
                .into_iter()
                .filter(|token| words.contains(token.as_str()))
                .collect();
            let head = usize::from(line == focus_line) * 100;
            (found.len() + head, line, text)
        })
        .collect();
    scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(SNIPPET_LINES);
    scored.sort_by_key(|(_, line, _)| *line);
    scored
        .into_iter()
        .map(|(_, line, text)| {
            let text = cut(text, MAX_LINE_CHARS).to_owned();
            SnippetLine {
                line,
                matches: matches_in(&text, &words),
                text,
            }
        })
        .collect()
}

/// Ranges of a line, in UTF-16 units, whose words the query holds.
fn matches_in(text: &str, words: &HashSet<&str>) -> Vec<(u32, u32)> {
    let mut matches = Vec::new();
    let mut start = None;
    let mut close = |start: &mut Option<usize>, end: usize| {
        if let Some(from) = start.take() {
            let word = &text[from..end];
            let is_match = whyrank_index::tokens(word)
                .iter()
                .any(|token| words.contains(token.as_str()));
            if is_match {
                let units = |range: &str| range.encode_utf16().count() as u32;
                matches.push((units(&text[..from]), units(&text[..end])));
            }
        }
    };
    for (at, char) in text.char_indices() {
        let is_word = char.is_alphanumeric() || char == '_';
        match (is_word, start) {
            (true, None) => start = Some(at),
            (false, Some(_)) => close(&mut start, at),
            _ => {}
        }
    }
    close(&mut start, text.len());
    matches
}

/// Values to narrow by, of language, kind, folder and repository. Hits are counted as they are listed;
/// candidates that are no hits are in no count.
fn facets(hits: &[Hit], is_pooled: bool) -> Vec<Facet> {
    let mut counts: [BTreeMap<String, u32>; 4] = Default::default();
    for hit in hits {
        let folder = hit.path.split_once('/').map_or("", |(folder, _)| folder);
        let kind = if hit.symbol.is_some() {
            "definition"
        } else {
            "other"
        };
        let name = hit.repo.as_deref().unwrap_or_default();
        let values = [hit.language.as_str(), kind, folder, name];
        for (slot, value) in values.into_iter().enumerate() {
            *counts[slot].entry(value.to_owned()).or_default() += 1;
        }
    }
    let names = ["language", "kind", "folder", "repository"];
    let n_shown = if is_pooled { 4 } else { 3 };
    names[..n_shown]
        .iter()
        .zip(counts)
        .map(|(name, counts)| facet(name, counts))
        .collect()
}

pub(super) fn facet(name: &str, counts: BTreeMap<String, u32>) -> Facet {
    let mut values: Vec<ReasonCount> = counts
        .into_iter()
        .map(|(reason, count)| ReasonCount { reason, count })
        .collect();
    values.sort_by(|a, b| b.count.cmp(&a.count).then(a.reason.cmp(&b.reason)));
    Facet {
        name: name.to_owned(),
        values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_utf16_ranges_of_whole_words() {
        let words = HashSet::from(["rout"]);
        assert_eq!(matches_in("// é: add_routes(x)", &words), [(6, 16)]);
    }

    #[test]
    fn the_snippet_keeps_the_head_and_the_best_lines_in_order() {
        let query = ParsedQuery::parse("parse the header");
        let lines = snippet(
            "fn a() {\n  one\n  parse\n  parse(header)\n}\n",
            10,
            10,
            &query,
        );
        let numbers: Vec<u32> = lines.iter().map(|line| line.line).collect();
        assert_eq!(numbers, [10, 12, 13]);
    }
}
