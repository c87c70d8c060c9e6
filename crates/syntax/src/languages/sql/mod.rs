//! SQL: what statements create, and where they name it. Read by tokens, for no grammar reads the dialects that
//! files are written in: `tree-sitter-sequel` reads a third of real files whole and would weigh more than all others.
//!
//! Names that stand in queries are uses of tables, columns behind a table or its alias are uses of these; a name that
//! `WITH` gives, or an alias, hides a table of that name.

mod creates;
mod reader;
mod tokens;
mod uses;
mod words;

use crate::family::Family;
use crate::lines::Lines;
use crate::name_rules::NameRules;
use crate::types::FileFacts;
use reader::Reader;

/// What a name can mean.
pub(super) const NAMES: NameRules = NameRules {
    family: Family::Sql,
    // A table, a function and an index may bear one name.
    kinds_are_apart: true,
    members_are_overridden: false,
    heads_have_modifiers: false,
    classes_are_found_by_base: false,
    values_are_narrowed: false,
    ..NameRules::NONE
};

/// Reads a file of SQL. O(text); never fails.
pub(super) fn read(lines: &Lines<'_>) -> FileFacts {
    let mut reader = Reader::new(lines);
    let mut start = 0;
    while start < reader.n_tokens() {
        let end = reader.segment_end(start);
        reader.command(end);
        uses::Statement::new(&mut reader, start, end).read();
        start = end + 1;
    }
    reader.facts
}
