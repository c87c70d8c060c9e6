//! Evidence: terms besides the channels, for what ranks alone do not say. Each is additive and stands
//! in the trace with its reason; a demotion is a negative term.
//!
//! Reads names, paths and roles from memory; a row's text is never read here.

mod file_name;
mod scored;

pub(crate) use file_name::is_alike;
pub(crate) use scored::{Scored, Terms};

use crate::context::QueryContext;
use crate::coverage::coverage_trust;
use crate::fuse::Fused;
use crate::query::{ParsedQuery, QueryShape};
use crate::search_index::{FileRole, SearchIndex, distinct_tokens};
use crate::terms::Channel;
use file_name::{FileNameCover, file_name, is_path};
use std::collections::{HashMap, HashSet};
use whyrank_index::ChunkRef;
use whyrank_syntax::{ChunkKind, Symbol, SymbolKind};

/// Figures about the whole list that terms are normalised by.
struct ListFigures {
    /// A first place's contribution at weight 1.
    unit: f64,
    best_lexical: f64,
    vector_range: (f64, f64),
    static_range: (f64, f64),
    best_walked: f64,
    /// Sum of BM25 over a file's chunks, and the best of them.
    lexical_by_file: HashMap<u32, f64>,
    best_lexical_file: f64,
    /// Sum of fused scores over a file's chunks, and the best of them.
    fused_by_file: HashMap<u32, f64>,
    best_fused_file: f64,
    /// The chunk of each file that carries the file's terms.
    leader: HashMap<u32, u32>,
}

/// Adds evidence to fused rows. The order of rows is kept; O(rows).
pub(crate) fn add_evidence(rows: Vec<Fused>, ctx: QueryContext<'_, '_>) -> Vec<Scored> {
    let figures = ListFigures::of(&rows, ctx.request.rrf_k);
    let only_in_tests = only_in_tests(ctx.index(), ctx.query);
    let mut coverage = FileNameCover::new(ctx.query);
    rows.into_iter()
        .map(|row| {
            let mut terms = Terms::new(figures.unit);
            definition(&row, ctx, &mut terms);
            name_cover(&row, ctx, &mut terms);
            file_name(&row, ctx, &mut coverage, &mut terms);
            magnitudes(&row, &figures, ctx, &mut terms);
            file_terms(&row, ctx, &figures, &mut terms);
            repository(&row, ctx, &mut terms);
            open_file(&row, ctx, &mut terms);
            let keep = demote(&row, ctx, &only_in_tests, &mut terms);
            terms.close(row, keep)
        })
        .collect()
}

impl ListFigures {
    fn of(rows: &[Fused], k: f64) -> Self {
        let mut lexical_by_file: HashMap<u32, f64> = HashMap::new();
        let mut fused_by_file: HashMap<u32, f64> = HashMap::new();
        let mut leader: HashMap<u32, (f64, u32)> = HashMap::new();
        for row in rows {
            let file = row.place.file;
            *lexical_by_file.entry(file).or_default() += listed_bm25(row).unwrap_or(0.0);
            *fused_by_file.entry(file).or_default() += row.score;
            let best = leader.entry(file).or_insert((row.score, row.place.chunk));
            if row.score > best.0 {
                *best = (row.score, row.place.chunk);
            }
        }
        let vectors = rows.iter().filter_map(|row| raw(row, Channel::Vector));
        let best = |figures: &HashMap<u32, f64>| figures.values().copied().fold(0.0, f64::max);
        Self {
            unit: 1.0 / (k + 1.0),
            best_lexical: rows.iter().filter_map(listed_bm25).fold(0.0, f64::max),
            vector_range: range(vectors),
            static_range: range(rows.iter().filter_map(|row| row.static_cosine)),
            best_walked: rows
                .iter()
                .filter_map(|row| raw(row, Channel::Graph))
                .fold(0.0, f64::max),
            best_lexical_file: best(&lexical_by_file),
            best_fused_file: best(&fused_by_file),
            lexical_by_file,
            fused_by_file,
            leader: leader
                .into_iter()
                .map(|(file, (_, chunk))| (file, chunk))
                .collect(),
        }
    }
}

/// The least and the largest.
fn range(scores: impl Iterator<Item = f64>) -> (f64, f64) {
    scores.fold((f64::MAX, f64::MIN), |(low, high), score| {
        (low.min(score), high.max(score))
    })
}

fn raw(row: &Fused, channel: Channel) -> Option<f64> {
    let mut of_channel = row.channels.iter().filter(|rank| rank.channel == channel);
    of_channel.next().map(|rank| rank.raw_score)
}

/// BM25 of a chunk among its list's best: what `file-lexical` sums.
fn listed_bm25(row: &Fused) -> Option<f64> {
    raw(row, Channel::Fts).or_else(|| raw(row, Channel::DocSection))
}

/// The chunk defines what the query names.
fn definition(row: &Fused, ctx: QueryContext<'_, '_>, terms: &mut Terms) {
    let (index, query, tuning) = (ctx.index(), ctx.query, ctx.evidence_tuning);
    let (file, _, Some(symbol)) = index.view.chunk(row.place) else {
        return;
    };
    let strongest = query
        .identifiers
        .iter()
        .map(|identifier| (identifier, match_of(symbol, identifier)))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    let Some((identifier, match_strength)) = strongest.filter(|(_, strength)| *strength > 0.0)
    else {
        return;
    };
    let coefficient = match query.shape {
        QueryShape::Identifier => tuning.definition,
        _ => tuning.embedded_definition,
    };
    let bare = ParsedQuery::bare_name(identifier).to_lowercase();
    let stem = file
        .path
        .rsplit('/')
        .next()
        .unwrap_or(&file.path)
        .split('.')
        .next()
        .unwrap_or("")
        .to_lowercase()
        .replace('_', "");
    let same_stem =
        stem == bare.replace('_', "") || stem.trim_end_matches('s') == bare.replace('_', "");
    let factor = if same_stem { 1.5 } else { 1.0 };
    terms.add("definition", coefficient * match_strength * factor, || {
        let place = if same_stem {
            ", in the file of that name"
        } else {
            ""
        };
        format!(
            "defines `{}`, which the query names{place}",
            symbol.qualified
        )
    });
}

/// How well a definition fits an identifier, 0 to 1.
fn match_of(symbol: &Symbol, identifier: &str) -> f64 {
    let bare = ParsedQuery::bare_name(identifier);
    let by_name = if symbol.name == bare {
        1.0
    } else if symbol.name.eq_ignore_ascii_case(bare) {
        0.6
    } else {
        return 0.0;
    };
    let is_qualified = bare != identifier;
    let by_qualifier =
        if !is_qualified || crate::channels::ends_with_parts(&symbol.qualified, identifier) {
            1.0
        } else {
            0.7
        };
    by_name * by_qualifier * kind_strength(symbol.kind)
}

fn kind_strength(kind: SymbolKind) -> f64 {
    match kind {
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Trait
        | SymbolKind::Interface
        | SymbolKind::Enum
        | SymbolKind::Function
        | SymbolKind::Macro
        | SymbolKind::TypeAlias
        | SymbolKind::Module
        | SymbolKind::Namespace => 1.0,
        SymbolKind::Method => 0.95,
        SymbolKind::Impl | SymbolKind::Constructor => 0.8,
        SymbolKind::Constant | SymbolKind::Variable => 0.7,
        SymbolKind::Field | SymbolKind::Property | SymbolKind::EnumMember => 0.5,
        SymbolKind::Section => 0.3,
    }
}

/// Words of the query that the definition's qualified name holds.
fn name_cover(row: &Fused, ctx: QueryContext<'_, '_>, terms: &mut Terms) {
    let (index, query, tuning) = (ctx.index(), ctx.query, ctx.evidence_tuning);
    if query.shape != QueryShape::NaturalLanguage || query.keywords.is_empty() {
        return;
    }
    let (_, _, Some(symbol)) = index.view.chunk(row.place) else {
        return;
    };
    let name = distinct_tokens(&symbol.qualified);
    let matched: Vec<&str> = query
        .keywords
        .iter()
        .filter(|word| name.contains(word))
        .map(String::as_str)
        .collect();
    let share = matched.len() as f64 / query.keywords.len() as f64;
    terms.add("name-cover", tuning.name_cover * share, || {
        format!(
            "`{}` holds {} of {} query words ({})",
            symbol.qualified,
            matched.len(),
            query.keywords.len(),
            matched.join(", ")
        )
    });
}

/// Scores within their list: ranks alone do not tell a clear first place from a close one.
fn magnitudes(row: &Fused, figures: &ListFigures, ctx: QueryContext<'_, '_>, terms: &mut Terms) {
    let tuning = ctx.evidence_tuning;
    let (factor, times) = ctx.described(tuning.described_lexical);
    let lexical = tuning.lexical_score * factor;
    let bm25 = listed_bm25(row).or(row.bm25_below);
    if let Some(score) = bm25.filter(|_| figures.best_lexical > 0.0) {
        let share = score / figures.best_lexical;
        let unlisted = match row.bm25_below {
            Some(_) => ", after the list's end",
            None => "",
        };
        terms.add("lexical-score", lexical * share, || {
            let percent = share * 100.0;
            format!("BM25 {score:.2}, {percent:.0}% of the best{times}{unlisted}")
        });
    }
    if let Some(cosine) = row.static_cosine {
        let (low, high) = figures.static_range;
        let share = (cosine - low) / (high - low).max(1e-6);
        let (named, times_named) = ctx.named(tuning.identifier_vector);
        let (described, times) = ctx.as_comment(tuning.described_static);
        let amount = tuning.static_score * named * described * share;
        terms.add("static-score", amount, || {
            let percent = share * 100.0;
            format!(
                "static cosine {cosine:.3}, {percent:.0}% of the list's range{times}{times_named}"
            )
        });
    }
    for rank in &row.channels {
        match rank.channel {
            Channel::Graph if figures.best_walked > 0.0 => {
                let share = rank.raw_score / figures.best_walked;
                terms.add("graph-score", tuning.graph_score * share, || {
                    format!(
                        "PageRank {:.4} from the best candidates, {:.0}% of the best",
                        rank.raw_score,
                        share * 100.0
                    )
                });
            }
            Channel::Vector => {
                let (low, high) = figures.vector_range;
                let share = (rank.raw_score - low) / (high - low).max(1e-6);
                let (factor, times) = ctx.named(tuning.identifier_vector);
                let (trust, covered) = of_covered(ctx.search.coverage.vector);
                let amount = tuning.vector_score * factor * share * trust;
                terms.add("vector-score", amount, || {
                    let percent = share * 100.0;
                    let cosine = rank.raw_score;
                    format!("cosine {cosine:.3}, {percent:.0}% of the list's range{times}{covered}")
                });
            }
            _ => {}
        }
    }
}

/// What a list of vectors counts for while not all chunks have one, and that in words.
fn of_covered(coverage: f64) -> (f64, String) {
    let trust = coverage_trust(coverage);
    let covered = if coverage < 1.0 {
        format!(
            ", times {trust:.2} as {:.0}% of the chunks have a vector",
            coverage * 100.0
        )
    } else {
        String::new()
    };
    (trust, covered)
}

/// Evidence for the whole file: its leading chunk carries it in full, the others their share.
fn file_terms(row: &Fused, ctx: QueryContext<'_, '_>, figures: &ListFigures, terms: &mut Terms) {
    let (index, tuning) = (ctx.index(), ctx.evidence_tuning);
    let file = row.place.file;
    let is_leader = figures.leader.get(&file) == Some(&row.place.chunk);
    let factor = if is_leader { 1.0 } else { tuning.file_share };
    let share_of = |figures: &HashMap<u32, f64>, best: f64| {
        figures.get(&file).copied().unwrap_or(0.0) / best.max(f64::MIN_POSITIVE)
    };
    let lexical = share_of(&figures.lexical_by_file, figures.best_lexical_file);
    let (described, times) = ctx.described(tuning.described_file);
    let of_file = tuning.lexical_file * described;
    terms.add("file-lexical", of_file * lexical * factor, || {
        format!(
            "all matching chunks of the file: {:.0}% of the best file's BM25{times}",
            lexical * 100.0
        )
    });
    let coherence = share_of(&figures.fused_by_file, figures.best_fused_file);
    terms.add(
        "file-coherence",
        tuning.file_coherence * coherence * factor,
        || {
            format!(
                "all found chunks of the file: {:.0}% of the best file's ranks",
                coherence * 100.0
            )
        },
    );
    let rank = f64::from(index.view.file_rank(file));
    terms.add("file-rank", tuning.file_rank * rank, || {
        format!("PageRank {rank:.2} of the most imported file's")
    });
}

/// Among several repositories: the one that the query names, and those that the asking one imports.
fn repository(row: &Fused, ctx: QueryContext<'_, '_>, terms: &mut Terms) {
    let (index, query, tuning) = (ctx.index(), ctx.query, ctx.evidence_tuning);
    let Some(part) = index.part_of(row.place.file) else {
        return;
    };
    if query.repositories.contains(&part.name) {
        terms.add("repository-named", tuning.repository_named, || {
            format!("lies in {}, which the query names", part.name)
        });
    }
    let imported = ctx.search.imported.get(&part.name);
    if let Some(asking) = imported {
        terms.add("repository-imported", tuning.repository_imported, || {
            format!("lies in {}, which {asking} imports", part.name)
        });
    }
}

/// Next to the file that is open, where the question says which is.
fn open_file(row: &Fused, ctx: QueryContext<'_, '_>, terms: &mut Terms) {
    let Some(open) = &ctx.search.open_file else {
        return;
    };
    let has = |files: &[u32]| files.binary_search(&row.place.file).is_ok();
    let how = match (has(&open.imports), has(&open.importers)) {
        (true, _) => "imported by",
        (false, true) => "imports",
        (false, false) => return,
    };
    terms.add("open-file", ctx.evidence_tuning.open_file, || {
        format!("{how} {}, which is open", open.path)
    });
}

/// Tests, examples, prose, copies: last unless asked for. Returns what is left of the score, 0 to 1.
fn demote(
    row: &Fused,
    ctx: QueryContext<'_, '_>,
    only_in_tests: &HashSet<ChunkRef>,
    terms: &mut Terms,
) -> f64 {
    let (index, query, tuning) = (ctx.index(), ctx.query, ctx.evidence_tuning);
    let role = index.role_of(row.place);
    let file = &index.view.files[row.place.file as usize];
    let is_named = only_in_tests.contains(&row.place)
        || (query.shape == QueryShape::Path && is_path(&file.path, &query.text));
    let (keep, what) = match role {
        FileRole::Source => (1.0, ""),
        _ if is_named => (1.0, ""),
        FileRole::Test if query.wants_tests_in(index, row.place.file) => (1.0, ""),
        FileRole::Docs | FileRole::Example if query.wants_docs => (1.0, ""),
        FileRole::Config if query.wants_config => (1.0, ""),
        FileRole::Config => (tuning.keep_config, "config"),
        FileRole::Test => (tuning.keep_test, "test"),
        FileRole::Example => (tuning.keep_example, "example"),
        FileRole::Docs => (tuning.keep_docs, "docs"),
        FileRole::Vendored | FileRole::Generated => (tuning.keep_foreign, "foreign"),
        FileRole::Legacy => (tuning.keep_legacy, "legacy"),
        FileRole::Stub => (tuning.keep_stub, "stub"),
    };
    let residue = if is_residue(row, index) && query.shape == QueryShape::NaturalLanguage {
        tuning.keep_residue
    } else {
        1.0
    };
    let barrel = if is_barrel(row, index) {
        tuning.keep_barrel
    } else {
        1.0
    };
    let so_far = (row.score + terms.sum()) / terms.unit;
    if keep < 1.0 {
        terms.add(&format!("{what}-file"), (keep - 1.0) * so_far, || {
            format!("{what} file: keeps {:.0}% of its score", keep * 100.0)
        });
    }
    if residue < 1.0 {
        terms.add(
            "between-definitions",
            (residue - 1.0) * so_far * keep,
            || {
                format!(
                    "code between definitions: keeps {:.0}% of its score",
                    residue * 100.0
                )
            },
        );
    }
    if barrel < 1.0 {
        terms.add(
            "re-exports",
            (barrel - 1.0) * so_far * keep * residue,
            || {
                format!(
                    "a file that mainly re-exports: keeps {:.0}% of its score",
                    barrel * 100.0
                )
            },
        );
    }
    keep * residue * barrel
}

/// Chunks with definitions that the query names and tests alone have: who asks for those means them.
fn only_in_tests(index: &SearchIndex, query: &ParsedQuery) -> HashSet<ChunkRef> {
    let mut chunks = HashSet::new();
    for identifier in &query.identifiers {
        let name = ParsedQuery::bare_name(identifier);
        let named = index.named_where(&index.with_name(name), |named| named.name == name);
        let places = named.into_iter().filter_map(|id| index.chunk_of(id));
        let places: Vec<ChunkRef> = places.collect();
        let is_test = |place: &ChunkRef| index.role_of(*place) == FileRole::Test;
        if places.iter().all(is_test) {
            chunks.extend(places);
        }
    }
    chunks
}

fn is_residue(row: &Fused, index: &SearchIndex) -> bool {
    let (file, chunk, symbol) = index.view.chunk(row.place);
    symbol.is_none() && chunk.kind == ChunkKind::Residue && !file.outline().symbols.is_empty()
}

/// Package markers and index files that define nothing of their own.
fn is_barrel(row: &Fused, index: &SearchIndex) -> bool {
    const NAMES: [&str; 6] = [
        "__init__.py",
        "index.ts",
        "index.js",
        "mod.rs",
        "lib.rs",
        "index.tsx",
    ];
    let file = &index.view.files[row.place.file as usize];
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    let defines = file.outline().symbols.iter().any(|symbol| {
        matches!(
            symbol.kind,
            SymbolKind::Function
                | SymbolKind::Method
                | SymbolKind::Class
                | SymbolKind::Struct
                | SymbolKind::Trait
                | SymbolKind::Enum
                | SymbolKind::Interface
                | SymbolKind::Macro
        )
    });
    NAMES.contains(&name) && !defines
}
