//! What a query is: its shape, its words, and the names that stand in it.

use crate::change::{About, Change, is_of_change};
use crate::intent::{asks_for_config, asks_for_tests, is_list, of_tests};
use crate::issue::Issue;
use crate::search_index::SearchIndex;
use crate::shape::QueryShape;
use std::collections::HashSet;
use std::sync::Arc;

/// Words that say nothing about code; identifiers of one word are never dropped.
const STOPWORDS: &[&str] = &[
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "being", "by", "can", "could", "did",
    "do", "does", "during", "each", "for", "from", "given", "had", "has", "have", "how", "if",
    "in", "into", "is", "it", "its", "of", "on", "or", "should", "so", "such", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "to", "us", "used", "uses",
    "using", "via", "was", "we", "were", "what", "when", "where", "which", "while", "who", "why",
    "will", "with", "would", "you", "your", "i", "my", "me", "our",
];

/// A query, taken apart.
#[derive(Clone, Debug)]
pub struct ParsedQuery {
    /// As given, trimmed.
    pub text: String,
    /// Shape.
    pub shape: QueryShape,
    /// Why it is that shape.
    pub shape_reason: String,
    /// Tokens for the lexical store with their weights (how often they stand in the query).
    pub tokens: Vec<(String, f32)>,
    /// Words without stopwords, lower-cased and stemmed, each once, in order.
    pub keywords: Vec<String>,
    /// Identifiers that stand in it as such: the whole query of identifier shape, or `camelCase`
    /// and `snake_case` words and quoted names among others.
    pub identifiers: Vec<String>,
    /// It says what something does, as the first sentence of a function's comment does.
    pub says_what_is_done: bool,
    /// It asks about tests.
    pub wants_tests: bool,
    /// It asks about documentation or examples.
    pub wants_docs: bool,
    /// It asks about how things are built, packed, set up or released.
    pub wants_config: bool,
    /// It speaks of a change, as commit messages do.
    pub is_change: bool,
    /// The issue that it is, taken apart.
    pub(crate) issue: Option<Arc<Issue>>,
    /// Parts of the program that it names before it says what changed: `router` of `fix(router): …`.
    pub areas: Vec<String>,
}

impl ParsedQuery {
    /// Takes a query apart. Never fails; an empty text has no tokens.
    pub fn parse(text: &str) -> Self {
        Self::parse_for(text, |_| false)
    }

    /// As [`Self::parse`], for the program of an index: it says what its parts are called, and which
    /// words are its subject. In a test framework "test" does not ask for tests.
    pub(crate) fn parse_in(text: &str, index: &SearchIndex) -> Self {
        let mut query = Self::parse_for(text, |area| index.has_area(area));
        if query.wants_tests && !query.is_change && !asks_for_tests(&query.text) {
            query.wants_tests = of_tests(&query.keywords).any(|word| !index.is_subject(word));
        }
        query
    }

    fn parse_for(text: &str, is_part: impl Fn(&str) -> bool) -> Self {
        let text = text.trim().to_owned();
        let is_part = |area: &str| !is_error_string(&text) && is_part(area);
        if let Some(change) = Change::read(&text, is_part) {
            return Self::of_change(text, change);
        }
        if let Some(issue) = Issue::read(&text) {
            return Self::of_issue(text, issue);
        }
        let (shape, shape_reason) = shape_of(&text);
        let identifiers = identifiers(&text, shape);
        let keywords = keywords(&text, shape);
        let wants_tests = of_tests(&keywords).next().is_some();
        let mentions = |names: &[&str]| keywords.iter().any(|word| names.contains(&word.as_str()));
        Self {
            tokens: weighted_tokens(&text, shape),
            wants_tests,
            wants_docs: mentions(&[
                "doc",
                "documentation",
                "readm",
                "readme",
                "exampl",
                "example",
                "tutorial",
                "changelog",
            ]),
            wants_config: asks_for_config(&keywords),
            says_what_is_done: shape == QueryShape::NaturalLanguage && begins_with_verb(&text),
            text,
            shape,
            shape_reason,
            keywords,
            identifiers,
            is_change: false,
            issue: None,
            areas: Vec::new(),
        }
    }

    /// All of a message but the words that every such message has. Names in its first line are what
    /// changed; those further down are often only what it was found by. That a change came with tests
    /// does not ask for tests.
    fn of_change(text: String, change: Change) -> Self {
        let shape = QueryShape::NaturalLanguage;
        let said = format!("{} {}", change.subject, change.body);
        let plain = without_words_of_change(&format!("{} {said}", change.areas.join(" ")));
        Self {
            tokens: weighted_tokens(&plain, shape),
            keywords: keywords(&plain, shape),
            identifiers: identifiers(&change.subject, shape),
            wants_tests: change.is_about == Some(About::Tests),
            wants_docs: change.is_about == Some(About::Docs),
            wants_config: change.is_about == Some(About::Build),
            says_what_is_done: false,
            text,
            shape,
            shape_reason: "speaks of a change, as commit messages do".to_owned(),
            is_change: true,
            issue: None,
            areas: change.areas,
        }
    }

    /// Its words are those of its title and of its first sentences: the parts ask on their own.
    fn of_issue(text: String, issue: Issue) -> Self {
        let shape = QueryShape::Issue;
        let gist = issue.gist();
        Self {
            tokens: weighted_tokens(&gist, shape),
            keywords: keywords(&gist, shape),
            identifiers: identifiers(&gist, shape),
            wants_tests: false,
            wants_docs: false,
            wants_config: false,
            says_what_is_done: false,
            text,
            shape,
            shape_reason: "several lines, as issues are filed".to_owned(),
            is_change: false,
            issue: Some(Arc::new(issue)),
            areas: Vec::new(),
        }
    }

    /// What an encoder is given: of an issue its gist.
    pub(crate) fn encoded(&self) -> String {
        self.issue
            .as_ref()
            .map_or_else(|| self.text.clone(), |issue| issue.gist())
    }

    /// Whether it describes one place in so many words, rather than naming a topic; half as many do
    /// when it says what is done there, a quarter when it is a sentence that ends in a full stop, as
    /// comments have them and questions do not.
    pub fn is_description(&self, n_words: usize) -> bool {
        let enough = match (self.is_sentence(), self.says_what_is_done) {
            (true, _) => n_words / 4,
            (false, true) => n_words / 2,
            (false, false) => n_words,
        };
        self.is_change
            || self.shape == QueryShape::Issue
            || (self.shape == QueryShape::NaturalLanguage
                && self.keywords.len() >= enough
                && !is_list(&self.text))
    }

    /// Whether it describes one place as the comment there would. A long question is no such
    /// description: it calls what it asks about by name more often.
    pub fn is_worded_as_comment(&self, n_words: usize) -> bool {
        let is_sentence = self.is_sentence() && self.shape != QueryShape::Issue;
        let is_said_so = self.is_change || self.says_what_is_done || is_sentence;
        is_said_so && self.is_description(n_words)
    }

    fn is_sentence(&self) -> bool {
        self.text.ends_with('.') && !self.text.ends_with("..")
    }

    /// The last part of an identifier query: `use` of `Router.use`.
    pub fn bare_name(identifier: &str) -> &str {
        identifier
            .rsplit(['.', ':', '#', '\\', '/', '>'])
            .next()
            .unwrap_or(identifier)
    }
}

fn without_words_of_change(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| !is_of_change(word));
    let said = words.collect::<Vec<_>>().join(" ");
    if said.is_empty() {
        text.to_owned()
    } else {
        said
    }
}

fn shape_of(text: &str) -> (QueryShape, String) {
    let shape = |shape, reason: &str| (shape, reason.to_owned());
    if text.is_empty() {
        return shape(QueryShape::NaturalLanguage, "empty");
    }
    let n_words = text.split_whitespace().count();
    if n_words == 1 && is_path(text) {
        return shape(
            QueryShape::Path,
            "one word with a slash or a source file's ending",
        );
    }
    if n_words == 1 && is_identifier(text) {
        return shape(
            QueryShape::Identifier,
            "one word with a capital, an underscore or a qualifier",
        );
    }
    if is_error_string(text) {
        return shape(
            QueryShape::ErrorString,
            "quoted, or reads like a message that a program prints",
        );
    }
    shape(
        QueryShape::NaturalLanguage,
        if n_words == 1 {
            "one plain word"
        } else {
            "several words"
        },
    )
}

fn is_path(text: &str) -> bool {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"/._-@+".contains(&byte));
    let ends_like_a_file = text.rsplit_once('.').is_some_and(|(stem, ending)| {
        let is_known = whyrank_syntax::detect(&format!("x.{ending}"), b"")
            .is_some_and(|language| language.name() != "text");
        !stem.is_empty()
            && is_known
            && text.bytes().filter(|byte| *byte == b'.').count() == 1
            && ending.bytes().all(|byte| byte.is_ascii_lowercase())
            && ending.len() <= 5
    });
    plain && (text.contains('/') || ends_like_a_file)
}

/// One word that is a name and not plain prose: qualified, with an inner or leading capital, an
/// underscore or a digit.
fn is_identifier(text: &str) -> bool {
    let text = text.trim_end_matches("()");
    let is_name = |part: &str| {
        let mut chars = part.chars();
        chars
            .next()
            .is_some_and(|first| first.is_alphabetic() || "_$@".contains(first))
            && chars.all(|rest| rest.is_alphanumeric() || "_$?!".contains(rest))
    };
    let parts: Vec<&str> = text
        .split(['.', '#', '\\'])
        .flat_map(|part| part.split("::"))
        .flat_map(|part| part.split("->"))
        .collect();
    let all_names = parts.iter().all(|part| is_name(part));
    let has_mark = parts.len() > 1
        || text
            .chars()
            .any(|char| char.is_uppercase() || "_$@?!".contains(char) || char.is_ascii_digit());
    all_names && has_mark
}

fn is_error_string(text: &str) -> bool {
    let quoted =
        text.len() > 2 && text.starts_with(['"', '\'', '`']) && text.ends_with(['"', '\'', '`']);
    let has_placeholder = ["%s", "%d", "{}", "${"]
        .iter()
        .any(|mark| text.contains(mark));
    let lower = text.to_lowercase();
    let opens_like_one = [
        "error:",
        "cannot ",
        "can't ",
        "failed to ",
        "unexpected ",
        "invalid ",
        "panic",
    ]
    .iter()
    .any(|opening| lower.starts_with(opening));
    let has_punctuation = text.contains(": ") || text.ends_with('.') || text.contains('(');
    quoted || has_placeholder || (opens_like_one && has_punctuation)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !char.is_alphanumeric() && char != '_')
        .filter(|word| !word.is_empty())
}

pub(crate) fn is_stopword(word: &str) -> bool {
    STOPWORDS.contains(&word.to_lowercase().as_str())
}

fn weighted_tokens(text: &str, shape: QueryShape) -> Vec<(String, f32)> {
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

fn keywords(text: &str, shape: QueryShape) -> Vec<String> {
    let mut seen = HashSet::new();
    weighted_tokens(text, shape)
        .into_iter()
        .map(|(token, _)| token)
        .filter(|token| !token.contains('_') && seen.insert(token.clone()))
        .collect()
}

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

fn begins_with_verb(text: &str) -> bool {
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

fn identifiers(text: &str, shape: QueryShape) -> Vec<String> {
    if shape == QueryShape::Identifier {
        return vec![text.trim_end_matches("()").to_owned()];
    }
    let mut found: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_matches(|char: char| !char.is_alphanumeric() && char != '_');
        let word = word.trim_end_matches("()");
        let inner_capital =
            word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
        let looks_like_one = word.len() > 2
            && is_identifier(word)
            && (inner_capital || word.contains(['_', '.', ':']));
        if looks_like_one && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: QueryShape) {
        assert_eq!(ParsedQuery::parse(text).shape, expected, "{text}");
    }

    #[test]
    fn shapes() {
        use QueryShape::{ErrorString, Identifier, NaturalLanguage, Path};
        check("Router", Identifier);
        check("Router.use", Identifier);
        check("crate::x::Y", Identifier);
        check("parse_routes", Identifier);
        check("A::B#m", Identifier);
        check("src/app.py", Path);
        check("router.ts", Path);
        check("session", NaturalLanguage);
        check("how are routes registered", NaturalLanguage);
        check("cannot open file: no such device", ErrorString);
        check("\"index out of range\"", ErrorString);
        check("", NaturalLanguage);
    }

    #[test]
    fn stopwords_go_unless_nothing_else_is_left() {
        assert_eq!(
            ParsedQuery::parse("how are routes registered").keywords,
            ["rout", "register"]
        );
        assert!(!ParsedQuery::parse("what is it").tokens.is_empty());
    }

    #[test]
    fn a_message_of_a_change_asks_for_what_it_changed() {
        let query = ParsedQuery::parse("Fix `use_it` of the test router (#12)\n\nsee OtherName");
        assert_eq!(query.shape, QueryShape::NaturalLanguage);
        assert!(query.is_change && query.is_description(8) && !query.wants_tests);
        assert_eq!(query.identifiers, ["use_it"]);
        assert!(
            !query
                .keywords
                .iter()
                .any(|word| word == "fix" || word == "12")
        );
        assert!(query.keywords.contains(&"other".to_owned()));
        assert!(ParsedQuery::parse("test: fix the fixture").wants_tests);
    }

    #[test]
    fn a_list_of_topics_describes_no_place() {
        let describes = |text: &str| ParsedQuery::parse(text).is_description(8);
        assert!(!describes(
            "sessions, cookies, csrf tokens, redirects, error pages, static files"
        ));
        assert!(describes(
            "copies the headers of a request, without those that only one hop may see, to the next"
        ));
    }

    #[test]
    fn a_sentence_with_a_full_stop_describes_one_place() {
        let describes = |text: &str| ParsedQuery::parse(text).is_description(8);
        assert!(describes("Creates an empty directory."));
        assert!(describes("The complement of unique()."));
        assert!(!describes("empty directory"));
        assert!(!describes("routes and so on..."));
        assert!(!describes("session."));
    }

    #[test]
    fn names_inside_words_are_found() {
        let query = ParsedQuery::parse("where does HTTPAdapter use max_retries");
        assert_eq!(query.identifiers, ["HTTPAdapter", "max_retries"]);
    }
}
