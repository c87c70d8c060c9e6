//! Which tests to run for a task: those that reach its code, nearest first.

use crate::api::TestFile;
use crate::code::structure::StructureSession;
use std::collections::{BTreeMap, HashSet};
use whyrank_graph::{SymbolId, TestReach, TestedBy, test_map};

const DEPTH: u32 = 3;
/// Pieces whose tests are looked for: what comes later seldom changes.
const N_PIECES: usize = 5;
const MAX_TESTS: usize = 4;
const N_NAMES: usize = 3;
/// What a test file's name counts when it says that it tests the piece's file.
const NAMED: f64 = 4.0;
/// What a way counts that is not settled by scope, import or type.
const UNSURE: f64 = 0.5;
/// Share of the best test file's score below which one is left out.
const MIN_SHARE: f64 = 0.2;
/// Words that test files have in their names besides what they test.
const OF_TESTS: [&str; 5] = ["test", "tests", "spec", "specs", "suite"];

#[derive(Default)]
struct TestFileScore {
    score: f64,
    /// Names by distance and line.
    tests: BTreeMap<(u32, u32), String>,
    /// Lines of the tests.
    seen: HashSet<u32>,
}

/// The test files that a change of these definitions, most needed first, may break.
///
/// A file counts for each piece that it reaches: the more needed the piece, the nearer and the surer
/// the way, and four times when it is called after the piece's file.
pub(crate) fn tests_to_run(
    structure: &StructureSession<'_, '_>,
    pieces: &[Option<SymbolId>],
) -> Vec<TestFile> {
    let reach = TestReach {
        depth: DEPTH,
        nearest: true,
    };
    let is_test = |file: u32| structure.view.is_test(file);
    let mut files: BTreeMap<u32, TestFileScore> = BTreeMap::new();
    let code = pieces.iter().take(N_PIECES).enumerate();
    let code = code.filter_map(|(rank, id)| Some((rank, (*id)?)));
    let (ranks, code): (Vec<usize>, Vec<SymbolId>) =
        code.filter(|(_, id)| !is_test(id.file)).unzip();
    let tested = test_map(structure.uses, structure.links, &is_test, &code, reach);
    for (rank, TestedBy { symbol: id, tests }) in ranks.into_iter().zip(&tested) {
        let mut best: BTreeMap<u32, f64> = BTreeMap::new();
        for test in tests {
            let is_named =
                is_called_after(structure.view.path(test.file), structure.view.path(id.file));
            let score = 1.0 / (1.0 + rank as f64) / f64::from(test.depth)
                * if test.is_sure { 1.0 } else { UNSURE }
                * if is_named { NAMED } else { 1.0 };
            let of_file = best.entry(test.file).or_default();
            *of_file = of_file.max(score);
            let place = structure.test_place(test);
            let reached = files.entry(test.file).or_default();
            if reached.seen.insert(place.line) {
                let name = place.name.unwrap_or_default();
                reached.tests.insert((test.depth, place.line), name);
            }
        }
        for (file, score) in best {
            files.entry(file).or_default().score += score;
        }
    }
    ranked(structure, files)
}

fn ranked(
    structure: &StructureSession<'_, '_>,
    files: BTreeMap<u32, TestFileScore>,
) -> Vec<TestFile> {
    let mut files: Vec<(u32, TestFileScore)> = files.into_iter().collect();
    files.sort_by(|a, b| b.1.score.total_cmp(&a.1.score).then(a.0.cmp(&b.0)));
    let best = files.first().map_or(0.0, |(_, reached)| reached.score);
    let kept = files.into_iter().take(MAX_TESTS);
    let kept = kept.take_while(|(_, reached)| reached.score >= MIN_SHARE * best);
    kept.map(|(file, reached)| {
        let names = reached.tests.values().filter(|name| !name.is_empty());
        TestFile {
            path: structure.view.path(file).to_owned(),
            line: reached.tests.keys().next().map_or(1, |(_, line)| *line),
            names: names.take(N_NAMES).cloned().collect(),
            n_tests: reached.tests.len() as u32,
        }
    })
    .collect()
}

/// Whether a test file is called after a file: `test_retry.py`, `RetryTest.java`, `retry.spec.ts` after
/// `retry`, and `test_downloadermiddleware_retry.py` too.
fn is_called_after(test: &str, file: &str) -> bool {
    let words = |path: &str| -> Vec<String> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.split('.').next().unwrap_or(name);
        let mut words = whyrank_index::tokens(stem);
        // Of a compound name the first token is the whole.
        if words.len() > 1 {
            words.remove(0);
        }
        words.retain(|word| !OF_TESTS.contains(&word.as_str()));
        words
    };
    let (test, file) = (words(test), words(file));
    !file.is_empty() && file.iter().all(|word| test.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_files_are_called_after_what_they_test() {
        for (test, file) in [
            ("tests/test_retry.py", "src/retry.py"),
            ("tests/test_downloadermiddleware_retry.py", "src/retry.py"),
            ("x/RetryTest.java", "y/Retry.java"),
            ("a/retry.spec.ts", "a/retry.ts"),
        ] {
            assert!(is_called_after(test, file), "{test} {file}");
        }
        assert!(!is_called_after("tests/test_cookies.py", "src/retry.py"));
    }
}
