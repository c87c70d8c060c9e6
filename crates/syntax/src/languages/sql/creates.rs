//! What `CREATE` defines: its name, where it ends, and the columns of tables.

use super::reader::{Path, Reader};
use super::tokens::TokenKind;
use super::words::{TYPES, is_keyword, is_one_of};
use crate::types::{ReferenceKind, SymbolKind};

/// What can be created, and as what it is known.
const KINDS: [(&str, SymbolKind); 18] = [
    ("table", SymbolKind::Struct),
    ("view", SymbolKind::Struct),
    ("function", SymbolKind::Function),
    ("procedure", SymbolKind::Function),
    ("proc", SymbolKind::Function),
    ("aggregate", SymbolKind::Function),
    ("macro", SymbolKind::Function),
    ("trigger", SymbolKind::Function),
    ("event", SymbolKind::Function),
    ("package", SymbolKind::Module),
    ("index", SymbolKind::Constant),
    ("policy", SymbolKind::Constant),
    ("rule", SymbolKind::Constant),
    ("type", SymbolKind::TypeAlias),
    ("domain", SymbolKind::TypeAlias),
    ("synonym", SymbolKind::TypeAlias),
    ("sequence", SymbolKind::Variable),
    ("schema", SymbolKind::Namespace),
];

/// The head of a definition has at most this many tokens.
const FAR: usize = 400;

/// Words between `CREATE` and what is created.
const BETWEEN: &str = "\
    or replace alter temp temporary unlogged global local external foreign virtual unique \
    clustered nonclustered columnstore fulltext spatial bitmap primary xml materialized \
    recursive force editionable noneditionable constraint secure transient trusted hypertable";

/// What begins a rule of a table in place of a column.
const RULES: &str = "\
    primary foreign unique constraint check key index exclude like fulltext spatial period \
    select with";

impl Reader<'_, '_> {
    /// Reads what is created here, up to the end of the segment; gives the token behind its head.
    pub(super) fn create(&mut self, at: usize, segment_end: usize) -> Option<usize> {
        let (kind, kind_at) = self.created_kind(at)?;
        let mut name_at = kind_at + 1;
        let between = "concurrently if not exists body authorization";
        while self.is_any(name_at, between) {
            name_at += 1;
        }
        // `CREATE INDEX ON t`.
        if self.is(name_at, "on") && self.text(kind_at).eq_ignore_ascii_case("index") {
            return Some(name_at);
        }
        let path = self.path(name_at)?;
        let end = match kind {
            SymbolKind::Function | SymbolKind::Module => self.routine_end(path.end, segment_end),
            _ => segment_end,
        };
        let head_end = self.head_end(path.end, segment_end, kind);
        let is_temporary = (at..kind_at).any(|at| self.is_any(at, "temp temporary"))
            || path.parts.last().is_some_and(|name| name.starts_with('#'));
        self.take(at, path.end);
        let symbol = self.define(kind, &path, (at, head_end, end), None);
        if let Some(symbol) = symbol {
            self.facts.symbols[symbol as usize].exported = !is_temporary;
            self.enclosing(at);
            self.open.push((end, symbol));
            if matches!(kind, SymbolKind::Struct | SymbolKind::TypeAlias) {
                self.columns(path.end, segment_end, symbol);
            }
        }
        Some(path.end)
    }

    /// The kind of what is created, and the token that says it.
    fn created_kind(&self, at: usize) -> Option<(SymbolKind, usize)> {
        let mut next = at + 1;
        for _ in 0..16 {
            let found = KINDS.iter().find(|(word, _)| self.is(next, word));
            if let Some((_, kind)) = found {
                // `CREATE TYPE`, not a table called so.
                return Some((*kind, next));
            }
            // MySQL: `DEFINER = user@host SQL SECURITY INVOKER`.
            let is_setting = self.is_any(next, "definer algorithm sql security");
            if is_setting {
                next += 1;
                while self.is_mark(next, "=") || self.kind(next) == Some(TokenKind::Text) {
                    next += 1;
                }
                if self.is_name(next) && !KINDS.iter().any(|(word, _)| self.is(next, word)) {
                    next += 1;
                }
                if self.text(next).starts_with('@') {
                    next += 1 + usize::from(self.text(next) == "@");
                }
            } else if self.is_any(next, BETWEEN) {
                next += 1;
            } else {
                return None;
            }
        }
        None
    }

    /// The token at which the head of a definition ends: its body, or its columns.
    fn head_end(&self, from: usize, end: usize, kind: SymbolKind) -> usize {
        let is_table = matches!(kind, SymbolKind::Struct | SymbolKind::TypeAlias);
        let ends = |at: &usize| {
            is_table && self.is_mark(*at, "(") || self.is_any(*at, "as begin") && *at > from
        };
        let near = end.min(from + FAR);
        (from..near).find(ends).unwrap_or(near)
    }

    /// The token behind a function, a procedure or a trigger.
    fn routine_end(&mut self, from: usize, segment_end: usize) -> usize {
        let n_tokens = self.tokens.len();
        let end = self.routine_end_in(from, segment_end, n_tokens.min(from + self.n_steps_left));
        match self.may_look(end.saturating_sub(from)) {
            true => end,
            false => segment_end,
        }
    }

    fn routine_end_in(&self, from: usize, segment_end: usize, n_tokens: usize) -> usize {
        if self.kind(segment_end) == Some(TokenKind::BodyOpen) {
            let is_close = |at: &usize| self.kind(*at) == Some(TokenKind::BodyClose);
            let close = (segment_end..n_tokens).find(is_close).unwrap_or(n_tokens);
            let ends = |at: &usize| self.ends_statement(*at);
            return (close..n_tokens).find(ends).unwrap_or(n_tokens);
        }
        let mut depth = 0_u32;
        let mut is_declared = self.declares_first(from, segment_end);
        for at in from..n_tokens {
            if self.kind(at) == Some(TokenKind::BatchEnd) {
                return at;
            }
            match () {
                () if self.is(at, "begin") && !self.is_any(at + 1, "tran transaction") => {
                    depth += 1;
                    is_declared = false;
                }
                () if self.is(at, "case") && !self.is(at.wrapping_sub(1), "end") => depth += 1,
                () if self.is(at, "end") => {
                    let goes_on = "if loop while repeat for";
                    if !self.is_any(at + 1, goes_on) {
                        depth = depth.saturating_sub(1);
                    }
                }
                // Another one begins: this had no sign at its end.
                () if depth == 0 && at > from && self.is(at, "create") && self.opens_line(at) => {
                    return at;
                }
                () if depth == 0 && !is_declared && self.is_mark(at, ";") => return at,
                () => {}
            }
        }
        n_tokens
    }

    /// Says whether declarations stand between the head and `BEGIN`, as Oracle has them.
    fn declares_first(&self, from: usize, end: usize) -> bool {
        let starts = |at: &usize| self.is_any(*at, "is as");
        let Some(at) = (from..end.min(from + FAR)).find(starts) else {
            return false;
        };
        let code = "select return with insert update delete set declare if";
        self.is_name(at + 1) && !self.is_any(at + 1, code) && self.is_name(at + 2)
    }

    fn opens_line(&self, at: usize) -> bool {
        at == 0 || self.line(at - 1) < self.line(at)
    }

    fn ends_statement(&self, at: usize) -> bool {
        self.kind(at) == Some(TokenKind::BatchEnd) || self.is_mark(at, ";")
    }

    /// The columns of a table or of a composite type.
    fn columns(&mut self, from: usize, end: usize, table: u32) {
        let mut open = from;
        let between = "as object table of";
        while self.is_any(open, between) {
            open += 1;
        }
        if !self.is_mark(open, "(") {
            return;
        }
        let close = self.behind_brackets(open, end).saturating_sub(1);
        if !self.may_look(2 * close.saturating_sub(open)) {
            return;
        }
        let mut start = open + 1;
        while start < close {
            let stop = self.item_end(start, close);
            if self.is_column(start, stop) {
                let path = Path {
                    parts: vec![self.bare(start)],
                    last: start,
                    end: start + 1,
                };
                self.take(start, start + 1);
                self.define(SymbolKind::Field, &path, (start, stop, stop), Some(table));
                self.refer_to_type(start + 1);
            }
            start = stop + 1;
        }
    }

    /// The comma that ends an item of a list.
    fn item_end(&self, from: usize, end: usize) -> usize {
        let mut depth = 0_usize;
        for at in from..end {
            match self.text(at) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                "," if depth == 0 => return at,
                _ => {}
            }
        }
        end
    }

    fn is_column(&self, at: usize, end: usize) -> bool {
        match self.kind(at) {
            Some(TokenKind::Quoted) => true,
            // A key may be called so: `key text`, but `KEY name (column)`.
            Some(TokenKind::Name) if self.is_any(at, "key index period") => {
                is_one_of(self.text(at + 1), TYPES)
            }
            Some(TokenKind::Name) => !self.is_any(at, RULES) && at < end,
            _ => false,
        }
    }

    /// Adds a use of the type that stands here, if the language does not have it.
    pub(super) fn refer_to_type(&mut self, at: usize) {
        let Some(path) = self.path(at) else {
            return;
        };
        let is_own = path.parts.len() == 1
            && (is_one_of(&path.parts[0], TYPES) || is_keyword(&path.parts[0]));
        if !is_own {
            self.take(at, path.end);
            self.refer_to(&path, ReferenceKind::Type);
        }
    }

    /// Adds a use of a path as a whole.
    pub(super) fn refer_to(&mut self, path: &Path, kind: ReferenceKind) {
        if let Some((name, before)) = path.parts.split_last() {
            self.refer(path.last, name, &before.join("."), kind);
        }
    }
}
