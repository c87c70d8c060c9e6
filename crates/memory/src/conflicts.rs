//! What cannot all be right: versions whose writers had not seen each other, and memos that seem to
//! say the opposite. Both are listed; nothing is decided here.

use crate::fact::{Kind, Version};
use crate::lens::{Lens, Sighting};
use crate::words::Words;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Two memos must share so much of their words, by weight.
const LEAST_SHARED: f32 = 0.3;
/// The same where nothing but a number differs.
const LEAST_SHARED_NUMBERS: f32 = 0.5;
/// A token in more memos than this brings none together.
const MAX_COMMON: usize = 60;

const NEGATIONS: &[&str] = &[
    "not",
    "never",
    "no",
    "avoid",
    "don't",
    "dont",
    "without",
    "stop",
    "forbid",
    "forbidden",
    "mustn't",
    "shouldn't",
    "cannot",
    "can't",
    "isn't",
    "doesn't",
    "won't",
    "neither",
    "nor",
];
const OPPOSITES: &[(&str, &str)] = &[
    ("always", "never"),
    ("enable", "disable"),
    ("enabled", "disabled"),
    ("allow", "deny"),
    ("allow", "forbid"),
    ("use", "avoid"),
    ("prefer", "avoid"),
    ("add", "remove"),
    ("keep", "remove"),
    ("keep", "drop"),
    ("sync", "async"),
    ("synchronous", "asynchronous"),
    ("before", "after"),
    ("true", "false"),
    ("public", "private"),
    ("tabs", "spaces"),
    ("required", "optional"),
    ("deprecated", "recommended"),
];

/// What kind of conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictKind {
    /// Versions of one memo hold at once.
    Writers,
    /// Two memos may contradict each other.
    Contradiction,
}

/// Versions that cannot all be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What kind.
    pub kind: ConflictKind,
    /// Indices of the versions; of writers, the one that answers comes last.
    pub versions: Vec<u32>,
    /// Why, in words.
    pub reason: String,
}

impl Lens<'_> {
    /// Lists conflicts among what holds: those of writers, then candidates for contradictions.
    pub fn conflicts(&self, words: &Words) -> Vec<Conflict> {
        let sightings = self.sightings();
        let mut conflicts: Vec<Conflict> = sightings
            .iter()
            .filter(|sighting| !sighting.contested.is_empty())
            .map(|sighting| self.of_writers(sighting))
            .collect();
        conflicts.extend(self.contradictions(words, &sightings));
        conflicts
    }

    fn of_writers(&self, sighting: &Sighting) -> Conflict {
        let mut versions = sighting.contested.clone();
        versions.push(sighting.version);
        let names: BTreeSet<&str> = versions
            .iter()
            .filter_map(|idx| self.ledger().version(*idx))
            .map(|version| version.author.name.as_str())
            .collect();
        let names: Vec<&str> = names.into_iter().collect();
        Conflict {
            kind: ConflictKind::Writers,
            reason: format!(
                "{} versions, none written with the others in view ({})",
                versions.len(),
                names.join(", ")
            ),
            versions,
        }
    }

    fn contradictions(&self, words: &Words, sightings: &[Sighting]) -> Vec<Conflict> {
        let holding: HashMap<u32, Claim> = sightings
            .iter()
            .filter_map(|sighting| {
                self.ledger()
                    .version(sighting.version)
                    .map(|version| (sighting.version, version))
            })
            .filter(|(_, version)| version.kind != Kind::Todo)
            .map(|(idx, version)| (idx, Claim::of(version, words)))
            .collect();
        let mut pairs: HashSet<(u32, u32)> = HashSet::new();
        for (idx, claim) in &holding {
            for token in &claim.tokens {
                let others = words.with_token(token);
                if others.len() > MAX_COMMON {
                    continue;
                }
                let others = others.iter().map(|(other, _)| *other);
                pairs.extend(
                    others
                        .filter(|other| other > idx && holding.contains_key(other))
                        .map(|other| (*idx, other)),
                );
            }
        }
        let mut pairs: Vec<(u32, u32)> = pairs.into_iter().collect();
        pairs.sort_unstable();
        let found = pairs.into_iter().filter_map(|(left, right)| {
            let reason = opposed(&holding[&left], &holding[&right], words)?;
            let memo = |idx: u32| {
                self.ledger()
                    .version(idx)
                    .map(|version| version.memo.as_str())
            };
            (!self.ledger().agree(memo(left)?, memo(right)?)).then_some(Conflict {
                kind: ConflictKind::Contradiction,
                versions: vec![left, right],
                reason,
            })
        });
        found.collect()
    }
}

/// What a memo claims: its telling words, and which way it turns.
struct Claim {
    tokens: HashSet<String>,
    words: HashSet<String>,
    numbers: BTreeSet<String>,
    is_negative: bool,
}

impl Claim {
    fn of(version: &Version, words: &Words) -> Self {
        let lower = version.content.to_lowercase().replace('\u{2019}', "'");
        let plain: HashSet<String> = lower
            .split(|char: char| !char.is_alphanumeric() && char != '\'')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let is_number = |word: &&String| {
            word.chars()
                .next()
                .is_some_and(|char| char.is_ascii_digit())
        };
        let turning = |token: &String| {
            let is_side = |(one, other): &(&str, &str)| token == one || token == other;
            NEGATIONS.contains(&token.as_str()) || OPPOSITES.iter().any(is_side)
        };
        Self {
            tokens: words
                .tokens(&version.content)
                .into_iter()
                .filter(|token| {
                    !turning(token)
                        && token.len() > 2
                        && !token.starts_with(|char: char| char.is_ascii_digit())
                })
                .collect(),
            numbers: plain.iter().filter(is_number).cloned().collect(),
            is_negative: NEGATIONS.iter().any(|word| plain.contains(*word)),
            words: plain,
        }
    }
}

/// Why two claims may contradict each other; `None` where nothing says so.
fn opposed(left: &Claim, right: &Claim, words: &Words) -> Option<String> {
    let weight = |token: &String| words.idf(token);
    let shared: f32 = left.tokens.intersection(&right.tokens).map(weight).sum();
    let all: f32 = left.tokens.union(&right.tokens).map(weight).sum();
    let share = shared / all.max(f32::MIN_POSITIVE);
    if share < LEAST_SHARED {
        return None;
    }
    let percent = share * 100.0;
    let turn = OPPOSITES.iter().find(|(one, other)| {
        let only = |here: &Claim, there: &Claim, word: &str| {
            here.words.contains(word) && !there.words.contains(word)
        };
        (only(left, right, one) && only(right, left, other))
            || (only(left, right, other) && only(right, left, one))
    });
    if let Some((one, other)) = turn {
        return Some(format!(
            "{one} against {other}, {percent:.0} % of the words shared"
        ));
    }
    if left.is_negative != right.is_negative {
        return Some(format!("one negates, {percent:.0} % of the words shared"));
    }
    let differ =
        !left.numbers.is_empty() && !right.numbers.is_empty() && left.numbers != right.numbers;
    (differ && share >= LEAST_SHARED_NUMBERS).then(|| {
        let list = |claim: &Claim| claim.numbers.iter().cloned().collect::<Vec<_>>().join(" ");
        format!(
            "{} against {}, {percent:.0} % of the words shared",
            list(left),
            list(right)
        )
    })
}
