//! The gate and late interaction, over token vectors that are words.

use crate::fixture::Fixture;
use roaring::RoaringBitmap;
use std::collections::HashMap;
use std::ops::Range;
use std::time::Instant;
use whyrank_inference::QueryKind;
use whyrank_retrieval::{
    Channel, EncodedQuery, GateMode, GateReason, QueryToken, RescoredChunks, SearchOutcome,
    SearchQuery, TokenIndex, TokenMatch,
};

/// Words as token vectors: the same word is 1 apart, the same beginning 0.6, others 0.1.
#[derive(Default)]
pub(crate) struct FakeTokens {
    words: HashMap<u32, Vec<(String, u32)>>,
    /// Chunks that are reached before time is up.
    n_reached: Option<usize>,
    /// Why no query can be encoded.
    broken: Option<String>,
}

impl FakeTokens {
    fn of(fixture: &Fixture) -> Self {
        let view = &fixture.index.view;
        let mut words = HashMap::new();
        for (chunk, owner) in view
            .visible
            .iter()
            .filter_map(|chunk| Some((chunk, view.locate(chunk)?)))
        {
            let (file, found, _) = view.chunk(owner);
            let text = fixture.reader.text(file.content_id).unwrap();
            let start = found.span.start_byte as usize;
            let body = &text[start..found.span.end_byte as usize];
            words.insert(chunk, words_of(body));
        }
        Self {
            words,
            ..Self::default()
        }
    }
}

/// Words and their first bytes.
fn words_of(text: &str) -> Vec<(String, u32)> {
    let mut words = Vec::new();
    let mut at = 0;
    for word in text.split(|char: char| !char.is_alphanumeric()) {
        if !word.is_empty() {
            words.push((word.to_lowercase(), at as u32));
        }
        at += word.len() + 1;
    }
    words
}

fn alike(a: &str, b: &str) -> f32 {
    let beginning = |word: &str| word.chars().take(4).collect::<String>();
    if a == b {
        1.0
    } else if beginning(a) == beginning(b) {
        0.6
    } else {
        0.1
    }
}

impl TokenIndex for FakeTokens {
    fn encode(&self, text: &str, _: QueryKind) -> Result<Box<dyn EncodedQuery + '_>, String> {
        if let Some(reason) = &self.broken {
            return Err(reason.clone());
        }
        let words = text.split_whitespace().map(|word| QueryToken {
            text: word.to_lowercase(),
            continues: false,
        });
        Ok(Box::new(FakeQuery {
            source: self,
            tokens: words.collect(),
        }))
    }
}

struct FakeQuery<'a> {
    source: &'a FakeTokens,
    tokens: Vec<QueryToken>,
}

impl EncodedQuery for FakeQuery<'_> {
    fn tokens(&self) -> &[QueryToken] {
        &self.tokens
    }

    fn rescore(&self, chunks: &[u32], _: Instant) -> Result<RescoredChunks, String> {
        let reached = chunks
            .iter()
            .take(self.source.n_reached.unwrap_or(usize::MAX));
        let score = |chunk: &u32| {
            let matches = self.align(*chunk, &[]);
            (!matches.is_empty()).then(|| matches.iter().map(|found| found.score).sum())
        };
        Ok(RescoredChunks {
            scores: reached.map(score).collect(),
            n_tokens: 10,
        })
    }

    fn wide(
        &self,
        allowed: &RoaringBitmap,
        limit: usize,
        deadline: Instant,
    ) -> Result<Vec<(u32, f32)>, String> {
        let chunks: Vec<u32> = allowed.iter().collect();
        let scores = self.rescore(&chunks, deadline)?.scores;
        let mut found: Vec<(u32, f32)> = chunks
            .into_iter()
            .zip(scores)
            .filter_map(|(chunk, score)| Some((chunk, score?)))
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(limit);
        Ok(found)
    }

    fn align(&self, chunk: u32, hidden: &[Range<u32>]) -> Vec<TokenMatch> {
        let Some(words) = self.source.words.get(&chunk) else {
            return Vec::new();
        };
        let best = |(query_token, token): (usize, &QueryToken)| {
            let is_seen = |at: &u32| !hidden.iter().any(|range| range.contains(at));
            let seen = words.iter().filter(|(_, at)| is_seen(at));
            let scored = seen.map(|(word, at)| TokenMatch {
                query_token: query_token as u32,
                score: alike(&token.text, word),
                byte_start: *at,
                byte_len: word.len() as u32,
            });
            scored.max_by(|a, b| {
                a.score
                    .total_cmp(&b.score)
                    .then(b.byte_start.cmp(&a.byte_start))
            })
        };
        self.tokens.iter().enumerate().filter_map(best).collect()
    }
}

fn with_tokens(change: impl FnOnce(&mut FakeTokens)) -> Fixture {
    let mut fixture = Fixture::new();
    let mut tokens = FakeTokens::of(&fixture);
    change(&mut tokens);
    fixture.tokens = Some(tokens);
    fixture
}

fn ask(fixture: &Fixture, text: &str, mode: GateMode) -> SearchOutcome {
    let set = |query: &mut SearchQuery| {
        query.gate.mode = mode;
        query.tuning.late_score = 2.0;
        query.tuning.late_file = 0.5;
    };
    fixture.ask_with(text, set, true)
}

const QUERY: &str = "where does the handler of a path get matched";

#[test]
fn late_interaction_is_a_term_of_the_sum() {
    let fixture = with_tokens(|_| {});
    for query in [QUERY, "Router.add_route", "session", "no route matches: x"] {
        let trace = ask(&fixture, query, GateMode::Always).trace;
        let terms = |name: &str| {
            let terms = trace.rows.iter().flat_map(|row| &row.evidence);
            terms.filter(|term| term.name == name).count()
        };
        assert!(terms("max-sim") > 0 && terms("file-max-sim") > 0, "{query}");
        for row in &trace.rows {
            let channels: f64 = row.channels.iter().map(|rank| rank.contribution).sum();
            let evidence: f64 = row.evidence.iter().map(|term| term.contribution).sum();
            assert!(
                (channels + evidence - row.score).abs() < 1e-9,
                "{query}: {row:?}"
            );
        }
    }
}

#[test]
fn the_best_by_tokens_gains_most_and_the_least_nothing() {
    let fixture = with_tokens(|_| {});
    let trace = ask(&fixture, QUERY, GateMode::Always).trace;
    let rescored = trace.rows.iter().filter_map(|row| Some((row, row.late?)));
    let gain = |rank: u32| {
        let mut rows = rescored.clone().filter(|(_, late)| late.rank == rank);
        let (row, _) = rows.next().unwrap();
        let terms = row.evidence.iter().filter(|term| term.name == "max-sim");
        // What a demotion takes off is not of interest here.
        let kept = row
            .evidence
            .iter()
            .all(|term| !term.name.ends_with("-file") || term.contribution > 0.0);
        (terms.map(|term| term.contribution).sum::<f64>(), kept)
    };
    let n = rescored.clone().count() as u32;
    assert!(n > 3);
    assert!(gain(1).0 > 0.0);
    assert_eq!(gain(n).0, 0.0);
}

/// A neighbour's comment matches the query, the function that does it has none.
#[test]
fn a_described_place_is_found_by_its_code() {
    let spread = "# limit every number so that it stays inside some range\ndef spread(items):\n    return max(items)\n";
    let limit =
        "def limit_number_range(number, low, high):\n    return max(low, min(number, high))\n";
    let mut fixture = Fixture::with(&[("src/spread.py", spread), ("src/limit.py", limit)]);
    fixture.tokens = Some(FakeTokens::of(&fixture));
    let ask = |query: &str, late_code: f64| {
        let set = |query: &mut SearchQuery| {
            query.gate.mode = GateMode::Always;
            query.tuning.late_code = late_code;
        };
        fixture.ask_with(query, set, true).trace
    };
    let term = |trace: &whyrank_retrieval::Trace, symbol: &str| {
        let row = |row: &&whyrank_retrieval::TraceRow| row.symbol.as_deref() == Some(symbol);
        let row = trace.rows.iter().find(row).unwrap();
        let sum: f64 = row
            .channels
            .iter()
            .map(|rank| rank.contribution)
            .sum::<f64>()
            + row
                .evidence
                .iter()
                .map(|term| term.contribution)
                .sum::<f64>();
        assert!((sum - row.score).abs() < 1e-9);
        let terms = row.evidence.iter();
        terms
            .filter(|term| term.name == "code-max-sim")
            .map(|term| term.contribution)
            .sum::<f64>()
    };
    let described = "Limit a wild number to a given range.";
    let trace = ask(described, 1.0);
    assert!(term(&trace, "limit_number_range") > term(&trace, "spread"));
    assert_eq!(term(&ask(described, 0.0), "spread"), 0.0);
    // A topic is no description.
    assert_eq!(term(&ask("number range", 1.0), "limit_number_range"), 0.0);
    // What a comment says word for word counts as if it were code.
    let said = ask(
        "Limit every number so that it stays inside some range.",
        1.0,
    );
    assert!(term(&said, "spread") > term(&said, "limit_number_range"));
}

#[test]
fn every_stage_leaves_a_rank() {
    let fixture = with_tokens(|_| {});
    let trace = ask(&fixture, QUERY, GateMode::Always).trace;
    let ranks = |of: &dyn Fn(&whyrank_retrieval::StageRanks) -> u32| {
        let mut ranks: Vec<u32> = trace
            .rows
            .iter()
            .map(|row| of(&row.stages.unwrap()))
            .collect();
        ranks.sort_unstable();
        ranks
    };
    let all: Vec<u32> = (1..=trace.rows.len() as u32).collect();
    assert_eq!(ranks(&|stages| stages.fused), all);
    assert_eq!(ranks(&|stages| stages.evidence), all);
    assert_eq!(ranks(&|stages| stages.refined.unwrap()), all);
    assert_eq!(ranks(&|stages| stages.ordered), all);
    let names: Vec<&str> = trace
        .timings
        .iter()
        .map(|timing| timing.stage.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "query", "channels", "graph", "fuse", "evidence", "gate", "refine", "order", "present",
            "align"
        ]
    );
}

#[test]
fn alignments_of_shown_hits_sum_to_their_score_and_point_at_words() {
    let fixture = with_tokens(|_| {});
    let trace = ask(&fixture, QUERY, GateMode::Always).trace;
    let shown: Vec<_> = trace.rows.iter().filter(|row| row.shown).collect();
    assert!(!shown.is_empty());
    for row in shown {
        let aligned = row.alignment.as_ref().unwrap();
        let listed: f64 = aligned.pairs.iter().map(|pair| pair.score).sum();
        assert!((listed + aligned.rest - row.late.unwrap().score).abs() < 1e-3);
        let lines = row.part.map_or(row.start_line..=row.end_line, |part| {
            part.start_line..=part.end_line
        });
        for pair in &aligned.pairs {
            assert!(lines.contains(&pair.line), "{pair:?}");
        }
        assert!(serde_json::to_string(aligned).unwrap().len() <= 2048);
    }
    assert_eq!(trace.refine.unwrap().query_tokens[0].text, "where");
}

#[test]
fn a_skipped_stage_changes_nothing_and_says_why() {
    let fixture = with_tokens(|_| {});
    let never = ask(&fixture, QUERY, GateMode::Never);
    let gate = never.trace.gate.unwrap();
    assert_eq!(gate.verdict.reason, GateReason::Disabled);
    let without = Fixture::new();
    let missing = ask(&without, QUERY, GateMode::Always);
    assert_eq!(missing.hits, never.hits);
    assert_eq!(
        missing.trace.gate.unwrap().verdict.sentence,
        "skipped: no token vectors"
    );
    let timing = missing
        .trace
        .timings
        .iter()
        .find(|timing| timing.stage == "refine");
    assert_eq!(
        timing.unwrap().skipped.as_deref(),
        Some("skipped: no token vectors")
    );
    assert!(
        missing
            .trace
            .rows
            .iter()
            .all(|row| row.late.is_none() && row.alignment.is_none())
    );
    // Nobody asked for a stage that could not be had: no note.
    assert!(missing.trace.notes.is_empty(), "{:?}", missing.trace.notes);
}

#[test]
fn an_exact_name_is_not_refined() {
    let fixture = with_tokens(|_| {});
    let gate = ask(&fixture, "open_session", GateMode::Gated)
        .trace
        .gate
        .unwrap();
    assert_eq!(gate.verdict.reason, GateReason::ExactSymbol, "{gate:?}");
}

#[test]
fn what_time_did_not_reach_never_passes_what_it_did() {
    let whole = ask(&with_tokens(|_| {}), QUERY, GateMode::Never).trace;
    let n_rows = whole.rows.len();
    for n_reached in [0, 1, 3, n_rows] {
        let cut = with_tokens(|tokens| tokens.n_reached = Some(n_reached));
        let mut rows = ask(&cut, QUERY, GateMode::Always).trace.rows;
        rows.sort_by_key(|row| row.stages.unwrap().evidence);
        let refined = |at: usize| rows[at].stages.unwrap().refined;
        for unread in n_reached..n_rows {
            for read in 0..n_reached {
                assert!(
                    refined(read) < refined(unread),
                    "{n_reached}: {read} {unread}"
                );
            }
        }
    }
    let cut = ask(
        &with_tokens(|tokens| tokens.n_reached = Some(2)),
        QUERY,
        GateMode::Always,
    );
    let refine = cut.trace.refine.unwrap();
    assert_eq!(refine.n_done, 2);
    assert!(refine.cut.unwrap().starts_with("out of time after 2 of"));
    assert!(
        cut.trace
            .notes
            .iter()
            .any(|note| note.starts_with("late interaction: out of time"))
    );
}

#[test]
fn chunks_without_token_vectors_count_as_average() {
    let fixture = with_tokens(|tokens| {
        let first = *tokens.words.keys().min().unwrap();
        tokens.words.remove(&first);
    });
    let trace = ask(&fixture, QUERY, GateMode::Always).trace;
    assert_eq!(trace.refine.unwrap().n_without_tokens, 1);
    let row = trace.rows.iter().find(|row| row.late.is_none()).unwrap();
    let term = row
        .evidence
        .iter()
        .find(|term| term.name == "max-sim")
        .unwrap();
    assert!(term.reason.contains("counts as average"), "{}", term.reason);
}

#[test]
fn a_query_that_cannot_be_encoded_leaves_the_first_stage_and_a_note() {
    let broken = with_tokens(|tokens| tokens.broken = Some("the tokenizer is damaged".to_owned()));
    let outcome = ask(&broken, QUERY, GateMode::Always);
    assert_eq!(outcome.hits, ask(&broken, QUERY, GateMode::Never).hits);
    assert_eq!(
        outcome.trace.notes,
        ["late interaction: the tokenizer is damaged"]
    );
}

#[test]
fn as_a_channel_it_searches_the_whole_view() {
    let fixture = with_tokens(|_| {});
    let wide = |query: &mut SearchQuery| {
        query.weights.0.insert(Channel::LateInteraction, 1.2);
    };
    let trace = fixture.ask_with("clamp", wide, true).trace;
    let found = trace.rows.iter().flat_map(|row| &row.channels);
    assert!(
        found
            .filter(|rank| rank.channel == Channel::LateInteraction)
            .count()
            > 3
    );
    let run = trace
        .channels
        .iter()
        .find(|run| run.channel == Channel::LateInteraction);
    assert_eq!(run.unwrap().skipped, None);
    let off = fixture.ask("clamp").trace.channels;
    let run = off
        .iter()
        .find(|run| run.channel == Channel::LateInteraction);
    assert_eq!(run.unwrap().skipped.as_deref(), Some("switched off"));
}
