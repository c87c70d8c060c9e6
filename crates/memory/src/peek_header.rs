//! A look into a memory without reading its facts: enough to say whose it may be.

use crate::{MemoryError, Result};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;

/// Commits that are read.
const MAX_COMMITS: i64 = 64;

/// What a memory holds, in short.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryHeader {
    /// Memos that are recorded.
    pub n_memos: u32,
    /// Commits that its facts name, the latest first; at most 64.
    pub commits: Vec<String>,
}

/// Looks into a memory; none of its facts is changed.
///
/// # Errors
///
/// `Open` where it cannot be read.
pub fn peek_header(path: &Path) -> Result<MemoryHeader> {
    let read = || -> rusqlite::Result<MemoryHeader> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let n_memos = connection.query_row(
            "SELECT count(DISTINCT memo) FROM fact WHERE type = 'version'",
            [],
            |row| row.get(0),
        )?;
        let mut commits = connection.prepare(
            "SELECT body ->> '$.sha' FROM fact WHERE type = 'commit' ORDER BY seq DESC LIMIT ?1",
        )?;
        let commits = commits.query_map([MAX_COMMITS], |row| row.get(0))?;
        Ok(MemoryHeader {
            n_memos,
            commits: commits.collect::<rusqlite::Result<_>>()?,
        })
    };
    read().map_err(|source| MemoryError::Open {
        path: path.to_owned(),
        source,
    })
}
