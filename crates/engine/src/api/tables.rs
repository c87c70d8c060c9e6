//! Rows of the tables that are handed to other programs: `whyrank export`.
//!
//! A row is flat, so that CSV and JSON hold the same. Moments are texts, as RFC 3339 in UTC.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::ids::RepoId;

/// A column of a table, for its description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// `text`, `integer`, `number` or `boolean`; `…, or empty` where a row may lack it.
    pub kind: &'static str,
    /// Its meaning.
    pub doc: &'static str,
}

/// A type of a column.
pub trait ColumnType {
    /// Its word.
    const KIND: &'static str;
}

macro_rules! column_types {
    ($($type:ty = $word:literal,)+) => {$(
        impl ColumnType for $type {
            const KIND: &'static str = $word;
        }
        impl ColumnType for Option<$type> {
            const KIND: &'static str = concat!($word, ", or empty");
        }
    )+};
}

column_types! {
    String = "text",
    u32 = "integer",
    f64 = "number",
    bool = "boolean",
}

/// Defines the row of a table, and describes its columns by their doc comments.
#[macro_export]
macro_rules! table_row {
    ($(#[doc = $doc:literal])+ $name:ident {
        $($(#[doc = $column_doc:literal])+ $column:ident: $type:ty,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        pub struct $name {
            $($(#[doc = $column_doc])+ pub $column: $type,)+
        }

        impl $name {
            /// Holds its columns, in order.
            pub const COLUMNS: &'static [$crate::api::Column] = &[
                $($crate::api::Column {
                    name: stringify!($column),
                    kind: <$type as $crate::api::ColumnType>::KIND,
                    doc: concat!($($column_doc),+),
                },)+
            ];
            /// Holds its description.
            pub const DOC: &'static str = concat!($($doc),+);
        }
    };
}

table_row! {
    /// Files of the index.
    FileRow {
        /// Path from the repository's root.
        path: String,
        /// Language.
        language: String,
        /// `source`, `test`, `example`, `docs`, `vendored`, `generated`, `legacy`, `stub` or `config`.
        role: String,
        /// Git's id of the content.
        blob: String,
        /// Lines.
        lines: u32,
        /// Definitions.
        definitions: u32,
        /// Files of the repository that it imports.
        imports: u32,
        /// Files that import it.
        imported_by: u32,
        /// Importance: PageRank over imports, 1 for the highest.
        rank: f64,
    }
}

table_row! {
    /// Definitions.
    SymbolRow {
        /// File.
        path: String,
        /// Line of the name.
        line: u32,
        /// Name.
        name: String,
        /// Name within its file, such as `Router.use`.
        qualified: String,
        /// `function`, `method`, `class` and so on.
        kind: String,
        /// First line.
        start_line: u32,
        /// Last line.
        end_line: u32,
        /// Visible outside of its file, as far as the file says.
        exported: bool,
        /// Has a comment or docstring.
        documented: bool,
        /// Role of the file.
        role: String,
        /// Certain uses, imports left out.
        uses: u32,
        /// Those of them in tests and examples.
        test_uses: u32,
        /// Uses that may mean it, or something else.
        open_uses: u32,
        /// Importance: PageRank over certain uses, 1 for the highest.
        rank: f64,
        /// Head on one line.
        signature: String,
    }
}

table_row! {
    /// Uses of definitions, certain and possible ones; ambiguous ones are counted in `symbols.open_uses`.
    UseRow {
        /// File of the use.
        path: String,
        /// Line of the use.
        line: u32,
        /// `call`, `read`, `write`, `type`, `inherit` and so on.
        kind: String,
        /// `precise`, `resolved` and `observed` are certain; `possible` and `name-only` are not.
        confidence: String,
        /// Definition around the use.
        within: Option<String>,
        /// The use is in a test or an example.
        is_test: bool,
        /// File of the definition that is used.
        to_path: String,
        /// Line of its name.
        to_line: u32,
        /// Its name within its file.
        to_qualified: String,
    }
}

table_row! {
    /// Memos in every state, as of the moment asked about.
    MemoRow {
        /// Memo.
        id: String,
        /// Version shown.
        version: String,
        /// `valid`, `superseded`, `forgotten` and so on.
        state: String,
        /// Kind, such as `decision`.
        kind: String,
        /// Text.
        content: String,
        /// Tags, between commas.
        tags: String,
        /// Places that it is about, between commas: `path` or `path:first-last`.
        anchors: String,
        /// Who wrote this version; empty for the name that git knows.
        author: String,
        /// An agent wrote it.
        by_agent: bool,
        /// 0 to 1.
        confidence: f64,
        /// Shown first.
        pinned: bool,
        /// The code under an anchor changed or is gone.
        drifted: bool,
        /// Other versions hold as well.
        contested: bool,
        /// First commit at which it holds.
        valid_from_commit: Option<String>,
        /// The same as a moment.
        valid_from: String,
        /// First commit at which it holds no more.
        valid_until_commit: Option<String>,
        /// The same as a moment.
        valid_until: Option<String>,
        /// Moment at which this version was recorded.
        recorded: String,
        /// Versions.
        versions: u32,
    }
}

table_row! {
    /// Answers to searches, the last 500 of all repositories: one row each.
    TraceRecord {
        /// Answer: `whyrank explain ID`.
        query_id: String,
        /// Moment.
        asked: String,
        /// Repository's name; its id where it is not known any more.
        repo: String,
        /// Query, without secrets.
        query: String,
        /// Shape of the query.
        shape: String,
        /// Commit that was asked about; empty for the working tree.
        as_of: Option<String>,
        /// Hits.
        hits: u32,
        /// File of the first hit.
        first_path: Option<String>,
        /// Rule by which the gate decided on late interaction.
        gate: Option<String>,
        /// Late interaction ran.
        refined: bool,
        /// Milliseconds in all.
        elapsed_ms: f64,
        /// Share of chunks with a vector.
        vector_coverage: f64,
    }
}

table_row! {
    /// Terms of the scores of those answers: one row for each candidate and channel that found it.
    ChannelRow {
        /// Answer.
        query_id: String,
        /// Moment.
        asked: String,
        /// Repository's name, or id.
        repo: String,
        /// Channel.
        channel: String,
        /// Weight of the channel in this answer.
        weight: f64,
        /// File of the candidate.
        path: String,
        /// Its first line.
        start_line: u32,
        /// Its definition.
        symbol: Option<String>,
        /// Its final rank, from 1.
        rank: u32,
        /// It was among the hits.
        shown: bool,
        /// Its rank in the channel, from 1.
        channel_rank: u32,
        /// What the channel adds to its score.
        contribution: f64,
        /// Its score: the sum of all terms.
        score: f64,
    }
}

/// A table that the engine fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableName {
    /// [`FileRow`].
    Files,
    /// [`SymbolRow`].
    Symbols,
    /// [`UseRow`].
    Uses,
    /// [`MemoRow`].
    Memos,
    /// [`TraceRecord`].
    Traces,
    /// [`ChannelRow`].
    Channels,
}

/// A row of any of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the types say it")]
pub enum TableRow {
    File(FileRow),
    Symbol(SymbolRow),
    Use(UseRow),
    Memo(MemoRow),
    Trace(TraceRecord),
    Channel(ChannelRow),
}

/// Asks for the rows of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TableRequest {
    /// Repository; answers to searches are those of all where it is empty.
    pub repo: RepoId,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}
