//! The order of files, then of the definitions in the best of them.

pub(super) use super::evidence::Semantic;

use super::evidence::{IssueEvidence, Term, weight_of};
use super::lexical::{self, LexicalScores, PARTS};
use super::names::NamedPlaces;
use super::past_changes::PastChanges;
use super::record::{IssuePart, IssueRecord};
use crate::channels::{self, CHANNEL_DEPTH, Gathered, RankedChunk, number, path_cover};
use crate::context::QueryContext;
use crate::error::Result;
use crate::evidence::{Scored, Terms};
use crate::fuse::{self, Fused};
use crate::query::{Issue, ParsedQuery, PartKind};
use crate::search_index::SearchIndex;
use crate::settings::Tuning;
use crate::terms::Channel;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use whyrank_index::{ChunkRef, VectorScan};
use whyrank_inference::QueryKind;

/// Files whose definitions are looked at.
const N_FILES: usize = 80;
/// Definitions of a file that become candidates.
const N_CHUNKS: usize = 16;
/// Words of a window: about 128 tokens of an encoder.
const WINDOW_WORDS: usize = 80;
/// Windows that are encoded at most.
const MAX_WINDOWS: usize = 4;

/// A file and the best of its definitions, with the evidence for each besides the file.
type Chosen = (u32, Vec<(ChunkRef, f64)>);

/// Candidates with their evidence.
pub(crate) struct Ranked {
    pub(crate) gathered: Gathered,
    pub(crate) scored: Vec<Scored>,
    pub(crate) record: IssueRecord,
}

/// Ranks for an issue. Rows come in order of place.
pub(crate) fn rank(ctx: QueryContext<'_, '_>, issue: &Issue) -> Result<Ranked> {
    let index = ctx.index();
    let started = Instant::now();
    let lexical = lexical::score(&ctx.search.stores, index, issue)?;
    let lexical_took = started.elapsed();
    let named = NamedPlaces::of(issue, index);
    let title = ParsedQuery::parse(&issue.title);
    let (near, semantic) = windows(ctx, issue);
    let offsets = ctx.search.offsets();
    let parts = ctx.search.past.iter().copied().zip(offsets);
    let past = PastChanges::pooled(parts, &said(issue));
    let weights = IssueEvidence {
        past: &past,
        index,
        tuning: &ctx.evidence_tuning.issue,
        lexical: &lexical,
        named: &named,
        path_cover: path_cover(index, &title),
        words: &words(issue, &title),
        wants_docs: title.wants_docs,
        title: &title,
        semantic: &semantic,
    };
    let chosen = choose(&weights, ctx);
    let mut gathered = Gathered::default();
    gathered.add(
        ctx,
        Channel::Fts,
        Ok(by_words(&chosen, &weights)),
        lexical_took,
    );
    let skipped = "documentation steps back for an issue".to_owned();
    gathered.add(ctx, Channel::DocSection, Err(skipped), Default::default());
    let started = Instant::now();
    let paths = channels::path(index, &title, ctx.allowed);
    gathered.add(ctx, Channel::Path, Ok(paths), started.elapsed());
    gathered.add(
        ctx,
        Channel::SymbolName,
        Ok(by_names(&named, index, ctx)),
        Default::default(),
    );
    let (hits, elapsed, encode_ms) = near;
    gathered.add_vector(ctx, hits, elapsed, encode_ms);
    gathered.sort();
    let scored = add_evidence(&chosen, &gathered, &weights, ctx);
    let mut record = record(issue, &lexical, &named, ctx.evidence_tuning);
    if !past.words.is_empty() {
        let part = part(
            PartKind::History,
            &issue.title,
            issue.title.split_whitespace().count() as u32,
            past.words.len(),
            ctx.evidence_tuning,
        );
        record.parts.push(part);
    }
    Ok(Ranked {
        gathered,
        scored,
        record,
    })
}

/// What commits would say: the title, then the reporter's words.
fn said(issue: &Issue) -> String {
    let prose = issue.prose.iter().take(30).map(String::as_str);
    let lines: Vec<&str> = std::iter::once(issue.title.as_str()).chain(prose).collect();
    lines.join(" ")
}

/// Tokens of the title, the prose and the names.
fn words(issue: &Issue, title: &ParsedQuery) -> Vec<String> {
    let mut words: HashSet<String> = title.keywords.iter().cloned().collect();
    let names = issue.names.iter().filter(|name| name.weight >= 0.8);
    for text in issue
        .prose
        .iter()
        .take(30)
        .map(String::as_str)
        .chain(names.map(|name| name.text.as_str()))
    {
        whyrank_index::for_each_token(text, |token| {
            if token.len() > 3 && words.len() < 400 {
                words.insert(token.to_owned());
            }
        });
    }
    let mut words: Vec<String> = words.into_iter().collect();
    words.sort();
    words
}

/// The best definitions of the best files, with the evidence for each file.
fn choose(weights: &IssueEvidence<'_>, ctx: QueryContext<'_, '_>) -> Vec<Chosen> {
    let view = &weights.index.view;
    let is_allowed = |place: ChunkRef| ctx.allowed.contains(view.chunk_id(place));
    let mut files: Vec<(f64, Chosen)> = Vec::new();
    let mut scores: Vec<(u32, f64)> = (0..view.files.len() as u32)
        .map(|file| (file, weights.file_score(file)))
        .filter(|(_, score)| *score > 0.0)
        .collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores.truncate(2 * N_FILES);
    for (file, score) in scores {
        let n_chunks = view.files[file as usize].n_chunks;
        let places = (0..n_chunks).map(|chunk| ChunkRef { file, chunk });
        let mut chunks: Vec<(ChunkRef, f64)> = places
            .filter(|place| {
                is_allowed(*place) && view.locate(view.chunk_id(*place)) == Some(*place)
            })
            .map(|place| (place, weights.chunk_score(place)))
            .collect();
        chunks.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        chunks.truncate(N_CHUNKS);
        if let Some((_, best)) = chunks.first() {
            let total = score + best;
            files.push((total, (file, chunks)));
        }
    }
    files.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.0.cmp(&b.1.0)));
    files.truncate(N_FILES);
    files.into_iter().map(|(_, chosen)| chosen).collect()
}

/// Chunks by the words of all parts, each part against its best.
fn by_words(chosen: &[Chosen], weights: &IssueEvidence<'_>) -> Vec<RankedChunk> {
    let lexical = weights.lexical;
    let score = |place: ChunkRef| -> f64 {
        let scores = lexical
            .chunk(place)
            .iter()
            .zip(&lexical.best_chunk)
            .zip(PARTS);
        scores
            .filter(|((_, best), _)| **best > 0.0)
            .map(|((score, best), part)| weights.tuning.of_chunks(part) * f64::from(score / best))
            .sum()
    };
    let places = chosen
        .iter()
        .flat_map(|(_, chunks)| chunks)
        .map(|(place, _)| *place);
    let mut list: Vec<(ChunkRef, f64)> = places.map(|place| (place, score(place))).collect();
    list.retain(|(_, score)| *score > 0.0);
    list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    number(list)
}

fn by_names(
    named: &NamedPlaces,
    index: &SearchIndex,
    ctx: QueryContext<'_, '_>,
) -> Vec<RankedChunk> {
    let mut best: HashMap<ChunkRef, f64> = HashMap::new();
    for (symbol, found) in named.symbols.iter().chain(&named.frame_symbols) {
        if let Some(place) = index.chunk_of(*symbol)
            && ctx.allowed.contains(index.view.chunk_id(place))
        {
            let value = best.entry(place).or_default();
            *value = value.max(found.value);
        }
    }
    let mut list: Vec<(ChunkRef, f64)> = best.into_iter().collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    list.truncate(CHANNEL_DEPTH);
    number(list)
}

/// The vector channel's list and its time, or why there is none.
type Timed = (
    std::result::Result<Vec<RankedChunk>, String>,
    Duration,
    Option<f64>,
);

/// Asks the vectors with every window of the issue; a chunk counts by its nearest.
fn windows(ctx: QueryContext<'_, '_>, issue: &Issue) -> (Timed, Semantic) {
    let started = Instant::now();
    let nothing = |reason: String| ((Err(reason), started.elapsed(), None), Semantic::default());
    let context = ctx.search;
    let encoder = match &context.encoder {
        Ok(encoder) => *encoder,
        Err(reason) => return nothing(reason.clone()),
    };
    if context.coverage.vector <= 0.0 {
        return nothing("no chunk has a vector yet".to_owned());
    }
    let mut encode_ms = 0.0;
    let mut best: HashMap<ChunkRef, f64> = HashMap::new();
    let allowed = ctx.allowed - &context.index.reopened;
    for text in texts_of_windows(issue) {
        let encoding = Instant::now();
        let encoded = encoder.encode_query(&text, QueryKind::NaturalLanguage);
        encode_ms += encoding.elapsed().as_secs_f64() * 1e3;
        let found = encoded
            .map_err(|error| error.to_string())
            .and_then(|encoded| {
                let scan = VectorScan {
                    limit: CHANNEL_DEPTH,
                    exact: false,
                };
                let near = context
                    .stores
                    .nearest(encoder.spec(), &encoded, &allowed, scan);
                near.map_err(|error| error.to_string())
            });
        let found = match found {
            Ok(found) => found,
            Err(reason) => return nothing(reason),
        };
        for row in channels::vector(context.index, &found) {
            let score = best.entry(row.place).or_insert(row.raw_score);
            *score = score.max(row.raw_score);
        }
        if Instant::now() >= ctx.deadline {
            break;
        }
    }
    let mut list: Vec<(ChunkRef, f64)> = best.into_iter().collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    list.truncate(CHANNEL_DEPTH);
    let semantic = shares(&list);
    (
        (Ok(number(list)), started.elapsed(), Some(encode_ms)),
        semantic,
    )
}

fn shares(list: &[(ChunkRef, f64)]) -> Semantic {
    let mut semantic = Semantic::default();
    let (Some((_, high)), Some((_, low))) = (list.first(), list.last()) else {
        return semantic;
    };
    for (place, score) in list {
        let share = (score - low) / (high - low).max(1e-6);
        semantic.chunks.insert(*place, share);
        let file = semantic.files.entry(place.file).or_default();
        *file = file.max(share);
    }
    semantic
}

/// The title with the first sentences, then the rest of the prose, as many words each as an encoder reads.
fn texts_of_windows(issue: &Issue) -> Vec<String> {
    let mut windows = vec![issue.title.clone()];
    let words: Vec<&str> = issue
        .prose
        .iter()
        .flat_map(|line| line.split_whitespace())
        .collect();
    for window in words.chunks(WINDOW_WORDS).take(MAX_WINDOWS - 1) {
        windows.push(format!("{} {}", issue.title, window.join(" ")));
    }
    windows
}

fn add_evidence(
    chosen: &[Chosen],
    gathered: &Gathered,
    weights: &IssueEvidence<'_>,
    ctx: QueryContext<'_, '_>,
) -> Vec<Scored> {
    let fused = fuse::fuse(&gathered.lists, ctx.request.rrf_k);
    let mut by_place: HashMap<ChunkRef, Fused> =
        fused.into_iter().map(|row| (row.place, row)).collect();
    let mut rows = Vec::new();
    for (file, chunks) in chosen {
        let of_file: Vec<Term> = weights.file_terms(*file);
        for (place, _) in chunks {
            let row = by_place
                .remove(place)
                .unwrap_or_else(|| Fused::nowhere(*place));
            let mut terms = Terms::new(ctx.unit());
            let keep = weights.add(*place, &of_file, row.score, &mut terms);
            rows.push(terms.close(row, keep));
        }
    }
    rows.sort_by_key(|row| row.fused.place);
    rows
}

fn record(
    issue: &Issue,
    lexical: &LexicalScores,
    named: &NamedPlaces,
    tuning: &Tuning,
) -> IssueRecord {
    let joined = |lines: &[String]| lines.join("\n");
    let texts = [
        issue.title.clone(),
        joined(&issue.prose),
        joined(&issue.code),
        joined(&issue.output),
        joined(&issue.messages),
    ];
    let mut parts: Vec<IssuePart> = Vec::new();
    for (at, text) in texts.into_iter().enumerate() {
        let n_files = lexical
            .files
            .iter()
            .filter(|scores| scores[at] > 0.0)
            .count();
        parts.push(part(
            PARTS[at],
            &text,
            lexical.n_tokens(at),
            n_files,
            tuning,
        ));
    }
    let mut frames: Vec<String> = named
        .frames
        .values()
        .flat_map(|found| found.words.clone())
        .collect();
    frames.sort();
    let names: Vec<&str> = issue.names.iter().map(|name| name.text.as_str()).collect();
    let rest = [
        (
            PartKind::Frame,
            frames.join("\n"),
            named.n_frames,
            named.frames.len(),
        ),
        (
            PartKind::Name,
            names.join(", "),
            names.len() as u32,
            named.names.len(),
        ),
        (
            PartKind::Path,
            issue.paths.join(", "),
            issue.paths.len() as u32,
            named.paths.len(),
        ),
        (
            PartKind::Module,
            issue.modules.join(", "),
            issue.modules.len() as u32,
            named.modules.len(),
        ),
    ];
    for (kind, text, n_asked, n_files) in rest {
        parts.push(part(kind, &text, n_asked, n_files, tuning));
    }
    parts.retain(|part| part.n_asked > 0);
    IssueRecord {
        parts,
        n_dropped_lines: issue.n_dropped,
        n_unread_bytes: issue.n_unread,
    }
}

/// Letters of a part that a trace keeps.
const MAX_TEXT: usize = 300;

fn part(kind: PartKind, text: &str, n_asked: u32, n_files: usize, tuning: &Tuning) -> IssuePart {
    IssuePart {
        kind,
        text: text[..text.floor_char_boundary(MAX_TEXT)].to_owned(),
        n_asked,
        weight: weight_of(kind, &tuning.issue),
        n_files: n_files as u32,
        brought: 0.0,
    }
}

impl IssueRecord {
    /// Notes what each part adds to the first hit.
    pub(crate) fn credit(&mut self, first: Option<&Scored>) {
        for part in &mut self.parts {
            let name = format!("issue-{}", part.kind.name());
            let is_its = |term: &str| {
                term.strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            };
            let terms = first.into_iter().flat_map(|row| &row.evidence);
            let its = terms.filter(|term| is_its(&term.name));
            part.brought = its.map(|term| term.contribution).sum();
        }
    }
}
