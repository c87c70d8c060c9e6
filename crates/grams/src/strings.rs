//! Sets of short texts, as they are put together while a pattern is read.

use std::collections::BTreeSet;

/// More texts than these are no longer told apart.
const MOST: usize = 24;
/// Longer ones are looked at in parts.
const LONGEST: usize = 96;

/// Texts, ASCII letters in lower case.
pub(super) type Strings = BTreeSet<Vec<u8>>;

/// The empty text alone.
pub(super) fn empty() -> Strings {
    Strings::from([Vec::new()])
}

/// Every text of one set followed by every one of another; `None` where these are too many or too long.
pub(super) fn product(first: &Strings, second: &Strings) -> Option<Strings> {
    if first.len() * second.len() > MOST {
        return None;
    }
    let pairs = first
        .iter()
        .flat_map(|a| second.iter().map(move |b| [a.as_slice(), b].concat()));
    let all: Strings = pairs.collect();
    all.iter().all(|text| text.len() <= LONGEST).then_some(all)
}

/// The texts of both; `None` where these are too many.
pub(super) fn union(first: &Strings, second: &Strings) -> Option<Strings> {
    let all: Strings = first.union(second).cloned().collect();
    (all.len() <= MOST).then_some(all)
}

/// The last bytes of each text, at most `n`.
pub(super) fn ends(texts: &Strings, n: usize) -> Strings {
    let end = |text: &Vec<u8>| text[text.len().saturating_sub(n)..].to_vec();
    texts.iter().map(end).collect()
}

/// The first bytes of each text, at most `n`.
pub(super) fn starts(texts: &Strings, n: usize) -> Strings {
    let start = |text: &Vec<u8>| text[..text.len().min(n)].to_vec();
    texts.iter().map(start).collect()
}
