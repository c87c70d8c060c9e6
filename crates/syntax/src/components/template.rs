//! Code of a template in the making: expressions, and blocks for what the template declares.

use std::ops::Range;

use super::made::Made;
use super::markup::{Part, Tag};
use super::nesting::outside;

/// Elements within each other that are told apart.
const MAX_OPEN: usize = 200;

/// The code so far, and what is open.
pub(crate) struct Template<'s> {
    pub(crate) source: &'s str,
    pub(crate) made: Made<'s>,
    open: Vec<Open<'s>>,
    /// How far it was read.
    at: usize,
}

/// An element, or a block of the template's own language, with the code that ends its scopes.
struct Open<'s> {
    name: &'s str,
    is_block: bool,
    ends: String,
    /// What a block is about.
    subject: Range<usize>,
}

impl<'s> Template<'s> {
    /// Begins behind the scripts of a file.
    pub(crate) fn new(source: &'s str, mut made: Made<'s>) -> Self {
        made.say("\n;(async()=>{\n");
        Self {
            source,
            made,
            open: Vec::new(),
            at: 0,
        }
    }

    /// Notes which part comes next: where scopes end is told.
    pub(crate) fn reach(&mut self, part: &Part) {
        self.at = match part {
            Part::Open(tag) => tag.name.end,
            Part::Close(inside) | Part::Braces(inside) => inside.end,
        };
    }

    pub(crate) fn end(mut self) -> Made<'s> {
        self.close_to(0);
        self.made.say("})();\n");
        self.made
    }

    pub(crate) fn text(&self, part: &Range<usize>) -> &'s str {
        self.source.get(part.clone()).unwrap_or("")
    }

    /// The part without the white space around it.
    pub(crate) fn trimmed(&self, part: Range<usize>) -> Range<usize> {
        let text = self.text(&part);
        let start = part.start + text.len() - text.trim_start().len();
        start..start + text.trim().len()
    }

    /// An expression by itself; one whose brackets do not match would take others with it.
    pub(crate) fn expression(&mut self, part: Range<usize>) {
        self.between("[", part, "];\n");
    }

    /// The same for the name or pattern of what it declares, or for statements.
    pub(crate) fn between(&mut self, before: &str, part: Range<usize>, after: &str) -> bool {
        let part = self.trimmed(part);
        let is_whole = !part.is_empty() && outside(self.text(&part)).is_some();
        if is_whole {
            self.made.say(before);
            self.made.copy(part);
            self.made.say(after);
        }
        is_whole
    }

    /// A name that a place means.
    pub(crate) fn name(&mut self, name: &str, from: usize, after: &str) {
        self.made.name(name, from);
        self.made.say(after);
    }

    /// The use of a component by its tag.
    pub(crate) fn component(&mut self, tag: &Tag) {
        self.made.copy(tag.name.clone());
        self.made.say("();\n");
    }

    /// Opens an element whose scopes end with it.
    pub(crate) fn open_element(&mut self, name: &'s str, ends: String) {
        self.push(name, false, ends, 0..0);
    }

    /// Opens a block of the template's language.
    pub(crate) fn open_block(&mut self, name: &'s str, ends: &str, subject: Range<usize>) {
        self.push(name, true, ends.to_owned(), subject);
    }

    fn push(&mut self, name: &'s str, is_block: bool, ends: String, subject: Range<usize>) {
        if self.open.len() < MAX_OPEN {
            self.open.push(Open {
                name,
                is_block,
                ends,
                subject,
            });
        } else {
            self.made.say(&ends);
        }
    }

    /// Closes the newest element of a name, and all in it; not beyond the block that it would stand in.
    pub(crate) fn close_element(&mut self, name: &str) {
        let stop = self.open.iter().rposition(|open| open.is_block);
        let start = stop.map_or(0, |stop| stop + 1);
        let inside = &self.open[start..];
        if let Some(at) = inside.iter().rposition(|open| open.name == name) {
            self.close_to(start + at);
        }
    }

    /// Closes the newest block of a name, and all in it.
    pub(crate) fn close_block(&mut self, name: &str) {
        let is_it = |open: &Open<'_>| open.is_block && open.name == name;
        if let Some(at) = self.open.iter().rposition(is_it) {
            self.close_to(at);
        }
    }

    /// Closes what is in the newest block and ends its scopes; it goes on with others. Its subject.
    pub(crate) fn next_branch(&mut self, ends: &str) -> Option<Range<usize>> {
        let at = self.open.iter().rposition(|open| open.is_block)?;
        self.close_to(at + 1);
        let block = self.open.last_mut()?;
        let ended = std::mem::replace(&mut block.ends, ends.to_owned());
        self.made.say(&ended);
        Some(block.subject.clone())
    }

    fn close_to(&mut self, n_open: usize) {
        while self.open.len() > n_open {
            let ends = self.open.pop().map(|open| open.ends);
            self.name("", self.at, &ends.unwrap_or_default());
        }
    }

    /// The places in a part at which a word stands by itself, outside of brackets.
    pub(crate) fn words(&self, part: &Range<usize>, word: &str) -> Vec<usize> {
        let text = self.text(part);
        let Some(places) = outside(text) else {
            return Vec::new();
        };
        let is_space = |at: usize| {
            let byte = text.as_bytes().get(at);
            byte.is_none_or(u8::is_ascii_whitespace)
        };
        let is_word = |at: &&usize| {
            text.as_bytes()[**at..].starts_with(word.as_bytes())
                && (**at == 0 || is_space(**at - 1))
                && is_space(**at + word.len())
        };
        let found = places.iter().filter(is_word);
        found.map(|at| part.start + at).collect()
    }

    /// The parts of a list, at the commas outside of brackets.
    pub(crate) fn items(&self, part: Range<usize>) -> Vec<Range<usize>> {
        let text = self.text(&part);
        let places = outside(text).unwrap_or_default();
        let commas = places.iter().filter(|at| text.as_bytes()[**at] == b',');
        let (mut items, mut start) = (Vec::new(), part.start);
        for at in commas {
            items.push(start..part.start + at);
            start = part.start + at + 1;
        }
        items.push(start..part.end);
        items.into_iter().map(|item| self.trimmed(item)).collect()
    }

    /// A loop over what an expression holds; true if the scope was opened.
    pub(crate) fn each(&mut self, pattern: Range<usize>, of: Range<usize>) -> bool {
        let is_whole = |part: &Range<usize>| outside(self.text(part)).is_some();
        let (pattern, of) = (self.trimmed(pattern), self.trimmed(of));
        if of.is_empty() || !is_whole(&pattern) || !is_whole(&of) {
            return false;
        }
        self.made.say("for(const ");
        if pattern.is_empty() {
            self.made.say("$");
        } else {
            self.made.copy(pattern);
        }
        self.made.say(" of ");
        self.made.copy(of);
        self.made.say("){\n");
        true
    }
}
