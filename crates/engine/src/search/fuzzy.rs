//! How well what someone types fits a name: as its beginning, as a part, or word by word.

/// How typed letters fit a text, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FuzzyFit {
    /// The text is what was typed.
    Whole,
    /// It begins with it.
    Beginning,
    /// One of its words begins with it: `match` in `Router.match`.
    WordBeginning,
    /// It holds it.
    Inside,
    /// Its words begin with the pieces of it, in order: `trieRo` and `tr` in `TrieRouter`.
    Abbreviation,
}

/// Longer texts are looked at as far as this.
const MAX_CHARS: usize = 200;

/// How `typed`, in lower case, fits `text`, without regard to case.
pub(super) fn fit(typed: &str, text: &str) -> Option<FuzzyFit> {
    // Most names of a repository end here, for every letter that is typed.
    if !holds_in_order(typed, text) {
        return None;
    }
    let typed: Vec<char> = typed.chars().collect();
    let chars: Vec<char> = text.chars().take(MAX_CHARS).collect();
    let lower: Vec<char> = chars.iter().map(|char| lower_case(*char)).collect();
    if lower.starts_with(&typed) {
        let is_whole = lower.len() == typed.len();
        return Some(if is_whole {
            FuzzyFit::Whole
        } else {
            FuzzyFit::Beginning
        });
    }
    if typed.is_empty() || typed.len() > lower.len() {
        return None;
    }
    let places: Vec<usize> = (1..=lower.len() - typed.len())
        .filter(|at| lower[*at..].starts_with(&typed))
        .collect();
    if places.iter().any(|at| begins_word(&chars, *at)) {
        return Some(FuzzyFit::WordBeginning);
    }
    if !places.is_empty() {
        return Some(FuzzyFit::Inside);
    }
    abbreviates(&typed, &chars, &lower).then_some(FuzzyFit::Abbreviation)
}

/// Whether a text has all typed letters in their order: without that, nothing fits.
fn holds_in_order(typed: &str, text: &str) -> bool {
    let mut rest = text.chars().take(MAX_CHARS).map(lower_case);
    typed.chars().all(|wanted| rest.any(|char| char == wanted))
}

fn lower_case(char: char) -> char {
    char.to_lowercase().next().unwrap_or(char)
}

/// Whether a word begins here: after a separator, at a hump, at the last capital of a run.
fn begins_word(chars: &[char], at: usize) -> bool {
    let (Some(before), char) = (at.checked_sub(1).map(|before| chars[before]), chars[at]) else {
        return true;
    };
    let next_is_lower = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
    char.is_alphanumeric()
        && (!before.is_alphanumeric()
            || (char.is_uppercase() && (!before.is_uppercase() || next_is_lower)))
}

/// Whether each typed letter follows the one before it at once, begins a later word, or separates.
fn abbreviates(typed: &[char], chars: &[char], lower: &[char]) -> bool {
    // `ends`: where a letter may stand that the typed one before it leads to.
    let mut ends: Vec<usize> = Vec::new();
    for (nth, wanted) in typed.iter().enumerate() {
        let first = if nth == 0 {
            Some(0)
        } else {
            ends.first().map(|end| end + 1)
        };
        let Some(first) = first else { return false };
        let follows = |at: &usize| nth > 0 && *at > 0 && ends.contains(&(at - 1));
        let may_jump = |at: &usize| !wanted.is_alphanumeric() || begins_word(chars, *at);
        let next = (first..lower.len())
            .filter(|at| lower[*at] == *wanted && (follows(at) || may_jump(at)))
            .collect();
        ends = next;
    }
    !ends.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, text: &str, expected: Option<FuzzyFit>) {
        assert_eq!(fit(typed, text), expected, "{typed} in {text}");
    }

    #[test]
    fn what_is_typed_fits_words_better_than_their_middles() {
        check("router", "Router", Some(FuzzyFit::Whole));
        check("rout", "Router", Some(FuzzyFit::Beginning));
        check("layer", "matchLayer", Some(FuzzyFit::WordBeginning));
        check("server", "HTTPServer", Some(FuzzyFit::WordBeginning));
        check("aye", "matchLayer", Some(FuzzyFit::Inside));
        check("", "Router", Some(FuzzyFit::Beginning));
    }

    #[test]
    fn initials_and_beginnings_of_words_abbreviate_a_name() {
        check("tr", "TrieRouter", Some(FuzzyFit::Beginning));
        check("trr", "TrieRouter", Some(FuzzyFit::Abbreviation));
        check("mlay", "matchLayer", Some(FuzzyFit::Abbreviation));
        check("vr", "vat_rate", Some(FuzzyFit::Abbreviation));
        check(
            "rou/tri",
            "src/router/trie.ts",
            Some(FuzzyFit::Abbreviation),
        );
        check("rout.py", "router.py", Some(FuzzyFit::Abbreviation));
        check("ttr", "TrieRouter", None);
        check("mt", "matchLayer", None);
        check("zzz", "Router", None);
    }
}
