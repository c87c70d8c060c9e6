//! What cannot all be right: versions whose writers had not seen each other, and memos that seem to
//! say the opposite. Both are listed; nothing is decided here.

use crate::fact::{Kind, Version};
use crate::ledger::Ledger;
use crate::snapshot::{ResolvedVersion, Snapshot};
use crate::words::WordIndex;
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

/// Versions that seem to say the opposite of each other, whenever they hold. Grows with the ledger, so
/// that looking at another moment costs no comparison of texts.
#[derive(Debug, Default)]
pub struct Opposites {
    /// Indices of versions, the lower first, and why; ascending.
    pairs: Vec<(u32, u32, String)>,
    n_compared: usize,
}

impl Opposites {
    /// Compares versions that are new since with all others. `words` must have taken in the ledger.
    /// O(new versions x memos that share a rare word with one).
    pub fn extend(&mut self, ledger: &Ledger, words: &WordIndex) {
        let mut claims = Claims {
            ledger,
            words,
            known: HashMap::new(),
        };
        for idx in self.n_compared..ledger.n_versions() {
            self.pairs.extend(claims.against(idx as u32));
        }
        self.n_compared = ledger.n_versions();
        self.pairs.sort_unstable();
    }
}

/// Claims of versions, read when first needed.
struct Claims<'a> {
    ledger: &'a Ledger,
    words: &'a WordIndex,
    known: HashMap<u32, Option<Claim>>,
}

impl Claims<'_> {
    fn read(&mut self, idx: u32) {
        let (ledger, words) = (self.ledger, self.words);
        self.known.entry(idx).or_insert_with(|| {
            let version = ledger.version(idx)?;
            (version.kind != Kind::Todo).then(|| Claim::of(version, words))
        });
    }

    fn claim(&self, idx: u32) -> Option<&Claim> {
        self.known.get(&idx)?.as_ref()
    }

    /// The earlier versions of other memos that oppose a version.
    fn against(&mut self, idx: u32) -> Vec<(u32, u32, String)> {
        self.read(idx);
        let memo = |idx: u32| {
            self.ledger
                .version(idx)
                .map(|version| version.memo.as_str())
        };
        let own = memo(idx);
        let Some(claim) = self.claim(idx) else {
            return Vec::new();
        };
        let rare = claim
            .tokens
            .iter()
            .map(|token| self.words.with_token(token));
        let rare = rare.filter(|others| others.len() <= MAX_COMMON);
        let mut earlier: Vec<u32> = rare
            .flatten()
            .map(|(other, _)| *other)
            .filter(|other| *other < idx && memo(*other) != own)
            .collect();
        earlier.sort_unstable();
        earlier.dedup();
        for other in &earlier {
            self.read(*other);
        }
        let Some(claim) = self.claim(idx) else {
            return Vec::new();
        };
        let opposing = earlier.into_iter().filter_map(|other| {
            let reason = opposed(self.claim(other)?, claim, self.words)?;
            Some((other, idx, reason))
        });
        opposing.collect()
    }
}

impl Snapshot<'_> {
    /// Lists conflicts among what holds: those of writers, then candidates for contradictions.
    /// `opposites` must have taken in the ledger. O(facts + opposites).
    pub fn conflicts(&self, opposites: &Opposites) -> Vec<Conflict> {
        let resolved_versions = self.resolved_versions();
        let mut conflicts: Vec<Conflict> = resolved_versions
            .iter()
            .filter(|resolved| !resolved.contested.is_empty())
            .map(|resolved| self.of_writers(resolved))
            .collect();
        conflicts.extend(self.contradictions(opposites, &resolved_versions));
        conflicts
    }

    fn of_writers(&self, resolved: &ResolvedVersion) -> Conflict {
        let mut versions = resolved.contested.clone();
        versions.push(resolved.version);
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

    fn contradictions(
        &self,
        opposites: &Opposites,
        resolved_versions: &[ResolvedVersion],
    ) -> Vec<Conflict> {
        let holding: HashSet<u32> = resolved_versions
            .iter()
            .map(|resolved| resolved.version)
            .collect();
        let version = |idx: u32| {
            self.ledger()
                .version(idx)
                .filter(|_| holding.contains(&idx))
        };
        let pairs = opposites.pairs.iter();
        let found = pairs.filter_map(|(left, right, reason)| {
            let (one, other) = (version(*left)?, version(*right)?);
            (!self.ledger().agree(&one.memo, &other.memo)).then(|| Conflict {
                kind: ConflictKind::Contradiction,
                versions: vec![*left, *right],
                reason: reason.clone(),
            })
        });
        found.collect()
    }
}

/// What a memo claims: its telling words, and which way it turns.
struct Claim {
    tokens: HashSet<String>,
    /// Two bits for each pair of opposites: its first word, its second.
    sides: u64,
    numbers: BTreeSet<String>,
    is_negative: bool,
}

impl Claim {
    fn of(version: &Version, words: &WordIndex) -> Self {
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
            sides: sides_of(&plain),
        }
    }
}

fn sides_of(words: &HashSet<String>) -> u64 {
    let pairs = OPPOSITES.iter().enumerate();
    pairs.fold(0, |sides, (at, (one, other))| {
        let has = |word: &str| u64::from(words.contains(word));
        sides | has(one) << (2 * at) | has(other) << (2 * at + 1)
    })
}

/// Why two claims may contradict each other; `None` where nothing says so.
fn opposed(left: &Claim, right: &Claim, words: &WordIndex) -> Option<String> {
    let turn = turned(left, right);
    let differ =
        !left.numbers.is_empty() && !right.numbers.is_empty() && left.numbers != right.numbers;
    let negates = left.is_negative != right.is_negative;
    // Most pairs end here, before words are weighed.
    if turn.is_none() && !negates && !differ {
        return None;
    }
    let weight = |token: &String| words.idf(token);
    let shared: f32 = left.tokens.intersection(&right.tokens).map(weight).sum();
    let all: f32 = left.tokens.union(&right.tokens).map(weight).sum();
    let share = shared / all.max(f32::MIN_POSITIVE);
    let percent = share * 100.0;
    if share < LEAST_SHARED {
        return None;
    }
    if let Some((one, other)) = turn {
        return Some(format!(
            "one says \"{one}\", the other \"{other}\"; they share {percent:.0}% of their words"
        ));
    }
    if negates {
        return Some(format!(
            "one denies what the other says; they share {percent:.0}% of their words"
        ));
    }
    (share >= LEAST_SHARED_NUMBERS).then(|| {
        let list = |claim: &Claim| claim.numbers.iter().cloned().collect::<Vec<_>>().join(" ");
        format!(
            "one says {}, the other {}; they share {percent:.0}% of their words",
            list(left),
            list(right)
        )
    })
}

/// The two opposite words of which each claim has one alone.
fn turned(left: &Claim, right: &Claim) -> Option<&'static (&'static str, &'static str)> {
    if left.sides == 0 || right.sides == 0 {
        return None;
    }
    let only =
        |here: &Claim, there: &Claim, side: u64| here.sides & side != 0 && there.sides & side == 0;
    let found = OPPOSITES.iter().enumerate().find(|(at, _)| {
        let (one, other) = (1 << (2 * at), 2 << (2 * at));
        (only(left, right, one) && only(right, left, other))
            || (only(left, right, other) && only(right, left, one))
    });
    found.map(|(_, pair)| pair)
}

const _: () = assert!(OPPOSITES.len() <= 32, "two bits for each pair");
