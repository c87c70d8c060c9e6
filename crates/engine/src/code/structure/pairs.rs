//! Which definition of a file's new state is which of its old one, and whether its signature is another.

use std::collections::HashMap;
use whyrank_source::BlobId;
use whyrank_syntax::{FileFacts, Language, Symbol, head_words};

/// What became of the definitions of a file.
#[derive(Default)]
pub(super) struct Pairs {
    /// Of each definition, which it was; `None` for a new one.
    pub(super) old: Vec<Option<u32>>,
    /// Those whose signature is another.
    pub(super) other_heads: Vec<bool>,
}

impl FileSide {
    fn head(&self, symbol: u32) -> String {
        let symbol = &self.facts.symbols[symbol as usize];
        head_words(&self.text, symbol, self.language)
    }
}

impl Pairs {
    /// Pairs definitions of one name, those with the same signature first: of overloads each is its own.
    pub(super) fn of(old: &FileSide, new: &FileSide) -> Self {
        let n = new.facts.symbols.len();
        let mut pairs = Self {
            old: vec![None; n],
            other_heads: vec![false; n],
        };
        let mut left: HashMap<&str, Vec<u32>> = HashMap::new();
        for (at, symbol) in (0u32..).zip(&old.facts.symbols) {
            left.entry(&symbol.qualified).or_default().push(at);
        }
        let kind = |at: u32| old.facts.symbols[at as usize].kind;
        let signature = |at: u32| &old.facts.symbols[at as usize].signature;
        // Most heads are the same to the letter, and short: nothing is read again for them.
        pairs.take(&new.facts, &mut left, |_, symbol, at| {
            (kind(at) == symbol.kind && *signature(at) == symbol.signature && is_whole(symbol))
                .then_some(false)
        });
        let mut heads: HashMap<u32, String> = HashMap::new();
        let mut is_same_head = |here: u32, at: u32| {
            let known = heads.entry(at).or_insert_with(|| old.head(at));
            *known == new.head(here)
        };
        pairs.take(&new.facts, &mut left, |here, symbol, at| {
            (kind(at) == symbol.kind && is_same_head(here, at)).then_some(false)
        });
        pairs.take(&new.facts, &mut left, |_, symbol, at| {
            (kind(at) == symbol.kind).then_some(true)
        });
        pairs.take(&new.facts, &mut left, |here, _, at| {
            Some(!is_same_head(here, at))
        });
        pairs
    }

    /// Pairs what is left where `is_other` knows whether the signature is another, in the order of the file.
    fn take<'a>(
        &mut self,
        new: &'a FileFacts,
        left: &mut HashMap<&'a str, Vec<u32>>,
        mut is_other: impl FnMut(u32, &Symbol, u32) -> Option<bool>,
    ) {
        for (here, symbol) in (0u32..).zip(&new.symbols) {
            if self.old[here as usize].is_some() {
                continue;
            }
            let Some(olds) = left.get_mut(symbol.qualified.as_str()) else {
                continue;
            };
            let mut ways = olds.iter().enumerate();
            let found = ways.find_map(|(place, at)| Some((place, is_other(here, symbol, *at)?)));
            if let Some((place, is_other)) = found {
                self.old[here as usize] = Some(olds.remove(place));
                self.other_heads[here as usize] = is_other;
            }
        }
    }
}

/// Whether a signature is surely told as a whole.
fn is_whole(symbol: &Symbol) -> bool {
    symbol.signature.len() < 190
}

/// One side of a file, read.
pub(crate) struct FileSide {
    pub(crate) blob: BlobId,
    pub(crate) language: Language,
    pub(crate) facts: FileFacts,
    pub(crate) text: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_source::blob_id;
    use whyrank_syntax::{Language, analyze};

    fn check(old: &str, new: &str, expected: &[(Option<u32>, bool)]) {
        let language = Language::from_name("java").expect("known");
        let side = |text: &str| FileSide {
            blob: blob_id(text.as_bytes()),
            language,
            facts: analyze(text, language),
            text: text.to_owned(),
        };
        let pairs = Pairs::of(&side(old), &side(new));
        let found: Vec<_> = pairs.old.into_iter().zip(pairs.other_heads).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn each_overload_is_itself() {
        let both = "class A {\n  int f(int a) { return 1; }\n  int f(long a) { return 2; }\n}\n";
        let turned =
            "class A {\n  int f(\n    long a) { return 2; }\n  int f(int a) { return 1; }\n}\n";
        check(
            both,
            turned,
            &[(Some(0), false), (Some(2), false), (Some(1), false)],
        );
        let other = both.replace("long a", "short a");
        check(
            both,
            &other,
            &[(Some(0), false), (Some(1), false), (Some(2), true)],
        );
        let more = both.replace("}\n}", "}\n  int f() { return 3; }\n}");
        let expected = [
            (Some(0), false),
            (Some(1), false),
            (Some(2), false),
            (None, false),
        ];
        check(both, &more, &expected);
    }
}
