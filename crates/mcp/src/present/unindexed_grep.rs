//! Lines found without an index.

use whyrank_engine::api::UnindexedGrep;

use super::page::clip;
use crate::tokens::chars_within;

/// Characters of a line.
const MAX_CHARS: usize = 120;

/// Returns what is said while there is no index, and below it the lines for which `budget` has
/// room.
pub fn unindexed_grep(said: &str, grep: &UnindexedGrep, budget: u32) -> String {
    let read = if grep.n_read < grep.n_files {
        format!("{} of {} files read", grep.n_read, grep.n_files)
    } else {
        "all files read".to_owned()
    };
    let mut text = format!("{said}\nLines with these words so far ({read}):");
    for one in &grep.lines {
        let line = format!(
            "\n{}:{}  {}",
            one.path,
            one.line,
            clip(&one.text, MAX_CHARS)
        );
        if text.chars().count() + line.chars().count() > chars_within(budget) {
            break;
        }
        text.push_str(&line);
    }
    text
}
