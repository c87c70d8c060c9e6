//! A look at files that are not indexed yet: the lines that hold a query's words, from those files
//! first whose paths hold them. No channels, no trace; never used once there is something to search.

use crate::query::ParsedQuery;
use crate::search_index::FileRole;
use std::cmp::Reverse;

/// Longer lines are no code that a person reads.
const MAX_LINE: usize = 240;
/// A line is a set of words in the bits of a number.
const MAX_WORDS: usize = 16;
/// This many files are read however little time there is.
const LEAST_FILES: usize = 16;
/// What a line is worth more when the rest of its file, or the path, has the words, too.
const FILE_SHARE: f32 = 0.3;
const PATH_SHARE: f32 = 0.5;
/// What a line that defines something is worth more.
const DEFINES: f32 = 1.0;
/// What a line of a test, an example and the like is worth of another's.
const NON_PRODUCTION_SHARE: f32 = 0.5;
/// How such lines begin in most languages.
const HEADS: [&str; 12] = [
    "def ",
    "fn ",
    "func ",
    "fun ",
    "function ",
    "class ",
    "struct ",
    "interface ",
    "trait ",
    "type ",
    "enum ",
    "module ",
];

/// A line with words of the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrepLine {
    /// Path of the file.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Its text without indentation.
    pub text: String,
}

/// Where the search gets files from, and how long it may take.
pub trait FileReader {
    /// The text of a file, or `None` where it is not to be shown.
    fn text(&mut self, path: &str) -> Option<String>;
    /// Whether there is time for another file.
    fn has_time(&self) -> bool;
}

/// The best line of a file, and which words it, the file and the path hold.
struct BestLine<'a> {
    path: &'a str,
    line: u32,
    text: String,
    words: u16,
    file_words: u16,
    path_words: u16,
    defines: bool,
    /// A test, an example and the like: where people look last.
    is_non_production: bool,
}

/// Returns lines that hold words of `query`, one a file, best first; and how many files were read.
pub fn unindexed_grep(
    query: &str,
    paths: &[String],
    files: &mut dyn FileReader,
    limit: usize,
) -> (Vec<GrepLine>, usize) {
    let words = words_of(query);
    if words.is_empty() {
        return (Vec::new(), 0);
    }
    let mut seen: Vec<BestLine<'_>> = Vec::new();
    let mut n_read = 0;
    for (n_tried, (path, path_words)) in by_promise(paths, &words).into_iter().enumerate() {
        if n_tried >= LEAST_FILES && !files.has_time() {
            break;
        }
        if let Some(text) = files.text(path) {
            n_read += 1;
            seen.extend(best_line(path, path_words, &text, &words));
        }
    }
    (best(seen, words.len(), limit), n_read)
}

/// The query's names and the stems of its words, lower case.
fn words_of(query: &str) -> Vec<String> {
    let parsed = ParsedQuery::parse(query);
    let names = parsed.identifiers.iter().map(|name| name.to_lowercase());
    let mut words: Vec<String> = Vec::new();
    for word in names.chain(parsed.keywords.iter().cloned()) {
        if word.len() > 1 && !words.contains(&word) && words.len() < MAX_WORDS {
            words.push(word);
        }
    }
    words
}

/// Paths with the words that they hold: what holds most first, tests and the like after the rest.
fn by_promise<'a>(paths: &'a [String], words: &[String]) -> Vec<(&'a str, u16)> {
    let held_of = |path: &'a String| (path.as_str(), held(&path.to_lowercase(), words));
    let (mut promising, others): (Vec<_>, Vec<_>) =
        paths.iter().map(held_of).partition(|(_, held)| *held != 0);
    promising.sort_by_cached_key(|(path, held)| {
        let is_non_production = FileRole::of(path, false) != FileRole::Source;
        (is_non_production, Reverse(held.count_ones()))
    });
    promising.into_iter().chain(others).collect()
}

/// Which words a text holds, one bit each.
fn held(text: &str, words: &[String]) -> u16 {
    let bits = words.iter().enumerate();
    bits.filter(|(_, word)| text.contains(word.as_str()))
        .fold(0, |held, (bit, _)| held | (1 << bit))
}

fn best_line<'a>(
    path: &'a str,
    path_words: u16,
    text: &str,
    words: &[String],
) -> Option<BestLine<'a>> {
    let lower = text.to_lowercase();
    let file_words = held(&lower, words);
    if file_words == 0 {
        return None;
    }
    let lines = lower.lines().enumerate();
    let holding = lines
        .filter(|(_, line)| line.len() <= MAX_LINE)
        .map(|(at, line)| (at, held(line, words), defines(line)))
        .filter(|(_, held, _)| *held != 0);
    // The first of equals.
    let (at, words, defines) = holding
        .min_by_key(|(_, held, defines)| Reverse(2 * held.count_ones() + u32::from(*defines)))?;
    Some(BestLine {
        path,
        line: at as u32 + 1,
        text: text.lines().nth(at)?.trim().to_owned(),
        words,
        file_words,
        path_words,
        defines,
        is_non_production: FileRole::of(path, false) != FileRole::Source,
    })
}

fn defines(line: &str) -> bool {
    let line = line.trim_start();
    HEADS.iter().any(|head| {
        let at = line.find(head);
        at.is_some_and(|at| at == 0 || line.as_bytes()[at - 1] == b' ')
    })
}

/// Words that few of the files have count for more, as everywhere else.
fn best(seen: Vec<BestLine<'_>>, n_words: usize, limit: usize) -> Vec<GrepLine> {
    let n_seen = seen.len() as f32;
    let weights: Vec<f32> = (0..n_words)
        .map(|bit| {
            let having = seen.iter().filter(|one| one.file_words & (1 << bit) != 0);
            (1.0 + n_seen / (1.0 + having.count() as f32)).ln()
        })
        .collect();
    let sum = |held: u16| -> f32 {
        let bits = weights.iter().enumerate();
        bits.filter(|(bit, _)| held & (1 << bit) != 0)
            .map(|(_, weight)| weight)
            .sum()
    };
    let mut scored: Vec<(f32, BestLine<'_>)> = seen
        .into_iter()
        .map(|one| {
            let beside = FILE_SHARE * sum(one.file_words) + PATH_SHARE * sum(one.path_words);
            let defines = if one.defines { DEFINES } else { 0.0 };
            let share = if one.is_non_production {
                NON_PRODUCTION_SHARE
            } else {
                1.0
            };
            ((sum(one.words) + beside + defines) * share, one)
        })
        .collect();
    scored.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.path.cmp(other.path)));
    let lines = scored.into_iter().take(limit).map(|(_, one)| GrepLine {
        path: one.path.to_owned(),
        line: one.line,
        text: one.text,
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Files {
        texts: Vec<(&'static str, &'static str)>,
        time: usize,
    }

    impl FileReader for Files {
        fn text(&mut self, path: &str) -> Option<String> {
            self.time = self.time.saturating_sub(1);
            let found = self.texts.iter().find(|(known, _)| *known == path);
            found.map(|(_, text)| (*text).to_owned())
        }
        fn has_time(&self) -> bool {
            self.time > 0
        }
    }

    fn found(query: &str, texts: &[(&'static str, &'static str)]) -> Vec<String> {
        let paths: Vec<String> = texts.iter().map(|(path, _)| (*path).to_owned()).collect();
        let mut files = Files {
            texts: texts.to_vec(),
            time: 1_000,
        };
        let (lines, _) = unindexed_grep(query, &paths, &mut files, 8);
        let places = lines.iter().map(|one| format!("{}:{}", one.path, one.line));
        places.collect()
    }

    #[test]
    fn a_definition_comes_before_uses_and_tests() {
        let texts = [
            ("a.py", "total = with_tax(1)\n"),
            ("prices.py", "\n\ndef with_tax(price):\n    return price\n"),
            ("readme.md", "nothing\n"),
        ];
        assert_eq!(found("with_tax", &texts), ["prices.py:3", "a.py:1"]);
    }

    #[test]
    fn a_line_with_more_of_the_words_wins_and_paths_count() {
        let texts = [
            ("mail.rs", "// a cache\n"),
            (
                "cache/store.rs",
                "fn write() {}\n// where the cache keeps what it stored\n",
            ),
            ("other.rs", "// what is stored\n"),
        ];
        assert_eq!(
            found("where is the cache stored", &texts)[0],
            "cache/store.rs:2"
        );
        assert_eq!(found("zebra", &texts), [""; 0]);
        assert_eq!(found("", &texts), [""; 0]);
    }

    #[test]
    fn without_time_a_few_promising_files_are_read_and_no_more() {
        let names: Vec<String> = (0..100).map(|n| format!("file{n}.rs")).collect();
        let mut files = Files {
            texts: vec![("file99.rs", "fn wanted() {}")],
            time: 0,
        };
        assert_eq!(
            unindexed_grep("file99 wanted", &names, &mut files, 8)
                .0
                .len(),
            1
        );
        assert_eq!(unindexed_grep("wanted", &names, &mut files, 8).0.len(), 0);
    }
}
