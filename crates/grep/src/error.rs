//! Reasons for which a search does not begin.

use std::path::PathBuf;

/// Why there is nothing to search with. ripgrep ends with 2 on each of them.
#[derive(Debug, thiserror::Error)]
pub enum GrepError {
    /// A flag without the value that it takes, or the like.
    #[error("{0}")]
    Arguments(#[from] lexopt::Error),
    /// A value that a flag does not take.
    #[error("--{flag}: {problem}")]
    Value {
        /// The flag's long name.
        flag: &'static str,
        /// The fault in it.
        problem: String,
    },
    /// Neither a pattern nor `-e`, `-f` or `--files`.
    #[error("no pattern: give one, as in `whyrank rg PATTERN`, or --files")]
    NoPattern,
    /// A pattern that is not UTF-8.
    #[error("the pattern is not valid UTF-8")]
    PatternEncoding,
    /// A file of patterns that cannot be read.
    #[error(
        "cannot read patterns from {path}: {source}; name a file of UTF-8 text, one pattern a line"
    )]
    Patterns {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Standard input was to be both patterns and text.
    #[error("standard input cannot hold both the patterns and what is searched")]
    StandardInputTwice,
    /// A regular expression that is none.
    #[error("{0}{1}")]
    Pattern(grep_regex::Error, &'static str),
    /// A glob or a type that is none.
    #[error("{0}")]
    Selection(#[from] ignore::Error),
}
