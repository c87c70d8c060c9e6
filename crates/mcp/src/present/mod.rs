//! The engine's answers as agents read them: plain data in, text within a token budget out.
//!
//! Nothing here asks the engine, the clock or the file system, so every text has a snapshot test.

mod ast_grep;
mod audit;
mod blocks;
mod breakages;
mod by_name;
mod cached_results;
mod clusters;
mod concepts;
mod dead_code;
mod deps;
mod design_patterns;
mod evidence;
mod explain;
mod export;
mod freshness;
mod heritage;
mod impact;
mod json;
mod memory;
mod overview;
mod page;
mod refs;
mod repos;
mod review;
mod search;
mod stages;
mod sure;
mod symbols;
mod tasks;
mod test_map;
mod unindexed_grep;

pub use ast_grep::ast_grep;
pub use audit::audit;
pub use breakages::{BreakageLine, breakage_note, breakages};
pub use cached_results::{CachedLine, kept, kept_lines, results};
pub use clusters::clusters;
pub use concepts::concepts;
pub use dead_code::dead_code;
pub use deps::deps;
pub use design_patterns::patterns;
pub use evidence::critique;
pub use explain::{comparison, explain};
pub use export::export_context;
pub use freshness::{freshness, index_beside, outdated};
pub use impact::{call_path, impact};
pub use json::json;
pub use memory::{memo_beside, memo_conflicts, memo_done, memo_import, memories, recall, wakeup};
pub use overview::overview;
pub use page::{clip, vectors};
pub use refs::refs;
pub use repos::{index_progress, list_repos, reports, scip_line, status};
pub use review::{diff_search, review_diff};
pub use search::{missing, search};
pub use symbols::{lookup, near_names, unread};
pub use tasks::{context, investigate, search_iterative};
pub use test_map::test_map;
pub use unindexed_grep::unindexed_grep;

/// How much text, and how dense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Tokens at most, 80 or more.
    pub budget: u32,
    /// Write more about each item.
    pub detailed: bool,
}

impl Style {
    /// Returns one line an item, within `budget` tokens.
    pub fn concise(budget: u32) -> Self {
        Self {
            budget,
            detailed: false,
        }
    }
}
