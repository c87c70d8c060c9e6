//! ripgrep's search, on the libraries that ripgrep is made of: they match, walk and print. Here are its flags,
//! what they mean together, and what ripgrep does not do: files that an index knows to hold no match are not
//! read ([`FileIndex`]), and secrets are struck out of what is printed.
//!
//! It must print what `rg --sort path` prints, byte for byte, where no secret lies in it; an index may only
//! make that faster.

mod config;
mod error;
mod file_index;
mod flag_table;
mod flags;
mod judge;
mod options;
mod output;
mod parse;
mod run;
mod walk;
mod worker;

pub use config::config_args;
pub use error::GrepError;
pub use file_index::{FileIndex, NoIndex, Verdict};
pub use flags::Flags;
pub use grep_cli::is_readable_stdin as has_input;
pub use options::{Search, Surroundings};
pub use parse::{Parsed, parse};
pub use run::Outcome;
