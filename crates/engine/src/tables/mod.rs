//! The tables that are handed to other programs, row by row. What they say, [`crate::api`] describes.

mod answers;
mod code;
mod memos;

use crate::Engine;
use crate::api::{TableName, TableRequest, TableRow};
use crate::error::Result;
use std::ops::ControlFlow;

/// Takes a row, and says whether more are wanted.
type EachRow<'a> = dyn FnMut(TableRow) -> ControlFlow<()> + 'a;

impl Engine {
    /// Hands over the rows of a table, in the order of paths and lines, or newest first. Nothing of it
    /// is held in memory but the view. O(rows); for uses and definitions O(uses of the view).
    ///
    /// # Errors
    /// `unknown-repository`, `unknown-revision`, `graph-missing` where uses of a large view are not
    /// known yet, and those of memory.
    pub fn each_row(
        &self,
        table: TableName,
        request: &TableRequest,
        each: &mut EachRow<'_>,
    ) -> Result<()> {
        match table {
            TableName::Files => self.file_rows(request, each),
            TableName::Symbols => self.symbol_rows(request, each),
            TableName::Uses => self.use_rows(request, each),
            TableName::Memos => self.memo_rows(request, each),
            TableName::Traces => self.trace_rows(request, each),
            TableName::Channels => self.channel_rows(request, each),
        }
    }
}
