//! What a query is: its shape, its words, and the names that stand in it.

use super::change::{About, ChangeMessage, is_of_change};
use super::intent::{asks_for_config, asks_for_tests, is_list, of_tests};
use super::issue::Issue;
use super::shape::{QueryShape, identifiers, is_error_string, shape_of};
use super::words::{self, begins_with_verb, keywords, weighted_tokens};
use crate::search_index::SearchIndex;
use std::collections::HashSet;
use std::sync::Arc;

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
    /// It describes a change, as commit messages do.
    pub is_change: bool,
    /// The issue that it is, taken apart.
    pub(crate) issue: Option<Arc<Issue>>,
    /// Parts of the program that it names before it says what changed: `router` of `fix(router): …`.
    pub areas: Vec<String>,
    /// Repositories of the pool that it names.
    pub repositories: Vec<String>,
    /// Weight of the tokens that stand beside others for one word of which only the beginning is given.
    pub(crate) surplus: f32,
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
        query.take_names_out(index);
        if query.wants_tests && !query.is_change && !asks_for_tests(&query.text) {
            query.wants_tests = query.asks_for_tests_of(index);
        }
        query
    }

    /// Takes the names of repositories out of the words: they say where to look, and within a pool only
    /// files that describe themselves would match them. A query of nothing else keeps its words.
    fn take_names_out(&mut self, index: &SearchIndex) {
        self.repositories = index.repositories_named(&self.text);
        let mut names = HashSet::new();
        for name in &self.repositories {
            names.extend(whyrank_index::tokens(name));
        }
        let is_left = |word: &str| !names.contains(word);
        if self.keywords.iter().any(|word| is_left(word)) {
            self.tokens.retain(|(token, _)| is_left(token));
            self.keywords.retain(|word| is_left(word));
        }
    }

    /// Whether tests of a file's repository are asked for, where words mention tests: in a pool one
    /// repository may be about what others have in their tests.
    pub(crate) fn wants_tests_in(&self, index: &SearchIndex, file: u32) -> bool {
        let is_said = || self.is_change || asks_for_tests(&self.text);
        self.wants_tests
            && match index.part_of(file) {
                Some(part) => is_said() || self.asks_for_tests_of(&part.index),
                None => true,
            }
    }

    fn asks_for_tests_of(&self, index: &SearchIndex) -> bool {
        of_tests(&self.keywords).any(|word| !index.is_subject(word))
    }

    fn parse_for(text: &str, is_part: impl Fn(&str) -> bool) -> Self {
        let text = text.trim().to_owned();
        if let Some(issue) = Issue::read_formed(&text) {
            return Self::of_issue(text, issue);
        }
        let is_part = |area: &str| !is_error_string(&text) && is_part(area);
        if let Some(change) = ChangeMessage::read(&text, is_part) {
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
            repositories: Vec::new(),
            surplus: 0.0,
        }
    }

    /// All of a message but the words that every such message has. Names in its first line are what
    /// changed; those further down are often only what it was found by. That a change came with tests
    /// does not ask for tests.
    fn of_change(text: String, change: ChangeMessage) -> Self {
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
            shape_reason: "describes a change, as commit messages do".to_owned(),
            is_change: true,
            issue: None,
            areas: change.areas,
            repositories: Vec::new(),
            surplus: 0.0,
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
            repositories: Vec::new(),
            surplus: 0.0,
        }
    }

    /// What an encoder is given: of an issue its gist.
    pub(crate) fn encoded(&self) -> String {
        self.issue
            .as_ref()
            .map_or_else(|| self.text.clone(), |issue| issue.gist())
    }

    /// Says whether it describes one place in so many words, rather than naming a topic; half as
    /// many do when it says what is done there, a quarter when it is a sentence that ends in a full
    /// stop, as comments have them and questions do not.
    pub fn is_description(&self, n_words: usize) -> bool {
        let enough = match (self.is_sentence(), self.says_what_is_done) {
            (true, _) => n_words / 4,
            (false, true) => n_words / 2,
            (false, false) => n_words,
        };
        self.is_change
            || self.shape == QueryShape::Issue
            || (self.shape == QueryShape::NaturalLanguage
                && words::n_words(&self.keywords) >= enough
                && !is_list(&self.text))
    }

    /// Says whether it describes one place as the comment there would. A long question is no such
    /// description: it calls what it asks about by name more often.
    pub fn is_worded_as_comment(&self, n_words: usize) -> bool {
        let is_sentence = self.is_sentence() && self.shape != QueryShape::Issue;
        let is_said_so = self.is_change || self.says_what_is_done || is_sentence;
        is_said_so && self.is_description(n_words)
    }

    fn is_sentence(&self) -> bool {
        self.text.ends_with('.') && !self.text.ends_with("..")
    }

    /// Returns the last part of an identifier query: `use` of `Router.use`.
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
        check("“index out of range”.", ErrorString);
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
    fn a_report_is_an_issue_whatever_its_first_word() {
        for text in [
            "Fix the crash on empty carts\n```\nCart().add()\n```",
            "fix: totals are wrong\n\n## Steps to reproduce\nadd an item",
            "Fixes needed in cart\n  File \"a/b.py\", line 2, in f\nValueError: bad",
        ] {
            check(text, QueryShape::Issue);
        }
        let message = "fix(cart): keep totals\n\nThey were lost on redirect (#12).";
        assert!(ParsedQuery::parse(message).is_change);
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
