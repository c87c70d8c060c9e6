//! How many definitions of a file are kept: no person writes more in each other, or more of one name.
//!
//! A qualified name holds the names of all around it, and each use of a name is compared with every
//! definition of it: without bounds a file of a megabyte costs gigabytes, here and in the graph.

use crate::types::{FileFacts, SyntaxError};
use std::collections::HashMap;

/// This many definitions lie in each other.
const MAX_NESTED: usize = 64;
/// Longer qualified names are not kept.
const MAX_QUALIFIED: usize = 600;
/// This many definitions of a file are called the same, with all around them.
const MAX_TWINS: u32 = 64;
/// This many have the same last name.
const MAX_NAMESAKES: u32 = 1_000;

/// This many uses of a file are kept,
const MAX_USES: usize = 200_000;
/// and this many pairs of a use of a name and a definition of it.
const MAX_PAIRS: usize = 500_000;

/// What is said where some are left out.
pub(crate) const LEFT_OUT: &str =
    "definitions nest too deep, or repeat too often; the others are left out";

/// The definitions of a file so far, by name.
#[derive(Default)]
pub(crate) struct Crowd {
    twins: HashMap<String, u32>,
    namesakes: HashMap<String, u32>,
}

impl Crowd {
    /// Says whether one more is kept, which lies in `n_around` others.
    pub(crate) fn admits(&mut self, name: &str, qualified: &str, n_around: usize) -> bool {
        n_around < MAX_NESTED
            && qualified.len() <= MAX_QUALIFIED
            && count(&mut self.twins, qualified) <= MAX_TWINS
            && count(&mut self.namesakes, name) <= MAX_NAMESAKES
    }
}

/// Leaves out uses beyond what any text written by a person holds.
pub(crate) fn thin(facts: &mut FileFacts) {
    let n_before = facts.references.len();
    facts.references.truncate(MAX_USES);
    let mut left: HashMap<&str, usize> = HashMap::new();
    for symbol in &facts.symbols {
        *left.entry(&symbol.name).or_default() += 1;
    }
    left.retain(|_, n_definitions| *n_definitions > 1);
    for n_definitions in left.values_mut() {
        *n_definitions = MAX_PAIRS / *n_definitions;
    }
    facts
        .references
        .retain(|reference| match left.get_mut(reference.name.as_str()) {
            Some(n_left) => {
                let is_kept = *n_left > 0;
                *n_left = n_left.saturating_sub(1);
                is_kept
            }
            None => true,
        });
    if facts.references.len() < n_before && facts.errors.is_empty() {
        facts.errors.push(SyntaxError {
            line: 1,
            message: LEFT_OUT.to_owned(),
        });
    }
}

fn count(counts: &mut HashMap<String, u32>, name: &str) -> u32 {
    if let Some(count) = counts.get_mut(name) {
        *count += 1;
        return *count;
    }
    counts.insert(name.to_owned(), 1);
    1
}
