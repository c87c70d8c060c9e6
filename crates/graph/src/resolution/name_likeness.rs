//! How alike two names are: for a query that no definition is named like.

/// A name that was not found.
pub(super) struct SoughtName {
    folded: String,
    parts: Vec<String>,
}

impl SoughtName {
    pub(super) fn new(name: &str) -> Self {
        Self {
            folded: name.to_lowercase(),
            parts: name_parts(name),
        }
    }

    /// Scores a name from 0, not alike, to 1000, the same but for case.
    pub(super) fn likeness(&self, candidate: &str) -> u32 {
        let folded = candidate.to_lowercase();
        if folded == self.folded {
            return 1000;
        }
        let parts = name_parts(candidate);
        let shared = self
            .parts
            .iter()
            .filter(|part| parts.contains(part))
            .count();
        let union = self.parts.len() + parts.len() - shared;
        let by_parts = if shared == union {
            950
        } else {
            (800 * shared / union.max(1)) as u32
        };
        let by_text = if self.folded.len() >= 3 && folded.starts_with(&self.folded) {
            700
        } else if self.folded.len() >= 4 && folded.contains(&self.folded) {
            500
        } else {
            0
        };
        let most = (self.folded.chars().count() / 4).clamp(1, 3);
        let by_edits =
            edits(&self.folded, &folded, most).map_or(0, |n_edits| 900 - 100 * n_edits as u32);
        let best = by_parts.max(by_text).max(by_edits);
        if best < 260 { 0 } else { best }
    }
}

/// Splits a name into its camel-case and snake-case parts, lower-cased.
fn name_parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![String::new()];
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && lower) {
            parts.push(String::new());
        }
        lower = c.is_lowercase() || c.is_numeric();
        if let Some(last) = parts.last_mut().filter(|_| c.is_alphanumeric()) {
            last.extend(c.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Counts the edits (insert, delete, replace, swap) between two names; `None` above `most`.
fn edits(left: &str, right: &str, most: usize) -> Option<usize> {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    if left.len().abs_diff(right.len()) > most {
        return None;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for i in 1..=left.len() {
        let mut row = vec![i; right.len() + 1];
        for j in 1..=right.len() {
            let replace = last[j - 1] + usize::from(left[i - 1] != right[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|n_edits| *n_edits <= most)
}
