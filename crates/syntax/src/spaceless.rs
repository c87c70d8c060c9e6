//! Scripts that set no spaces between words: Chinese, Japanese, Korean (whose particles stick to words),
//! Thai, Lao, Burmese, Khmer. Where a word ends there takes a dictionary, so every two neighbouring
//! characters stand for the words that they are part of.

use std::ops::RangeInclusive;

/// Letters and marks of these scripts, by code point.
const RANGES: [RangeInclusive<char>; 19] = [
    '\u{e01}'..='\u{e3a}',
    '\u{e40}'..='\u{e4e}',
    '\u{e81}'..='\u{ece}',
    '\u{edc}'..='\u{edf}',
    '\u{1000}'..='\u{103f}',
    '\u{1050}'..='\u{108f}',
    '\u{1100}'..='\u{11ff}',
    '\u{1780}'..='\u{17d3}',
    '\u{3005}'..='\u{3007}',
    '\u{3041}'..='\u{309f}',
    '\u{30a1}'..='\u{30fa}',
    '\u{30fc}'..='\u{30ff}',
    '\u{3105}'..='\u{31ff}',
    '\u{3400}'..='\u{4dbf}',
    '\u{4e00}'..='\u{9fff}',
    '\u{ac00}'..='\u{d7ff}',
    '\u{f900}'..='\u{faff}',
    '\u{ff66}'..='\u{ff9f}',
    '\u{20000}'..='\u{3ffff}',
];
/// What the first byte of such a character is at least.
const LEAST_BYTE: u8 = 0xe0;

/// Returns whether a character is of a script that sets no spaces between words.
pub fn is_spaceless(char: char) -> bool {
    char >= *RANGES[0].start() && RANGES.iter().any(|range| range.contains(&char))
}

/// Says whether a word holds a character of such a script.
pub fn is_in(word: &str) -> bool {
    word.bytes().any(|byte| byte >= LEAST_BYTE) && word.chars().any(is_spaceless)
}

/// A part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run<'a> {
    /// In a script without spaces.
    Spaceless(&'a str),
    /// Other letters, digits and underscores.
    Other(&'a str),
}

/// Calls `each` with the runs of a word, in order; marks between them (`。`, `・`) are left out.
pub fn for_each_run<'a>(word: &'a str, mut each: impl FnMut(Run<'a>)) {
    let of = |char: char| {
        let is_other = char.is_alphanumeric() || char == '_';
        (is_spaceless(char), is_other)
    };
    let mut start = 0;
    let mut chars = word.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let kind = of(char);
        let end = at + char.len_utf8();
        let goes_on = chars.peek().is_some_and(|(_, next)| match kind {
            (true, _) => is_spaceless(*next),
            kind => of(*next) == kind,
        });
        if goes_on {
            continue;
        }
        match kind {
            (true, _) => each(Run::Spaceless(&word[start..end])),
            (_, true) => each(Run::Other(&word[start..end])),
            _ => {}
        }
        start = end;
    }
}

/// Calls `emit` with every two neighbouring characters of a run, or with its only one.
pub fn for_each_pair<'a>(run: &'a str, emit: &mut impl FnMut(&'a str)) {
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run.char_indices().skip(2).map(|(at, _)| at);
    let ends = ends.chain(std::iter::once(run.len()));
    for (start, end) in starts.zip(ends) {
        emit(&run[start..end]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_scripts_have_spaces() {
        for char in "aé ßДλאهकஆ。、・「」Ａ１".chars() {
            assert!(!is_spaceless(char), "{char}");
        }
        for char in "路ひカー각กແក".chars() {
            assert!(is_spaceless(char), "{char}");
        }
    }

    #[test]
    fn a_word_is_cut_where_the_script_changes() {
        let mut runs = Vec::new();
        for_each_run("计算Route_2・図形。", |run| runs.push(run));
        let expected = [
            Run::Spaceless("计算"),
            Run::Other("Route_2"),
            Run::Spaceless("図形"),
        ];
        assert_eq!(runs, expected);
    }
}
