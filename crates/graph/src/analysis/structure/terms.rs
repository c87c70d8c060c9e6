//! Words that tell groups of text apart, and groups found by words.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Saturation and length constants of BM25 (Robertson, Zaragoza 2009).
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Words that stand in every text and every code base.
const COMMON: &[&str] = &[
    "a",
    "about",
    "above",
    "after",
    "all",
    "also",
    "an",
    "and",
    "any",
    "arg",
    "args",
    "argument",
    "arguments",
    "array",
    "as",
    "at",
    "be",
    "been",
    "before",
    "below",
    "bool",
    "boolean",
    "but",
    "by",
    "call",
    "called",
    "can",
    "class",
    "code",
    "const",
    "could",
    "data",
    "def",
    "default",
    "do",
    "does",
    "each",
    "else",
    "etc",
    "example",
    "false",
    "file",
    "first",
    "fn",
    "for",
    "from",
    "func",
    "function",
    "get",
    "given",
    "had",
    "has",
    "have",
    "here",
    "how",
    "id",
    "if",
    "impl",
    "in",
    "init",
    "instance",
    "int",
    "into",
    "is",
    "it",
    "its",
    "key",
    "last",
    "let",
    "lib",
    "like",
    "list",
    "made",
    "make",
    "may",
    "method",
    "more",
    "must",
    "name",
    "new",
    "no",
    "none",
    "not",
    "note",
    "null",
    "number",
    "object",
    "of",
    "off",
    "on",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "own",
    "param",
    "params",
    "public",
    "return",
    "returned",
    "returns",
    "run",
    "same",
    "see",
    "self",
    "set",
    "should",
    "so",
    "some",
    "src",
    "static",
    "str",
    "string",
    "such",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "through",
    "throws",
    "to",
    "true",
    "two",
    "type",
    "types",
    "under",
    "up",
    "use",
    "used",
    "uses",
    "using",
    "val",
    "value",
    "values",
    "var",
    "void",
    "was",
    "we",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "why",
    "will",
    "with",
    "within",
    "without",
    "would",
    "you",
    "your",
];

/// Says whether a word can tell anything: three characters and more, not a word of every text.
pub fn is_telling(word: &str) -> bool {
    let is_word = word.chars().count() > 2 && !word.chars().all(|char| char.is_ascii_digit());
    is_word && COMMON.binary_search(&word).is_err()
}

/// How often each word stands in each group.
#[derive(Clone, Debug, Default)]
pub struct TermTable {
    groups: Vec<BTreeMap<String, f64>>,
    sizes: Vec<f64>,
    /// How often in all groups.
    all: HashMap<String, f64>,
}

impl TermTable {
    /// Counts of words by group.
    pub fn new(groups: Vec<BTreeMap<String, f64>>) -> Self {
        let mut all: HashMap<String, f64> = HashMap::new();
        for (word, count) in groups.iter().flatten() {
            *all.entry(word.clone()).or_default() += count;
        }
        let sizes = groups.iter().map(|group| group.values().sum()).collect();
        Self { groups, sizes, all }
    }

    fn mean_size(&self) -> f64 {
        let sum: f64 = self.sizes.iter().sum();
        sum / self.sizes.len().max(1) as f64
    }

    /// Returns the words that tell a group from the others, best first: class-based TF-IDF, `tf /
    /// size × ln(1 + mean size / tf in all)` (Grootendorst 2022).
    pub fn labels(&self, group: usize, n_labels: usize) -> Vec<String> {
        let mean = self.mean_size();
        let size = self.sizes[group].max(1.0);
        let mut scored: Vec<(f64, &str)> = self.groups[group]
            .iter()
            .map(|(word, count)| {
                let in_all = self.all.get(word).copied().unwrap_or(1.0);
                (count / size * (1.0 + mean / in_all).ln(), word.as_str())
            })
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        let words = scored.into_iter().take(n_labels);
        words.map(|(_, word)| word.to_owned()).collect()
    }

    /// Returns how well each group answers a query, by BM25, best first. Each of the query's words
    /// stands with others that count as the same; with the score comes which of the words a group
    /// has. Groups without any are left out.
    pub fn rank(&self, query: &[BTreeSet<String>]) -> Vec<(usize, f64, Vec<usize>)> {
        let mean = self.mean_size().max(1.0);
        let weights: Vec<f64> = query.iter().map(|same| self.weight(same)).collect();
        let mut found = Vec::new();
        for at in 0..self.groups.len() {
            let (mut score, mut matched) = (0.0, Vec::new());
            for (place, same) in query.iter().enumerate() {
                let count: f64 = same.iter().map(|word| self.count(at, word)).sum();
                if count > 0.0 {
                    let norm = K1 * (1.0 - B + B * self.sizes[at] / mean);
                    score += weights[place] * count * (K1 + 1.0) / (count + norm);
                    matched.push(place);
                }
            }
            if !matched.is_empty() {
                found.push((at, score, matched));
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    /// Returns the words that some group has.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.all.keys().map(String::as_str)
    }

    /// Returns how often a word stands in a group.
    pub fn count(&self, group: usize, word: &str) -> f64 {
        self.groups[group].get(word).copied().unwrap_or(0.0)
    }

    /// Returns how rare words that count as the same are among the groups: `ln(1 + (n - df + .5) /
    /// (df + .5))`.
    pub fn weight(&self, same: &BTreeSet<String>) -> f64 {
        let n_groups = self.groups.len() as f64;
        let has = |group: &&BTreeMap<String, f64>| same.iter().any(|word| group.contains_key(word));
        let n_with = self.groups.iter().filter(has).count() as f64;
        (1.0 + (n_groups - n_with + 0.5) / (n_with + 0.5)).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TermTable {
        let group = |words: &[(&str, f64)]| {
            let counts = words
                .iter()
                .map(|(word, count)| ((*word).to_owned(), *count));
            counts.collect::<BTreeMap<_, _>>()
        };
        TermTable::new(vec![
            group(&[("route", 9.0), ("handler", 5.0), ("error", 4.0)]),
            group(&[("cache", 7.0), ("store", 3.0), ("error", 4.0)]),
        ])
    }

    #[test]
    fn common_words_are_in_order_for_the_search() {
        assert!(COMMON.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(is_telling("router") && !is_telling("get") && !is_telling("404"));
    }

    #[test]
    fn what_all_groups_say_labels_none() {
        assert_eq!(table().labels(0, 2), ["route", "handler"]);
        assert_eq!(table().labels(1, 1), ["cache"]);
    }

    #[test]
    fn groups_are_found_by_their_words() {
        let query = |words: &[&str]| -> Vec<BTreeSet<String>> {
            let same = |word: &&str| BTreeSet::from([(*word).to_owned()]);
            words.iter().map(same).collect()
        };
        let found = table().rank(&query(&["cache", "error"]));
        assert_eq!((found[0].0, found[0].2.len()), (1, 2));
        assert_eq!(found.len(), 2);
        assert!(table().rank(&query(&["socket"])).is_empty());
    }
}
