//! The last word while somebody types: where nothing has it whole, it stands for the words that begin so.
//!
//! A word that is there stays what it is, so that what holds it keeps its order.

use super::ParsedQuery;
use whyrank_index::{Pool, Result};

/// Words that a beginning stands for, at most: those of most chunks.
const MAX_WORDS: usize = 4;
/// Those among them by which names are looked for.
const MAX_KEYWORDS: usize = 2;
/// A word in fewer chunks than the first one's by this factor is hardly what is typed.
const RARER: u64 = 8;
/// Letters from which on a beginning says enough.
const MIN_LETTERS: usize = 2;
/// Letters of an ending (`routin` of `routing`) that the tokens of a text do not have.
const MAX_ENDING: usize = 3;
/// Letters of a word that are left without it, at least.
const MIN_STEM: usize = 4;

/// Takes the last word of a query for a beginning.
///
/// # Errors
/// A store that cannot be read.
pub(crate) fn complete_last_word(query: &mut ParsedQuery, stores: &Pool<'_>) -> Result<()> {
    if query.issue.is_some() {
        return Ok(());
    }
    let word = last_word(&query.text).to_lowercase();
    let part = whyrank_index::parts(last_word(&query.text)).last();
    let part = part.unwrap_or_default().to_lowercase();
    for begun in [Some(&word), Some(&part).filter(|part| **part != word)]
        .into_iter()
        .flatten()
    {
        let token = if *begun == part {
            whyrank_index::stem(begun)
        } else {
            begun.as_str()
        };
        let is_asked = query.tokens.iter().any(|(known, _)| known == token);
        if is_asked && begun.chars().count() >= MIN_LETTERS && !stores.holds(token)? {
            let words = words_begun(begun, stores)?;
            replace(query, token, &words);
        }
    }
    Ok(())
}

/// The letters at the end of a text, if it ends in a word.
fn last_word(text: &str) -> &str {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let rest = text.trim_end_matches(is_word);
    text[rest.len()..].trim_matches('_')
}

/// The words that begin so, each with the chunks that have it, most first; of a word with an ending that
/// no token has, the word without it.
fn words_begun(begun: &str, stores: &Pool<'_>) -> Result<Vec<(String, u64)>> {
    let mut words = stores.beginning_with(begun, MAX_WORDS)?;
    let most = words.first().map_or(0, |(_, n)| *n);
    words.retain(|(_, n)| n * RARER >= most);
    if words.is_empty() && begun.is_ascii() {
        let least = begun.len().saturating_sub(MAX_ENDING).max(MIN_STEM);
        for end in (least..begun.len()).rev() {
            if stores.holds(&begun[..end])? {
                return Ok(vec![(begun[..end].to_owned(), 1)]);
            }
        }
    }
    Ok(words)
}

/// Puts words in place of a token, each with the weight that its chunks give it.
fn replace(query: &mut ParsedQuery, token: &str, words: &[(String, u64)]) {
    let Some((_, most)) = words.first() else {
        return;
    };
    query.tokens.retain(|(known, _)| known != token);
    let is_keyword = query.keywords.iter().any(|known| known == token);
    query.keywords.retain(|known| known != token);
    for (at, (word, n)) in words.iter().enumerate() {
        let weight = *n as f32 / *most as f32;
        if query.tokens.iter().all(|(known, _)| known != word) {
            query.tokens.push((word.clone(), weight));
            query.surplus += if at == 0 { 0.0 } else { weight };
        }
        let is_name = is_keyword && at < MAX_KEYWORDS && !query.keywords.contains(word);
        if is_name && !word.contains('_') {
            query.keywords.push(word.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_is_what_a_text_ends_in() {
        assert_eq!(last_word("json rou"), "rou");
        assert_eq!(last_word("Router.add_rou"), "add_rou");
        assert_eq!(last_word("_init_"), "init");
        for done in ["json ", "f(x)", "", "\"rou\""] {
            assert_eq!(last_word(done), "", "{done}");
        }
    }

    #[test]
    fn words_in_place_of_one_weigh_as_one() {
        let mut query = ParsedQuery::parse("json rou");
        let words = [("rout".to_owned(), 10), ("router".to_owned(), 5)];
        replace(&mut query, "rou", &words);
        let tokens = [("json", 1.0), ("rout", 1.0), ("router", 0.5)];
        assert_eq!(
            query.tokens,
            tokens.map(|(token, weight)| (token.to_owned(), weight))
        );
        assert_eq!(query.keywords, ["json", "rout", "router"]);
        assert!((query.surplus - 0.5).abs() < 1e-6);
    }
}
