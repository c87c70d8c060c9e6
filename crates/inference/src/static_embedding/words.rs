//! Words of a text as the table knows them: identifiers cut at changes of case and between letters and
//! digits, small letters, scripts without spaces by pairs of characters.
//!
//! `models/static/words.py` is the same in Python: what was trained on is what is asked for.

use whyrank_syntax::spaceless::{for_each_pair, is_spaceless};

/// Longer words are data, not language.
pub(super) const MAX_WORD_CHARS: usize = 40;

/// Calls `emit` with the byte at which each word begins, and the word as written.
pub(super) fn for_each_word<'a>(text: &'a str, emit: &mut impl FnMut(usize, &'a str)) {
    let mut start = None;
    let mut before = '\0';
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let of_word = char.is_alphanumeric() || is_spaceless(char);
        let next = chars.peek().map(|(_, next)| *next);
        if let Some(from) = start
            && (!of_word || is_boundary(before, char, next))
        {
            flush(text, from, at, emit);
            start = None;
        }
        if of_word && start.is_none() {
            start = Some(at);
        }
        before = char;
    }
    if let Some(from) = start {
        flush(text, from, text.len(), emit);
    }
}

fn is_boundary(before: char, here: char, next: Option<char>) -> bool {
    if before.is_lowercase() && here.is_lowercase() && here.is_ascii() {
        return false;
    }
    before.is_numeric() != here.is_numeric()
        || is_spaceless(before) != is_spaceless(here)
        || (here.is_uppercase()
            && (before.is_lowercase()
                || (before.is_uppercase() && next.is_some_and(char::is_lowercase))))
}

fn flush<'a>(text: &'a str, from: usize, to: usize, emit: &mut impl FnMut(usize, &'a str)) {
    let word = &text[from..to];
    if word.starts_with(is_spaceless) {
        let base = text.as_ptr() as usize;
        for_each_pair(word, &mut |pair| {
            emit(pair.as_ptr() as usize - base, pair);
        });
    } else {
        emit(from, word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        for_each_word(text, &mut |at, word| {
            assert_eq!(&text[at..at + word.len()], word);
            words.push(word);
        });
        words
    }

    #[test]
    fn identifiers_are_cut_into_words() {
        for (text, expected) in [
            ("getUserById", "get User By Id"),
            ("parse_http2Header(x)", "parse http 2 Header x"),
            ("HTTPServer __init__", "HTTP Server init"),
            ("naïveÉtat", "naïve État"),
            ("", ""),
            ("->{}", ""),
        ] {
            assert_eq!(words(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        assert_eq!(words("最短路径 route"), ["最短", "短路", "路径", "route"]);
        assert_eq!(words("计算Route图"), ["计算", "Route", "图"]);
    }
}
