//! The arguments of `whyrank export`.

use clap::{Args, ValueEnum};
use whyrank_benchmark::RunRow;
use whyrank_engine::api::{
    ChannelRow, Column, FileRow, MemoRow, SymbolRow, TableName, TraceRecord, UseRow,
};

use super::repo::RepoArg;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank export symbols > symbols.jsonl
  whyrank export uses --as-of v1.2.0 --csv > uses.csv
  whyrank export symbols | jq -r 'select(.uses > 20) | .qualified'
  duckdb -c \"select name, uses from 'symbols.jsonl' order by uses desc limit 10\"
  whyrank export traces --describe      its columns

One JSON object a line, or CSV with a line of names. docs/tables.md describes each column and has queries
for DuckDB.")]
pub(crate) struct ExportArgs {
    /// The table
    pub(crate) table: TableArg,
    /// Print CSV instead of JSON lines
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Print the table's columns, not its rows
    #[arg(long, conflicts_with = "csv")]
    pub(crate) describe: bool,
    /// Of a commit, instead of the working tree
    #[arg(long, value_name = "REV")]
    pub(crate) as_of: Option<String>,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
}

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableArg {
    /// Files of the index
    Files,
    /// Definitions, with how often they are used
    Symbols,
    /// Uses of definitions
    Uses,
    /// Memos in every state
    Memos,
    /// The last 500 searches; of all repositories unless --repo is given
    Traces,
    /// What each channel added to the hits of these searches
    Channels,
    /// Answers of all benchmark runs that are kept
    Runs,
}

impl TableArg {
    /// The engine's name of the table; `None` for that of the benchmark.
    pub(crate) fn of_engine(self) -> Option<TableName> {
        match self {
            Self::Files => Some(TableName::Files),
            Self::Symbols => Some(TableName::Symbols),
            Self::Uses => Some(TableName::Uses),
            Self::Memos => Some(TableName::Memos),
            Self::Traces => Some(TableName::Traces),
            Self::Channels => Some(TableName::Channels),
            Self::Runs => None,
        }
    }

    /// What it holds, and its columns.
    pub(crate) fn described(self) -> (&'static str, &'static [Column]) {
        match self {
            Self::Files => (FileRow::DOC, FileRow::COLUMNS),
            Self::Symbols => (SymbolRow::DOC, SymbolRow::COLUMNS),
            Self::Uses => (UseRow::DOC, UseRow::COLUMNS),
            Self::Memos => (MemoRow::DOC, MemoRow::COLUMNS),
            Self::Traces => (TraceRecord::DOC, TraceRecord::COLUMNS),
            Self::Channels => (ChannelRow::DOC, ChannelRow::COLUMNS),
            Self::Runs => (RunRow::DOC, RunRow::COLUMNS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    const BEGIN: &str = "<!-- columns: made from the code, see CONTRIBUTING.md -->\n";
    const END: &str = "<!-- end of columns -->";

    fn columns() -> String {
        let mut page = String::new();
        for table in TableArg::value_variants() {
            let name = table.to_possible_value().expect("it has a name");
            let (doc, columns) = table.described();
            write!(page, "### {}\n\n{}\n\n", name.get_name(), doc.trim()).expect("a text");
            page.push_str("| column | type | meaning |\n|---|---|---|\n");
            for column in columns {
                let doc = column.doc.trim();
                writeln!(page, "| `{}` | {} | {doc} |", column.name, column.kind).expect("a text");
            }
            page.push('\n');
        }
        page
    }

    /// `WHYRANK_UPDATE_DOCS=1` rewrites the page.
    #[test]
    fn the_page_of_tables_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tables.md");
        let page = std::fs::read_to_string(path).expect("docs/tables.md");
        let (head, rest) = page.split_once(BEGIN).expect("a place for columns");
        let (_, tail) = rest.split_once(END).expect("an end of columns");
        let made = format!("{head}{BEGIN}\n{}{END}{tail}", columns());
        if std::env::var_os("WHYRANK_UPDATE_DOCS").is_some() {
            std::fs::write(path, &made).expect("it is written");
        }
        let is_current = page == made || std::env::var_os("WHYRANK_UPDATE_DOCS").is_some();
        assert!(
            is_current,
            "docs/tables.md is stale; run with WHYRANK_UPDATE_DOCS=1 to rewrite it"
        );
    }
}
