//! Ranks memos for a question: a list for each kind of evidence, fused by reciprocal rank as code is.

use crate::fact::{Kind, Tier, Version};
use crate::snapshot::{ResolvedVersion, Snapshot};
use crate::words::{WordIndex, WordScores, WordStats};
use std::collections::HashMap;

/// The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009).
const K: f64 = 60.0;
/// Entries of a channel.
const MAX_LIST: usize = 200;
/// A cosine below this says nothing.
const LEAST_COSINE: f32 = 0.25;

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum RecallChannel {
    Words,
    Vector,
    Anchor,
    Recency,
    Pinned,
    Confidence,
    Reverted,
}

impl RecallChannel {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Vector => "vector",
            Self::Anchor => "anchor",
            Self::Recency => "recency",
            Self::Pinned => "pinned",
            Self::Confidence => "confidence",
            Self::Reverted => "reverted",
        }
    }
}

/// What each kind of evidence weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub struct Weights {
    pub words: f64,
    pub vector: f64,
    pub anchor: f64,
    pub recency: f64,
    pub pinned: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            words: 1.0,
            vector: 1.0,
            anchor: 0.8,
            recency: 0.15,
            pinned: 0.25,
        }
    }
}

/// A question to memory.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The question; empty for the memos that matter most.
    pub text: String,
    /// Only these kinds; all when empty.
    pub kinds: Vec<Kind>,
    /// Only memos with all of these tags.
    pub tags: Vec<String>,
    /// Versions by cosine, best first, where a model has compared them.
    pub vector: Vec<(u32, f32)>,
    /// Paths near which the question is asked, with their nearness from 0 to 1.
    pub near: HashMap<String, f32>,
    /// Archived memos, too.
    pub archived: bool,
    /// Weights.
    pub weights: Weights,
}

/// One part of a memo's score.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The kind of evidence.
    pub channel: RecallChannel,
    /// Rank in its list, from 1; 0 where there is none.
    pub rank: u32,
    /// What it adds to the score; the terms sum to it.
    pub contribution: f64,
    /// Why, in words.
    pub reason: String,
}

/// A memo that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled {
    /// Which of the memories that were asked it is of; 0 where one was.
    pub part: usize,
    /// The version that holds.
    pub resolved: ResolvedVersion,
    /// Sum of the terms.
    pub score: f64,
    /// Its parts.
    pub terms: Vec<Term>,
    /// Share of the question's words that it holds, by their weight.
    pub share: f32,
    /// How near its anchors lie to where the question is asked.
    pub nearness: f32,
}

/// One of several memories that are asked as one.
pub struct RecallPart<'a> {
    /// What holds in it.
    pub snapshot: &'a Snapshot<'a>,
    /// Its words, which must have taken in the ledger.
    pub words: &'a WordIndex,
    /// The question, with what is particular to this memory: cosines, and near paths.
    pub query: &'a Query,
}

/// Ranks the memos of several memories as those of one: words are as telling as they are over all.
/// O(memos + postings).
///
/// Archived memos come only where they are asked for, or where nothing else is found.
pub fn recall(parts: &[RecallPart<'_>]) -> Vec<Recalled> {
    let Some(first) = parts.first() else {
        return Vec::new();
    };
    let tokens = first.words.tokens(&first.query.text);
    let stats = WordStats::over(parts.iter().map(|part| part.words), &tokens);
    let (mut found, mut archived) = (Vec::new(), Vec::new());
    for (at, part) in parts.iter().enumerate() {
        let scored = part.words.score(&tokens, &stats);
        for candidate in part.snapshot.candidates(&scored, part.query) {
            let is_put_away = candidate.tier == Tier::Archive && !part.query.archived;
            let list = if is_put_away {
                &mut archived
            } else {
                &mut found
            };
            list.push(MemoCandidate {
                part: at,
                ..candidate
            });
        }
    }
    if found.is_empty() {
        found = archived;
    }
    fused(&found, first.query.weights)
}

struct MemoCandidate {
    part: usize,
    resolved: ResolvedVersion,
    recorded_at: i64,
    tier: Tier,
    is_pinned: bool,
    confidence: f64,
    words: f32,
    share: f32,
    cosine: f32,
    nearness: f32,
    named: Option<String>,
}

impl Snapshot<'_> {
    /// Ranks the memos that hold. `words` must have taken in the ledger. O(memos + postings).
    ///
    /// As [`recall`] of one memory.
    pub fn recall(&self, words: &WordIndex, query: &Query) -> Vec<Recalled> {
        recall(&[RecallPart {
            snapshot: self,
            words,
            query,
        }])
    }

    /// The memos that hold and have to do with a question.
    fn candidates(&self, scored: &WordScores, query: &Query) -> Vec<MemoCandidate> {
        let cosines: HashMap<u32, f32> = query.vector.iter().copied().collect();
        let mut found = Vec::new();
        for (resolved, facts) in self.resolved_with_facts() {
            let Some(version) = self.ledger().version(resolved.version) else {
                continue;
            };
            if !passes(version, query) {
                continue;
            }
            let at = resolved.version as usize;
            let (nearness, named) = anchored(version, query);
            let known_at = self.as_of().known_at;
            let candidate = MemoCandidate {
                part: 0,
                recorded_at: version.recorded_at,
                tier: facts.tier(known_at),
                is_pinned: facts.is_pinned(known_at),
                confidence: version.confidence,
                words: scored.scores.get(at).copied().unwrap_or_default(),
                share: scored.shares.get(at).copied().unwrap_or_default(),
                cosine: cosines.get(&resolved.version).copied().unwrap_or_default(),
                nearness,
                named,
                resolved,
            };
            let is_found = candidate.words > 0.0
                || candidate.cosine >= LEAST_COSINE
                || candidate.nearness > 0.0
                || query.text.trim().is_empty();
            if is_found {
                found.push(candidate);
            }
        }
        found
    }
}

fn passes(version: &Version, query: &Query) -> bool {
    let has_kind = query.kinds.is_empty() || query.kinds.contains(&version.kind);
    has_kind && query.tags.iter().all(|tag| version.tags.contains(tag))
}

/// How near a memo's anchors lie, and the anchor that the question names.
fn anchored(version: &Version, query: &Query) -> (f32, Option<String>) {
    let text = query.text.as_str();
    let mut best = (0.0_f32, None);
    for anchor in &version.anchors {
        let symbol = anchor
            .symbol
            .as_deref()
            .filter(|symbol| names(text, symbol));
        let file = anchor.path.rsplit('/').next().unwrap_or(&anchor.path);
        let named = match (symbol, names(text, &anchor.path) || names(text, file)) {
            (Some(symbol), _) => Some((1.0, format!("is about {symbol}"))),
            (None, true) => Some((0.9, format!("is about {}", anchor.path))),
            (None, false) => None,
        };
        let near = query.near.iter().filter_map(|(path, nearness)| {
            let is_same = *path == anchor.path;
            let is_below = path
                .strip_prefix(&anchor.path)
                .is_some_and(|rest| rest.starts_with('/'));
            match (is_same, is_below) {
                (true, _) => Some((*nearness, format!("anchored in {path}"))),
                (_, true) => Some((0.8 * nearness, format!("anchored in {}", anchor.path))),
                _ => None,
            }
        });
        for (nearness, why) in named.into_iter().chain(near) {
            if nearness > best.0 {
                best = (nearness, Some(why));
            }
        }
    }
    best
}

/// Whether a text has a name as a word of its own, whole or its last part.
fn names(text: &str, name: &str) -> bool {
    let last = name.rsplit(['.', ':', '#']).next().unwrap_or(name);
    let has = |name: &str| {
        name.len() > 2
            && text.match_indices(name).any(|(at, _)| {
                let is_word = |char: Option<char>| {
                    char.is_some_and(|char| char.is_alphanumeric() || char == '_')
                };
                !is_word(text[..at].chars().next_back())
                    && !is_word(text[at + name.len()..].chars().next())
            })
    };
    has(name) || has(last)
}

fn fused(found: &[MemoCandidate], weights: Weights) -> Vec<Recalled> {
    let mut terms: HashMap<usize, Vec<Term>> = HashMap::new();
    let mut add =
        |places: Vec<usize>, channel, weight: f64, reason: &dyn Fn(&MemoCandidate) -> String| {
            for (place, at) in places.into_iter().enumerate() {
                terms.entry(at).or_default().push(Term {
                    channel,
                    rank: place as u32 + 1,
                    contribution: weight / (K + place as f64 + 1.0),
                    reason: reason(&found[at]),
                });
            }
        };
    let best = |key: &dyn Fn(&MemoCandidate) -> f64| -> Vec<usize> {
        let keyed = found.iter().enumerate().map(|(at, one)| (at, key(one)));
        best_of(keyed.filter(|(_, key)| *key > 0.0).collect())
    };
    let lists = [
        best(&|one| f64::from(one.words)),
        best(&|one| f64::from(one.cosine) * f64::from(u8::from(one.cosine >= LEAST_COSINE))),
        best(&|one| f64::from(one.nearness)),
    ];
    let is_empty = lists.iter().all(Vec::is_empty);
    // Without a question pins and time decide; with one, time orders what the others found.
    let mut brought: Vec<usize> = if is_empty {
        (0..found.len()).collect()
    } else {
        lists.iter().flatten().copied().collect()
    };
    brought.sort_unstable();
    brought.dedup();
    let dated = brought
        .iter()
        .map(|at| (*at, found[*at].recorded_at as f64));
    let recent = best_of(dated.collect());
    let kept = brought
        .iter()
        .filter(|at| found[**at].is_pinned || found[**at].tier == Tier::Core);
    let kept: Vec<usize> = kept.copied().collect();
    let [words, vector, anchor] = lists;
    add(words, RecallChannel::Words, weights.words, &|one| {
        format!("{:.0}% of the question's words", one.share * 100.0)
    });
    add(vector, RecallChannel::Vector, weights.vector, &|one| {
        format!("cosine {:.2}", one.cosine)
    });
    add(anchor, RecallChannel::Anchor, weights.anchor, &|one| {
        one.named.clone().unwrap_or_default()
    });
    add(recent, RecallChannel::Recency, weights.recency, &|_| {
        "recorded lately".to_owned()
    });
    for at in kept {
        terms.entry(at).or_default();
    }
    let scored = terms.into_iter().map(|(at, mut terms)| {
        let one = &found[at];
        terms.extend(evidence(one, &weights));
        Recalled {
            part: one.part,
            resolved: one.resolved.clone(),
            score: terms.iter().map(|term| term.contribution).sum(),
            terms,
            share: one.share,
            nearness: one.nearness,
        }
    });
    let mut recalled: Vec<Recalled> = scored.collect();
    recalled.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        let by_part = by_score.then(a.part.cmp(&b.part));
        by_part.then(b.resolved.version.cmp(&a.resolved.version))
    });
    recalled
}

/// The places of the largest keys, largest first, at most as many as a channel lists.
fn best_of(mut keyed: Vec<(usize, f64)>) -> Vec<usize> {
    let order = |a: &(usize, f64), b: &(usize, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if keyed.len() > MAX_LIST {
        keyed.select_nth_unstable_by(MAX_LIST - 1, order);
        keyed.truncate(MAX_LIST);
    }
    keyed.sort_unstable_by(order);
    keyed.into_iter().map(|(at, _)| at).collect()
}

/// What ranks alone do not carry; in units of a first place.
fn evidence(one: &MemoCandidate, weights: &Weights) -> Vec<Term> {
    let unit = 1.0 / (K + 1.0);
    let term = |channel, share: f64, reason: &str| Term {
        channel,
        rank: 0,
        contribution: share * unit,
        reason: reason.to_owned(),
    };
    let mut terms = Vec::new();
    match (one.is_pinned, one.tier) {
        (true, _) => terms.push(term(RecallChannel::Pinned, weights.pinned, "pinned")),
        (false, Tier::Core) => {
            terms.push(term(
                RecallChannel::Pinned,
                0.6 * weights.pinned,
                "core memo",
            ));
        }
        _ => {}
    }
    if one.confidence < 1.0 {
        let reason = format!("confidence {:.1}", one.confidence);
        terms.push(term(
            RecallChannel::Confidence,
            0.3 * (one.confidence - 1.0),
            &reason,
        ));
    }
    if one.resolved.reverted_by.is_some() {
        terms.push(term(
            RecallChannel::Reverted,
            -0.3,
            "its commit was reverted",
        ));
    }
    terms
}
