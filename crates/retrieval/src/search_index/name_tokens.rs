//! The tokens of one name.

use whyrank_syntax::spaceless::is_spaceless;

/// The tokens of a name, each once.
pub(crate) fn distinct_tokens(name: &str) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    whyrank_index::for_each_token(name, |token| {
        if !distinct.iter().any(|known| known == token) {
            distinct.push(token.to_owned());
        }
    });
    distinct
}

/// The parts among a name's distinct tokens: of a compound name all but the first, which is the whole.
/// A name in a script without spaces gives no whole.
pub(crate) fn part_tokens(tokens: &[String]) -> &[String] {
    let is_spaceless = |token: &String| token.chars().all(is_spaceless);
    if tokens.len() > 1 && !tokens.iter().any(is_spaceless) {
        &tokens[1..]
    } else {
        tokens
    }
}
