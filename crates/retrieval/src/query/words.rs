//! A query's words: stopwords, weighted tokens, keywords, and the verbs that descriptions begin with.

use super::shape::QueryShape;
use std::collections::HashSet;
use whyrank_syntax::spaceless::is_spaceless;

/// Words that say nothing about code; identifiers of one word are never dropped.
const STOPWORDS: &[&str] = &[
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "being", "by", "can", "could", "did",
    "do", "does", "during", "each", "for", "from", "given", "had", "has", "have", "how", "if",
    "in", "into", "is", "it", "its", "of", "on", "or", "should", "so", "such", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "to", "us", "used", "uses",
    "using", "via", "was", "we", "were", "what", "when", "where", "which", "while", "who", "why",
    "will", "with", "would", "you", "your", "i", "my", "me", "our",
];

/// Verbs that comments of functions begin with, in the imperative (PEP 257) or the third person
/// (Javadoc, godoc). Words that name things just as often are left out.
const VERBS: &[&str] = &[
    "accept",
    "add",
    "append",
    "apply",
    "assert",
    "attach",
    "bind",
    "build",
    "calculate",
    "call",
    "cancel",
    "check",
    "clean",
    "clear",
    "close",
    "collect",
    "compare",
    "compute",
    "convert",
    "copy",
    "create",
    "decode",
    "delete",
    "deserialize",
    "determine",
    "disable",
    "dispatch",
    "emit",
    "enable",
    "encode",
    "ensure",
    "evaluate",
    "execute",
    "expand",
    "extract",
    "fetch",
    "find",
    "flush",
    "format",
    "generate",
    "get",
    "give",
    "handle",
    "initialize",
    "insert",
    "install",
    "invoke",
    "load",
    "look",
    "make",
    "merge",
    "normalize",
    "notify",
    "obtain",
    "open",
    "parse",
    "perform",
    "prepare",
    "print",
    "process",
    "produce",
    "provide",
    "read",
    "receive",
    "register",
    "release",
    "remove",
    "render",
    "replace",
    "reset",
    "resolve",
    "retrieve",
    "return",
    "run",
    "save",
    "send",
    "serialize",
    "set",
    "split",
    "start",
    "stop",
    "store",
    "tell",
    "test",
    "transform",
    "traverse",
    "update",
    "validate",
    "verify",
    "wait",
    "walk",
    "wrap",
    "write",
    "yield",
];

fn words(text: &str) -> impl Iterator<Item = &str> {
    // Marks over letters belong to them where words are not set apart.
    let is_of_word = |char: char| char.is_alphanumeric() || char == '_' || is_spaceless(char);
    text.split(move |char: char| !is_of_word(char))
        .filter(|word| !word.is_empty())
}

pub(crate) fn is_stopword(word: &str) -> bool {
    STOPWORDS.contains(&word.to_lowercase().as_str())
}

pub(super) fn weighted_tokens(text: &str, shape: QueryShape) -> Vec<(String, f32)> {
    let mut weighted: Vec<(String, f32)> = Vec::new();
    let keep_all =
        matches!(shape, QueryShape::Identifier | QueryShape::Path) || words(text).all(is_stopword);
    for word in words(text).filter(|word| keep_all || !is_stopword(word)) {
        whyrank_index::for_each_token(word, |token| {
            match weighted.iter_mut().find(|(known, _)| known == token) {
                Some((_, weight)) => *weight += 1.0,
                None => weighted.push((token.to_owned(), 1.0)),
            }
        });
    }
    weighted
}

pub(super) fn keywords(text: &str, shape: QueryShape) -> Vec<String> {
    let mut seen = HashSet::new();
    weighted_tokens(text, shape)
        .into_iter()
        .map(|(token, _)| token)
        .filter(|token| !token.contains('_') && seen.insert(token.clone()))
        .collect()
}

/// How many words the keywords are: two pairs of characters are about one.
pub(super) fn n_words(keywords: &[String]) -> usize {
    let is_pair = |word: &&String| word.chars().all(is_spaceless);
    let n_pairs = keywords.iter().filter(is_pair).count();
    keywords.len() - n_pairs + n_pairs.div_ceil(2)
}

pub(super) fn begins_with_verb(text: &str) -> bool {
    let first = text
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let first = first.trim_matches(|char: char| !char.is_alphanumeric());
    let is_verb = |word: &str| VERBS.contains(&word);
    is_verb(first)
        || first.strip_suffix('s').is_some_and(is_verb)
        || first.strip_suffix("es").is_some_and(is_verb)
        || first
            .strip_suffix("ies")
            .is_some_and(|stem| is_verb(&format!("{stem}y")))
}
