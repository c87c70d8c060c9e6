//! A file of SQL at work: its tokens, the definitions around a place, and what was found so far.

use super::tokens::{self, Token, TokenKind};
use super::words;
use crate::crowd::{Crowd, LEFT_OUT};
use crate::lines::Lines;
use crate::types::{
    FileFacts, Import, ImportKind, Reference, ReferenceKind, Symbol, SymbolKind, SyntaxError,
};
use crate::walk::one_line;

/// Each token is looked ahead at so often, on average.
const STEPS: usize = 16;

/// The bracket that closes each one that is open, by token.
fn closing(tokens: &[Token], source: &str) -> Vec<usize> {
    let mut closing = vec![tokens.len(); tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match source.get(token.start..token.end) {
            Some("(") => open.push(at),
            Some(")") => {
                if let Some(opener) = open.pop() {
                    closing[opener] = at;
                }
            }
            // No bracket goes on behind a statement.
            Some(";") => open.clear(),
            _ => {}
        }
    }
    closing
}

/// A name with those before it: `schema.name`.
pub(super) struct Path {
    /// Without quotes.
    pub(super) parts: Vec<String>,
    /// The token of the last part.
    pub(super) last: usize,
    /// The token behind.
    pub(super) end: usize,
}

pub(super) struct Reader<'l, 's> {
    pub(super) lines: &'l Lines<'s>,
    pub(super) tokens: Vec<Token>,
    /// Tokens of which it is known what they are.
    pub(super) is_taken: Vec<bool>,
    pub(super) facts: FileFacts,
    pub(super) crowd: Crowd,
    /// By token: the bracket that closes the one there, or the end of the text.
    pub(super) closing: Vec<usize>,
    /// How many tokens may still be looked ahead at: definitions in each other would be read again and again.
    pub(super) n_steps_left: usize,
    /// Definitions around the place at work, with the tokens behind them.
    pub(super) open: Vec<(usize, u32)>,
}

impl<'l, 's> Reader<'l, 's> {
    pub(super) fn new(lines: &'l Lines<'s>) -> Self {
        let tokens = tokens::tokens(lines.source());
        Self {
            lines,
            is_taken: vec![false; tokens.len()],
            closing: closing(&tokens, lines.source()),
            n_steps_left: STEPS * tokens.len(),
            tokens,
            facts: FileFacts::default(),
            crowd: Crowd::default(),
            open: Vec::new(),
        }
    }

    pub(super) fn n_tokens(&self) -> usize {
        self.tokens.len()
    }

    /// The token that ends the statement, or the part of one, that begins here.
    pub(super) fn segment_end(&self, start: usize) -> usize {
        let ends = |at: &usize| match self.tokens[*at].kind {
            TokenKind::BodyOpen
            | TokenKind::BodyClose
            | TokenKind::BatchEnd
            | TokenKind::Command => true,
            TokenKind::Mark => self.text(*at) == ";",
            TokenKind::Name => self.is(*at, "begin"),
            _ => false,
        };
        (start..self.tokens.len())
            .find(ends)
            .unwrap_or(self.tokens.len())
    }

    /// `\i file`, `@file`, `:r file`, `source file`.
    pub(super) fn command(&mut self, at: usize) {
        if self.kind(at) != Some(TokenKind::Command) {
            return;
        }
        let line = self.text(at).trim().trim_end_matches(';');
        let (head, file) = line.split_once(char::is_whitespace).unwrap_or(("@", line));
        let includes = [
            "\\i",
            "\\ir",
            "\\include",
            "\\include_relative",
            "@",
            "@@",
            ":r",
            "source",
        ];
        if includes.iter().any(|word| head.eq_ignore_ascii_case(word)) {
            let file = file.trim().trim_matches(['\'', '"', '@']);
            self.facts.imports.push(Import {
                module: file.to_owned(),
                names: Vec::new(),
                kind: ImportKind::Include,
                line: self.line(at),
            });
        }
    }

    pub(super) fn text(&self, at: usize) -> &'s str {
        let token = self.tokens.get(at);
        token.map_or("", |token| {
            self.lines
                .source()
                .get(token.start..token.end)
                .unwrap_or("")
        })
    }

    pub(super) fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// Says whether a token is a word of the language, whatever its case.
    pub(super) fn is(&self, at: usize, word: &str) -> bool {
        self.kind(at) == Some(TokenKind::Name) && self.text(at).eq_ignore_ascii_case(word)
    }

    /// Says whether a token is one of some words.
    pub(super) fn is_any(&self, at: usize, words: &str) -> bool {
        self.kind(at) == Some(TokenKind::Name) && words::is_one_of(self.text(at), words)
    }

    pub(super) fn is_mark(&self, at: usize, mark: &str) -> bool {
        self.kind(at) == Some(TokenKind::Mark) && self.text(at) == mark
    }

    pub(super) fn is_name(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(TokenKind::Name | TokenKind::Quoted))
    }

    pub(super) fn line(&self, at: usize) -> u32 {
        self.tokens
            .get(at)
            .map_or(1, |token| self.lines.line_of(token.start))
    }

    /// A name without its quotes.
    pub(super) fn bare(&self, at: usize) -> String {
        let text = self.text(at);
        if self.kind(at) != Some(TokenKind::Quoted) {
            return text.to_owned();
        }
        let quote = &text[..1];
        let inside = text.get(1..text.len() - 1).unwrap_or("");
        match quote {
            "[" => inside.to_owned(),
            quote => inside.replace(&quote.repeat(2), quote),
        }
    }

    /// The name that begins at a token.
    pub(super) fn path(&self, start: usize) -> Option<Path> {
        if !self.is_name(start) {
            return None;
        }
        let mut path = Path {
            parts: vec![self.bare(start)],
            last: start,
            end: start + 1,
        };
        while self.is_mark(path.end, ".") && path.parts.len() < 4 {
            // `database..table`.
            let next = path.end + 1 + usize::from(self.is_mark(path.end + 1, "."));
            if !self.is_name(next) {
                break;
            }
            path.parts.push(self.bare(next));
            (path.last, path.end) = (next, next + 1);
        }
        Some(path)
    }

    pub(super) fn take(&mut self, start: usize, end: usize) {
        let n_tokens = self.is_taken.len();
        self.is_taken[start.min(n_tokens)..end.min(n_tokens)].fill(true);
    }

    /// The token behind the bracket that closes the one here.
    pub(super) fn behind_brackets(&self, open: usize, end: usize) -> usize {
        self.closing
            .get(open)
            .map_or(end, |close| end.min(close + 1))
    }

    /// Says whether so many tokens may be looked ahead at.
    pub(super) fn may_look(&mut self, n_tokens: usize) -> bool {
        let left = self.n_steps_left.checked_sub(n_tokens);
        self.n_steps_left = left.unwrap_or(self.n_steps_left);
        left.is_some()
    }

    /// The innermost definition around a token.
    pub(super) fn enclosing(&mut self, at: usize) -> Option<u32> {
        while self.open.last().is_some_and(|(end, _)| *end <= at) {
            self.open.pop();
        }
        self.open.last().map(|(_, symbol)| *symbol)
    }

    pub(super) fn refer(&mut self, at: usize, name: &str, qualifier: &str, kind: ReferenceKind) {
        let Some(token) = self.tokens.get(at).copied() else {
            return;
        };
        let enclosing = self.enclosing(at);
        let line = self.lines.line_of(token.start);
        let is_quoted = token.kind == TokenKind::Quoted;
        let column = token.start as u32 - self.lines.start(line) + u32::from(is_quoted);
        self.facts.references.push(Reference {
            name: name.to_owned(),
            qualifier: qualifier.to_owned(),
            kind,
            line,
            column,
            enclosing,
            arguments: None,
        });
    }

    /// Adds a definition that begins at one token and ends before another.
    pub(super) fn define(
        &mut self,
        kind: SymbolKind,
        path: &Path,
        (start, head_end, end): (usize, usize, usize),
        parent: Option<u32>,
    ) -> Option<u32> {
        let name = path.parts.last()?.clone();
        let own = path.parts.join(".");
        let outer = parent.map(|at| &self.facts.symbols[at as usize]);
        let qualified = match outer {
            Some(outer) => format!("{}.{own}", outer.qualified),
            None => own,
        };
        let line = self.line(path.last);
        let is_kept = !name.is_empty() && name.len() <= 200 && !name.contains('\n');
        if !is_kept
            || !self
                .crowd
                .admits(&name, &qualified, usize::from(parent.is_some()))
        {
            if is_kept && self.facts.errors.is_empty() {
                let message = LEFT_OUT.to_owned();
                self.facts.errors.push(SyntaxError { line, message });
            }
            return None;
        }
        let first_line = self.line(start);
        let last = self.tokens[end.saturating_sub(1).max(start)];
        let last_line = self.lines.line_of(last.end.saturating_sub(1));
        let head = self.tokens[head_end.saturating_sub(1).max(start)].end;
        let head = self
            .lines
            .source()
            .get(self.tokens[start].start..head)
            .unwrap_or("");
        let exported = outer.is_none_or(|outer| outer.exported);
        let mut span = self.lines.span(first_line, last_line.max(first_line));
        span.start_byte = self.tokens[start].start as u32;
        span.end_byte = span.end_byte.max(last.end as u32);
        let doc = parent
            .is_none()
            .then(|| words::doc(self.lines, first_line))
            .flatten();
        self.facts.symbols.push(Symbol {
            name,
            qualified,
            kind,
            span,
            name_line: line,
            signature: one_line(head, 200),
            doc,
            parent,
            exported,
        });
        Some(self.facts.symbols.len() as u32 - 1)
    }
}
