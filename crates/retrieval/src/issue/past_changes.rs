//! What the newest commits before a view's commit changed, and in which words they said so.
//!
//! Files that were changed often are changed again, and words that went with a file before go with it
//! again (Zhou, Zhang and Lo 2012; Wang and Lo 2014). Says nothing about commits after the view's.

use crate::query::is_stopword;
use std::collections::{BTreeSet, HashMap, HashSet};
use whyrank_index::{OwnFile, PoolOffset};

/// The newest commits of a history, by the files of a view.
#[derive(Clone, Debug, Default)]
pub struct PastChanges {
    commits: Vec<PastCommit>,
    /// Commits that hold a token.
    holding: HashMap<String, u32>,
}

#[derive(Clone, Debug)]
struct PastCommit {
    tokens: HashSet<String>,
    files: Vec<OwnFile>,
}

/// What the past says about files for a text, by the number of the file in the pool or its own.
#[derive(Debug, Default)]
pub(crate) struct PastScores<F = u32> {
    /// Words that went with a file, 1 for the best; and some of them.
    pub(crate) words: HashMap<F, (f64, Vec<String>)>,
    /// How much a file was changed, 1 for the most.
    pub(crate) changes: HashMap<F, (f64, u32)>,
}

/// Commits whose words count for one file; each next one half of the one before.
const N_COMMITS: usize = 5;
/// Tokens of a text that are looked for.
const MAX_TOKENS: usize = 120;

impl PastChanges {
    /// Takes commits, newest first: what each said, and the files of the view that it changed.
    pub fn new(commits: impl IntoIterator<Item = (String, Vec<u32>)>) -> Self {
        let mut past = Self::default();
        for (message, files) in commits {
            let tokens: HashSet<String> = words(&message).into_iter().collect();
            for token in &tokens {
                *past.holding.entry(token.clone()).or_default() += 1;
            }
            let files: Vec<OwnFile> = files.into_iter().map(OwnFile).collect();
            if !files.is_empty() {
                past.commits.push(PastCommit { tokens, files });
            }
        }
        past
    }

    /// Says whether there is none.
    pub fn is_empty(&self) -> bool {
        self.commits.is_empty()
    }

    /// What the past of each repository says about its files, as the pool numbers them. Each is measured by its
    /// own best.
    pub(crate) fn pooled<'a>(
        parts: impl IntoIterator<Item = (Option<&'a Self>, PoolOffset)>,
        text: &str,
    ) -> PastScores {
        let mut all = PastScores::default();
        for (past, offset) in parts {
            let Some(scores) = past.map(|past| past.scores(text)) else {
                continue;
            };
            let words = scores.words.into_iter();
            let words = words.map(|(file, of)| (offset.pooled_file(file), of));
            all.words.extend(words);
            let changes = scores.changes.into_iter();
            let changes = changes.map(|(file, of)| (offset.pooled_file(file), of));
            all.changes.extend(changes);
        }
        all
    }

    fn scores(&self, text: &str) -> PastScores<OwnFile> {
        let mut asked: Vec<String> = words(text);
        asked.truncate(MAX_TOKENS);
        let asked: BTreeSet<String> = asked.into_iter().collect();
        let rarity = |token: &String| {
            let n = self.holding.get(token).copied().unwrap_or(0);
            (1.0 + self.commits.len() as f64 / (f64::from(n) + 0.5)).ln()
        };
        let mut changed: HashMap<OwnFile, (f64, u32)> = HashMap::new();
        let mut said: HashMap<OwnFile, Vec<(f64, usize)>> = HashMap::new();
        for (at, commit) in self.commits.iter().enumerate() {
            let share = 1.0 / commit.files.len() as f64;
            let shared = asked.iter().filter(|token| commit.tokens.contains(*token));
            let matched: f64 = shared.map(rarity).sum();
            let score = matched * share.sqrt() / (commit.tokens.len() as f64 + 5.0).sqrt();
            for file in &commit.files {
                let entry = changed.entry(*file).or_default();
                *entry = (entry.0 + share, entry.1 + 1);
                if score > 0.0 {
                    said.entry(*file).or_default().push((score, at));
                }
            }
        }
        PastScores {
            words: self.best_words(said, &asked),
            changes: logarithms(changed),
        }
    }

    fn best_words(
        &self,
        said: HashMap<OwnFile, Vec<(f64, usize)>>,
        asked: &BTreeSet<String>,
    ) -> HashMap<OwnFile, (f64, Vec<String>)> {
        let mut words: HashMap<OwnFile, (f64, Vec<String>)> = HashMap::new();
        for (file, mut commits) in said {
            commits.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let best = commits.iter().take(N_COMMITS).enumerate();
            let sum = best
                .map(|(at, (score, _))| score * 0.5_f64.powi(at as i32))
                .sum();
            let first = &self.commits[commits[0].1].tokens;
            let shared = asked.iter().filter(|token| first.contains(*token));
            words.insert(file, (sum, shared.take(4).cloned().collect()));
        }
        let most = words
            .values()
            .map(|(sum, _)| *sum)
            .fold(f64::MIN_POSITIVE, f64::max);
        words.values_mut().for_each(|(sum, _)| *sum /= most);
        words
    }
}

fn logarithms(mut changed: HashMap<OwnFile, (f64, u32)>) -> HashMap<OwnFile, (f64, u32)> {
    let most = changed
        .values()
        .map(|(sum, _)| *sum)
        .fold(f64::MIN_POSITIVE, f64::max);
    for (sum, _) in changed.values_mut() {
        *sum = sum.ln_1p() / most.ln_1p();
    }
    changed
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        if word.len() > 2 && !is_stopword(word) {
            whyrank_index::for_each_token(word, |token| {
                if token.len() > 2 && !token.bytes().all(|byte| byte.is_ascii_digit()) {
                    words.push(token.to_owned());
                }
            });
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_went_with_a_file_speak_for_it() {
        let commit = |message: &str, files: &[u32]| (message.to_owned(), files.to_vec());
        let past = PastChanges::new([
            commit("Fix discount of the cart", &[1]),
            commit("Cart: round the discount", &[1, 2]),
            commit("Update the routes", &[3]),
            commit("Update the readme", &[]),
        ]);
        let scores = past.scores("The discount is lost");
        assert_eq!(scores.words[&OwnFile(1)].0, 1.0);
        assert!(scores.words[&OwnFile(2)].0 < 1.0);
        assert!(!scores.words.contains_key(&OwnFile(3)));
        assert_eq!(scores.changes[&OwnFile(1)], (1.0, 2));
        assert!(PastChanges::default().scores("x").words.is_empty());
    }
}
