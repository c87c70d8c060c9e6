//! Words in lines of code and parts of names.

pub(super) fn is_part(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '$'
}

/// Says whether a word stands in a line by itself.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    word_places(line, word).next().is_some()
}

fn word_places<'l>(line: &'l str, word: &'l str) -> impl Iterator<Item = usize> + 'l {
    line.match_indices(word).filter_map(move |(at, _)| {
        let before = line[..at].chars().next_back().is_some_and(is_part);
        let after = line[at + word.len()..].chars().next().is_some_and(is_part);
        (!word.is_empty() && !before && !after).then_some(at)
    })
}

/// Says whether a line calls a name: `name(`, `name.call(`, `name!(`.
pub(super) fn calls(line: &str, name: &str) -> bool {
    word_places(line, name).any(|at| line[at + name.len()..].starts_with(['(', '!']))
}

/// `an Error`, `a Visitor`.
pub(super) fn with_article(name: &str) -> String {
    let article = if name.starts_with(['A', 'E', 'I', 'O']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}

/// Says whether one of some texts occurs.
pub(super) fn has_any(line: &str, texts: &[&str]) -> bool {
    texts.iter().any(|text| line.contains(text))
}

/// The parts of a name in lower case: `getUserById` is `get user by id`.
pub(super) fn name_parts(name: &str) -> Vec<String> {
    whyrank_syntax::identifier_parts(name)
        .into_iter()
        .map(|part| part.to_lowercase())
        .collect()
}

/// Says whether a name has one of some words among its parts.
pub(super) fn is_named(name: &str, words: &[&str]) -> bool {
    name_parts(name)
        .iter()
        .any(|part| words.contains(&part.as_str()))
}

/// Says whether a name begins with one of some words.
pub(super) fn begins(name: &str, words: &[&str]) -> bool {
    name_parts(name)
        .first()
        .is_some_and(|part| words.contains(&part.as_str()))
}
