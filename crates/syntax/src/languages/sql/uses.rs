//! What a statement names: tables behind `FROM`, `JOIN`, `INTO` and the like, functions that it calls, types, and
//! columns behind a table or its alias.

use std::collections::HashMap;

use super::reader::{Path, Reader};
use super::tokens::TokenKind;
use super::words::{AFTER_TABLES, NO_ALIAS, TYPES, is_keyword, is_one_of};
use crate::types::ReferenceKind;

/// What stands for a row that no table of the statement has.
const UNKNOWN: &str = "…";
/// Words behind which a statement names what it changes or describes.
const OBJECTS: &str =
    "view function procedure proc trigger index type domain sequence aggregate policy";
/// First words of statements about definitions.
const ABOUT: &str =
    "alter drop truncate lock analyze comment grant revoke refresh reindex rename describe";

/// A pair of brackets, or what stands outside of all.
#[derive(Clone, Copy, Default)]
struct Level {
    /// A query stands in it.
    is_query: bool,
    /// Its tables are being listed.
    lists_tables: bool,
}

/// A statement, or a part of one.
pub(super) struct Statement<'r, 'l, 's> {
    reader: &'r mut Reader<'l, 's>,
    start: usize,
    end: usize,
    levels: Vec<Level>,
    /// Tables by alias and by their own names, folded; none for what is no table, or several.
    tables: HashMap<String, Option<String>>,
    /// Names that `WITH` gives, folded.
    given: Vec<String>,
    /// Uses of columns that wait for the aliases, and what stands before them.
    waiting: Vec<(usize, String)>,
}

impl<'r, 'l, 's> Statement<'r, 'l, 's> {
    pub(super) fn new(reader: &'r mut Reader<'l, 's>, start: usize, end: usize) -> Self {
        Self {
            reader,
            start,
            end,
            levels: vec![Level::default()],
            tables: HashMap::new(),
            given: Vec::new(),
            waiting: Vec::new(),
        }
    }

    pub(super) fn read(mut self) {
        let mut at = self.start;
        while at < self.end {
            at = self.step(at).max(at + 1);
        }
        for (reference, before) in self.waiting {
            let table = self.tables.get(&before.to_lowercase());
            let table = table.cloned().unwrap_or(Some(before));
            let reference = &mut self.reader.facts.references[reference];
            reference.qualifier = table.unwrap_or_else(|| UNKNOWN.to_owned());
        }
    }

    /// Reads what begins at a token; gives where to go on.
    fn step(&mut self, at: usize) -> usize {
        match self.reader.text(at) {
            "(" => self.levels.push(Level::default()),
            ")" if self.levels.len() > 1 => {
                let closed = self.levels.pop();
                if closed.is_some_and(|level| level.is_query) && self.level().lists_tables {
                    return self.alias_of_query(at + 1);
                }
            }
            "," if self.level().lists_tables => return self.table(at + 1),
            "::" => self.reader.refer_to_type(at + 1),
            _ if self.reader.is_taken[at] || !self.reader.is_name(at) => {}
            _ => {
                let went_on = self.keyword(at);
                return went_on.unwrap_or_else(|| self.name(at));
            }
        }
        at + 1
    }

    fn level(&self) -> Level {
        self.levels.last().copied().unwrap_or_default()
    }

    fn set_level(&mut self, level: Level) {
        if let Some(last) = self.levels.last_mut() {
            *last = level;
        }
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.reader.is(at, word)
    }

    fn before(&self, at: usize, words: &str) -> bool {
        at > self.start && self.reader.is_any(at - 1, words)
    }

    /// Says whether the statement begins with one of some words.
    fn begins(&self, words: &str) -> bool {
        self.reader.is_any(self.start, words)
    }

    /// Reads what a word of the language introduces; nothing where the word introduces no name.
    fn keyword(&mut self, at: usize) -> Option<usize> {
        let word = self.reader.text(at).to_ascii_lowercase();
        let is_plain = self.reader.kind(at) == Some(TokenKind::Name);
        if !is_plain || self.reader.is_mark(at + 1, ".") {
            return None;
        }
        match word.as_str() {
            "create" if !self.begins("grant revoke") => self.reader.create(at, self.end),
            "select" | "perform" | "delete" => {
                self.set_level(Level {
                    is_query: true,
                    lists_tables: false,
                });
                Some(at + 1)
            }
            "from" => self.from(at),
            "join" => Some(self.table(at + 1)),
            "into" if self.before(at, "insert ignore replace merge overwrite") => {
                Some(self.inserted(at + 1))
            }
            "insert" if !self.is_aside(at + 1) && !self.before(at, BEFORE_INSERT) => {
                Some(self.inserted(at + 1))
            }
            "update" if !self.is_aside(at + 1) && !self.before(at, BEFORE_UPDATE) => {
                let next = at + 1 + usize::from(self.is(at + 1, "only"));
                self.set_level(Level {
                    is_query: true,
                    lists_tables: false,
                });
                Some(self.table(next))
            }
            "using" if self.begins("delete merge") => Some(self.table(at + 1)),
            "references" => Some(self.referenced(at + 1)),
            "with" => self.given(at + 1),
            "returns" | "setof" => {
                self.reader.refer_to_type(at + 1);
                Some(at + 1)
            }
            "like" if self.reader.is_mark(at.wrapping_sub(1), "(") => Some(self.table(at + 1)),
            "inherits" => Some(self.table(at + 2)),
            "of" if self.before(at, "partition") => Some(self.table(at + 1)),
            "copy" if at == self.start => Some(self.table(at + 1)),
            "call" | "exec" | "execute" => self.called(at),
            _ if is_one_of(&word, AFTER_TABLES) => {
                let level = self.level();
                self.set_level(Level {
                    lists_tables: false,
                    ..level
                });
                Some(at + 1)
            }
            _ => self.about(at, &word),
        }
    }

    /// Statements that change or describe definitions.
    fn about(&mut self, at: usize, word: &str) -> Option<usize> {
        let head = "create alter drop comment grant revoke";
        match word {
            "truncate" if !self.is(at + 1, "table") => Some(self.table(at + 1)),
            "table" | "tables" if self.is_about(at) => Some(self.listed(at + 1)),
            "on" if self.begins(head) && self.level_is_outer() => {
                let next = at + 1;
                let is_kind = self.reader.is_any(next, OBJECTS)
                    || self.reader.is_any(next, "table column schema constraint");
                let is_action = self.reader.is_any(next, "delete update conflict commit");
                match is_kind || is_action || self.begins("create") && !self.names_table() {
                    true => None,
                    false => Some(self.table(next)),
                }
            }
            "column" if self.begins("comment") => {
                let path = self.reader.path(at + 1)?;
                self.column(&path);
                Some(path.end)
            }
            "function" | "procedure" if self.before(at, "execute") => Some(at + 1),
            _ if self.is_about(at) && self.reader.is_any(at, OBJECTS) => {
                let kind = match word {
                    "function" | "procedure" | "proc" | "aggregate" | "trigger" => {
                        ReferenceKind::Call
                    }
                    "index" | "sequence" | "policy" => ReferenceKind::Read,
                    _ => ReferenceKind::Type,
                };
                Some(self.objects(at + 1, kind))
            }
            _ => None,
        }
    }

    /// Says whether a statement about definitions is at work here; T-SQL needs no sign before it.
    fn is_about(&self, at: usize) -> bool {
        self.begins(ABOUT) || self.before(at, "alter drop truncate")
    }

    fn level_is_outer(&self) -> bool {
        self.levels.len() == 1
    }

    /// Says whether what the statement creates is of a table: an index, a trigger, a policy.
    fn names_table(&self) -> bool {
        let of_table = "index trigger policy rule";
        (self.start..self.end.min(self.start + 12)).any(|at| self.reader.is_any(at, of_table))
    }

    /// Says whether what follows a verb is no table: `UPDATE SET`, `INSERT ON`, `UPDATE, DELETE`.
    fn is_aside(&self, at: usize) -> bool {
        let words = "set on of or into overwrite ignore low_priority delayed to privilege";
        self.reader.is_any(at, words) || !self.reader.is_name(at)
    }

    fn from(&mut self, at: usize) -> Option<usize> {
        let reads = self.level().is_query || self.begins("show");
        if !reads || self.before(at, "distinct") || self.begins("revoke grant") {
            return Some(at + 1);
        }
        self.set_level(Level {
            is_query: true,
            lists_tables: true,
        });
        Some(self.table(at + 1))
    }

    /// Reads a table or a function that gives rows, with its alias.
    fn table(&mut self, at: usize) -> usize {
        let mut at = at;
        while self
            .reader
            .is_any(at, "only lateral if not exists table stdin")
        {
            at += 1;
        }
        let Some(path) = self.reader.path(at).filter(|path| self.is_table(path)) else {
            return self.alias(at, None);
        };
        self.reader.take(at, path.end);
        if self.reader.is_mark(path.end, "(") && self.lists_calls(at) {
            self.reader.refer_to(&path, ReferenceKind::Call);
            return path.end;
        }
        let name = path
            .parts
            .last()
            .map(|name| name.to_lowercase())
            .unwrap_or_default();
        let is_given = path.parts.len() == 1 && self.given.contains(&name);
        if !is_given {
            self.reader.refer_to(&path, ReferenceKind::Type);
        }
        let table = (!is_given).then(|| path.parts.join("."));
        self.know(&name, table.clone());
        self.alias(path.end, table)
    }

    /// Says whether a bracket behind a name here makes it a call: not where columns follow a table.
    fn lists_calls(&self, at: usize) -> bool {
        self.before(at, "from join lateral") || self.reader.is_mark(at.wrapping_sub(1), ",")
    }

    fn is_table(&self, path: &Path) -> bool {
        let name = self.reader.text(path.last);
        path.parts.len() > 1
            || self.reader.kind(path.last) == Some(TokenKind::Quoted)
            || !is_keyword(name) && !is_one_of(name, NO_ALIAS) && !is_one_of(name, "stdin stdout")
    }

    /// Reads the alias behind a table, if there is one.
    fn alias(&mut self, at: usize, table: Option<String>) -> usize {
        let next = at + usize::from(self.is(at, "as"));
        let is_alias = self.reader.is_name(next)
            && next < self.end
            && (self.reader.kind(next) == Some(TokenKind::Quoted)
                || !is_one_of(self.reader.text(next), NO_ALIAS)
                    && !is_keyword(self.reader.text(next)));
        if !is_alias || table.is_none() && at == next {
            return at;
        }
        let name = self.reader.bare(next);
        self.reader.take(next, next + 1);
        self.know(&name.to_lowercase(), table);
        next + 1
    }

    /// Reads the name of a query in brackets that stands as a table.
    fn alias_of_query(&mut self, at: usize) -> usize {
        let next = at + usize::from(self.is(at, "as"));
        let word = self.reader.text(next);
        let is_alias = self.reader.is_name(next)
            && next < self.end
            && !is_one_of(word, NO_ALIAS)
            && !is_keyword(word);
        if !is_alias {
            return at;
        }
        let name = self.reader.bare(next);
        self.reader.take(next, next + 1);
        self.know(&name.to_lowercase(), None);
        next + 1
    }

    /// Notes the table that a name means; several tables are none.
    fn know(&mut self, name: &str, table: Option<String>) {
        let known = self
            .tables
            .entry(name.to_owned())
            .or_insert_with(|| table.clone());
        if *known != table {
            *known = None;
        }
    }

    /// `INSERT INTO t (a, b)`.
    fn inserted(&mut self, at: usize) -> usize {
        let at = at + usize::from(self.is(at, "only"));
        let end = self.table(at);
        self.columns_of(at, end)
    }

    /// `REFERENCES t (a)`.
    fn referenced(&mut self, at: usize) -> usize {
        let end = self.table(at);
        self.columns_of(at, end)
    }

    /// The columns in brackets behind a table.
    fn columns_of(&mut self, table_at: usize, open: usize) -> usize {
        let Some(table) = self.reader.path(table_at).filter(|path| path.end == open) else {
            return open;
        };
        if !self.reader.is_mark(open, "(") {
            return open;
        }
        let close = self.reader.behind_brackets(open, self.end);
        let is_list = (open + 1..close.saturating_sub(1)).all(|at| {
            self.reader.is_mark(at, ",") || self.reader.is_name(at) && !self.is(at, "select")
        });
        if !is_list {
            return open;
        }
        let table = table.parts.join(".");
        for at in open + 1..close.saturating_sub(1) {
            if self.reader.is_name(at) {
                let name = self.reader.bare(at);
                self.reader.refer(at, &name, &table, ReferenceKind::Read);
            }
        }
        self.reader.take(open + 1, close.saturating_sub(1));
        close
    }

    /// `WITH name (columns) AS (`, and those behind a comma.
    fn given(&mut self, at: usize) -> Option<usize> {
        let at = at + usize::from(self.is(at, "recursive"));
        self.give(at);
        None
    }

    fn give(&mut self, at: usize) -> bool {
        if !self.reader.is_name(at) {
            return false;
        }
        let mut next = at + 1;
        if self.reader.is_mark(next, "(") {
            next = self.reader.behind_brackets(next, self.end);
        }
        if !self.is(next, "as") {
            return false;
        }
        next += 1;
        while self.reader.is_any(next, "not materialized") {
            next += 1;
        }
        if !self.reader.is_mark(next, "(") {
            return false;
        }
        let name = self.reader.bare(at);
        self.reader.take(at, at + 1);
        self.given.push(name.to_lowercase());
        let behind = self.reader.behind_brackets(next, self.end);
        if self.reader.is_mark(behind, ",") {
            self.give(behind + 1);
        }
        true
    }

    /// `CALL f`, `EXEC f`, `EXECUTE FUNCTION f`.
    fn called(&mut self, at: usize) -> Option<usize> {
        let next = at + 1 + usize::from(self.reader.is_any(at + 1, "function procedure"));
        let is_word = self.reader.is_any(next, "on immediate format as to");
        let path = self
            .reader
            .path(next)
            .filter(|_| !is_word && !self.begins("grant revoke"))?;
        self.reader.take(next, path.end);
        self.reader.refer_to(&path, ReferenceKind::Call);
        Some(path.end)
    }

    /// Tables apart by commas.
    fn listed(&mut self, at: usize) -> usize {
        let mut at = self.table(at);
        while self.reader.is_mark(at, ",") && self.reader.is_name(at + 1) {
            at = self.table(at + 1);
        }
        at
    }

    /// Other definitions apart by commas.
    fn objects(&mut self, at: usize, kind: ReferenceKind) -> usize {
        let mut at = at;
        loop {
            while self.reader.is_any(at, "concurrently if exists only on") {
                at += 1;
            }
            let Some(path) = self.reader.path(at).filter(|path| self.is_table(path)) else {
                return at;
            };
            self.reader.take(at, path.end);
            self.reader.refer_to(&path, kind);
            at = path.end;
            if self.reader.is_mark(at, "(") {
                at = self.reader.behind_brackets(at, self.end);
            }
            if !self.reader.is_mark(at, ",") {
                return at;
            }
            at += 1;
        }
    }

    /// A name that no word introduces: a call, a type of a row, a column behind its table.
    fn name(&mut self, at: usize) -> usize {
        let Some(path) = self.reader.path(at) else {
            return at + 1;
        };
        let name = self.reader.text(path.last);
        let is_word = path.parts.len() == 1 && is_keyword(name);
        if self.reader.is_mark(path.end, "(") {
            let is_type = path.parts.len() == 1 && is_one_of(name, TYPES);
            if !is_word && !is_type {
                self.reader.refer_to(&path, ReferenceKind::Call);
            }
        } else if self.reader.is_mark(path.end, "%") && self.is(path.end + 1, "rowtype") {
            self.reader.refer_to(&path, ReferenceKind::Type);
        } else if path.parts.len() > 1 {
            self.column(&path);
        }
        path.end
    }

    /// A column with its table, or the alias of that, before it.
    fn column(&mut self, path: &Path) {
        let Some((name, before)) = path.parts.split_last() else {
            return;
        };
        self.waiting
            .push((self.reader.facts.references.len(), before.join(".")));
        self.reader.refer(path.last, name, "", ReferenceKind::Read);
    }
}

/// Words before `INSERT` where it is no statement.
const BEFORE_INSERT: &str = "or before after for of on grant revoke";
/// Words before `UPDATE` where it is no statement.
const BEFORE_UPDATE: &str = "on for before after do or key of grant revoke";
