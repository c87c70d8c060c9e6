//! Contents: written, made live, deleted, read.

use super::{Catalog, ContentRow, Links, NewContent};
use crate::error::{IndexError, Result};
use crate::names::Outline;
use roaring::RoaringBitmap;
use rusqlite::{OptionalExtension, params};
use whyrank_source::BlobId;

/// Ids that contents and chunks had before they were removed are not given out again: vectors, readers of
/// an older view and kept graphs go by them.
const ISSUED: &str = "
CREATE TABLE IF NOT EXISTS issued(
  one INTEGER PRIMARY KEY CHECK(one = 1), content INTEGER NOT NULL, chunk INTEGER NOT NULL);
";

impl Catalog {
    /// A content's id, also of one that this writer has not made live yet.
    pub(crate) fn content(&self, blob: BlobId, language: &str) -> Result<Option<i64>> {
        let sql = "SELECT content_id FROM content WHERE blob = ?1 AND language = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement
            .query_row(params![blob.0, language], |row| row.get(0))
            .optional()?)
    }

    pub(crate) fn language(&self, content_id: i64) -> Result<String> {
        let sql = "SELECT language FROM content WHERE content_id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([content_id], |row| row.get(0))?)
    }

    /// The git ids of those of some contents that are there.
    pub(crate) fn blobs_of(&self, ids: impl Iterator<Item = i64>) -> Result<Vec<(i64, BlobId)>> {
        let sql = "SELECT blob FROM content WHERE content_id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut found = Vec::new();
        for id in ids {
            let blob = statement.query_row([id], |row| row.get(0)).optional()?;
            found.extend(blob.map(|blob| (id, BlobId(blob))));
        }
        Ok(found)
    }

    pub(crate) fn insert_contents(
        &mut self,
        contents: &[NewContent<'_>],
    ) -> Result<Vec<ContentRow>> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(ISSUED)?;
        let mut next = next_ids(&transaction)?;
        let mut rows = Vec::with_capacity(contents.len());
        for content in contents {
            insert_content(&transaction, content, next)?;
            rows.push(next);
            next.content_id += 1;
            next.first_chunk += content.outline.chunks.len() as u32;
        }
        transaction.commit()?;
        Ok(rows)
    }

    /// Contents whose chunks begin at `first_chunk` or behind it, in their order.
    pub(crate) fn contents_from(&self, first_chunk: u32) -> Result<Vec<ContentRow>> {
        let sql = "SELECT content_id, first_chunk FROM content
                   WHERE first_chunk >= ?1 ORDER BY first_chunk, content_id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([first_chunk], |row| {
            Ok(ContentRow {
                content_id: row.get(0)?,
                first_chunk: row.get(1)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Contents that a killed writer left behind.
    pub(crate) fn unfinished_contents(&self) -> Result<Vec<i64>> {
        let mut statement = self
            .connection
            .prepare("SELECT content_id FROM content WHERE live = 0")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    pub(crate) fn delete_contents(&mut self, contents: &[i64]) -> Result<()> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(ISSUED)?;
        let next = next_ids(&transaction)?;
        transaction.execute(
            "INSERT OR REPLACE INTO issued VALUES(1, ?1, ?2)",
            params![next.content_id, next.first_chunk],
        )?;
        for content in contents {
            transaction.execute("DELETE FROM content WHERE content_id = ?1", [content])?;
            transaction.execute("DELETE FROM content_data WHERE content_id = ?1", [content])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Makes all written contents live. Call only after the lexical store has them.
    pub(crate) fn mark_live(&self) -> Result<()> {
        self.connection
            .execute("UPDATE content SET live = 1 WHERE live = 0", [])?;
        Ok(())
    }

    /// Contents that no view shows, and chunks in all and among them.
    pub(crate) fn orphans(&self) -> Result<(Vec<i64>, u64, u64)> {
        let sql = "SELECT content_id, n_chunks FROM content
                   WHERE content_id NOT IN (SELECT content_id FROM view_file)";
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let rows: Vec<(i64, u32)> = rows.collect::<std::result::Result<_, _>>()?;
        let n_all: i64 = self.connection.query_row(
            "SELECT coalesce(sum(n_chunks), 0) FROM content",
            [],
            |row| row.get(0),
        )?;
        let n_orphaned = rows.iter().map(|(_, n)| u64::from(*n)).sum();
        Ok((
            rows.into_iter().map(|(id, _)| id).collect(),
            n_all as u64,
            n_orphaned,
        ))
    }

    /// Chunks of all contents.
    pub(crate) fn chunk_ids(&self) -> Result<RoaringBitmap> {
        self.chunks_by("SELECT first_chunk, n_chunks FROM content")
    }

    /// Chunks of the contents that the lexical store has for certain.
    pub(crate) fn live_chunk_ids(&self) -> Result<RoaringBitmap> {
        self.chunks_by("SELECT first_chunk, n_chunks FROM content WHERE live = 1")
    }

    fn chunks_by(&self, sql: &str) -> Result<RoaringBitmap> {
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut chunks = RoaringBitmap::new();
        while let Some(row) = rows.next()? {
            let (first, n): (u32, u32) = (row.get(0)?, row.get(1)?);
            chunks.insert_range(first..first + n);
        }
        Ok(chunks)
    }

    pub(crate) fn text(&self, content_id: i64) -> Result<String> {
        Self::unpack_text(&self.text_bytes(content_id)?)
    }

    /// The text as stored; unpacking is the caller's (in parallel, for many).
    pub(crate) fn text_bytes(&self, content_id: i64) -> Result<Vec<u8>> {
        self.data_column(content_id, "text")
    }

    pub(crate) fn unpack_text(blob: &[u8]) -> Result<String> {
        let bytes = lz4_flex::decompress_size_prepended(blob).map_err(damaged_record)?;
        String::from_utf8(bytes).map_err(|error| IndexError::Damaged {
            path: "catalog.db".into(),
            detail: error.to_string(),
        })
    }

    /// The text of the only content whose git id begins with these digits.
    pub(crate) fn text_of_blob(&self, digits: &str) -> Result<Option<String>> {
        let sql = "SELECT content_id FROM content WHERE lower(hex(blob)) LIKE ?1 LIMIT 2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([format!("{digits}%")], |row| row.get(0))?;
        let found: Vec<i64> = rows.collect::<rusqlite::Result<_>>()?;
        match found.as_slice() {
            [content_id] => self.text(*content_id).map(Some),
            _ => Ok(None),
        }
    }

    /// The outline as stored; decoding is the caller's (in parallel, for many).
    pub(crate) fn outline_bytes(&self, content_id: i64) -> Result<Vec<u8>> {
        self.data_column(content_id, "outline")
    }

    pub(crate) fn unpack_outline(blob: &[u8]) -> Result<Outline> {
        let bytes = lz4_flex::decompress_size_prepended(blob).map_err(damaged_record)?;
        Ok(postcard::from_bytes(&bytes)?)
    }

    pub(crate) fn links(&self, content_id: i64) -> Result<Links> {
        Self::unpack_links(&self.links_bytes(content_id)?)
    }

    /// The links as stored; decoding is the caller's (in parallel, for many).
    pub(crate) fn links_bytes(&self, content_id: i64) -> Result<Vec<u8>> {
        self.data_column(content_id, "links")
    }

    pub(crate) fn unpack_links(blob: &[u8]) -> Result<Links> {
        let bytes = lz4_flex::decompress_size_prepended(blob).map_err(damaged_record)?;
        Ok(postcard::from_bytes(&bytes)?)
    }

    fn data_column(&self, content_id: i64, column: &str) -> Result<Vec<u8>> {
        let sql = format!("SELECT {column} FROM content_data WHERE content_id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([content_id], |row| row.get(0))?)
    }
}

/// What the next content gets.
fn next_ids(transaction: &rusqlite::Transaction<'_>) -> Result<ContentRow> {
    let sql = "SELECT max(coalesce((SELECT content FROM issued), 1),
                          coalesce((SELECT max(content_id) + 1 FROM content), 1)),
                      max(coalesce((SELECT chunk FROM issued), 1),
                          coalesce((SELECT max(first_chunk + n_chunks) FROM content), 1))";
    let next = transaction.query_row(sql, [], |row| {
        Ok(ContentRow {
            content_id: row.get(0)?,
            first_chunk: row.get(1)?,
        })
    })?;
    Ok(next)
}

fn insert_content(
    transaction: &rusqlite::Transaction<'_>,
    content: &NewContent<'_>,
    ContentRow {
        content_id,
        first_chunk,
    }: ContentRow,
) -> Result<()> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO content(content_id, blob, language, first_chunk, n_chunks, n_lines, n_symbols,
           error)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    statement.execute(params![
        content_id,
        content.blob.0,
        content.language,
        first_chunk,
        content.outline.chunks.len() as u32,
        content.text.lines().count() as u32,
        content.outline.symbols.len() as u32,
        content.error,
    ])?;
    let packed = |record: Vec<u8>| lz4_flex::compress_prepend_size(&record);
    let mut statement =
        transaction.prepare_cached("INSERT INTO content_data VALUES(?1, ?2, ?3, ?4)")?;
    statement.execute(params![
        content_id,
        lz4_flex::compress_prepend_size(content.text.as_bytes()),
        packed(postcard::to_stdvec(content.outline)?),
        packed(postcard::to_stdvec(content.links)?),
    ])?;
    Ok(())
}

fn damaged_record(error: lz4_flex::block::DecompressError) -> IndexError {
    IndexError::Damaged {
        path: "catalog.db".into(),
        detail: error.to_string(),
    }
}
