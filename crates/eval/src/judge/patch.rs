//! From an issue to what its fix changed: files and functions by rank, lines by how much is read.
//!
//! Files and functions count all or nothing, as the literature on issue localization has it: `acc@k`
//! is 1 where all gold files are among the first k distinct files. Lines are read as an agent would
//! read them, hit by hit from the top, none twice.

use super::verdict::{Judgement, Verdict, clean};
use crate::answer::{Answer, ReturnedPlace};
use crate::metric::{Metric, Scores};
use crate::task::{PatchedFile, PatchedFunction};
use std::collections::{BTreeMap, BTreeSet, HashSet};

const FILES: [(usize, Metric); 4] = [
    (1, Metric::FileAcc1),
    (3, Metric::FileAcc3),
    (5, Metric::FileAcc5),
    (10, Metric::FileAcc10),
];
const FUNCTIONS: [(usize, Metric, Metric); 2] = [
    (5, Metric::FunctionAcc5, Metric::FunctionAny5),
    (10, Metric::FunctionAcc10, Metric::FunctionAny10),
];
const LINES: [(usize, Metric, Metric); 3] = [
    (100, Metric::LineRecall100, Metric::LineNdcg100),
    (300, Metric::LineRecall300, Metric::LineNdcg300),
    (500, Metric::LineRecall500, Metric::LineNdcg500),
];
/// Files that the reciprocal rank looks at.
const DEPTH: usize = 10;

pub(super) fn patch(files: &[PatchedFile], answer: &Answer) -> Judgement {
    let mut scores = file_scores(files, answer);
    scores.extend(function_scores(files, answer));
    scores.extend(line_scores(files, answer));
    let places = files.iter().flat_map(|file| {
        let functions = file.functions.iter().map(move |one| (file, Some(one)));
        let whole = file.functions.is_empty().then_some((file, None));
        functions.chain(whole)
    });
    let is_met = |(file, function): (&PatchedFile, Option<&PatchedFunction>)| {
        let shown = distinct(&answer.found).take(DEPTH);
        let mut hits = shown.filter(|found| clean(&found.file) == file.path);
        hits.any(|found| function.is_none_or(|function| is_function(found, function)))
    };
    let verdict = |found: &ReturnedPlace| {
        let file = files.iter().find(|file| clean(&found.file) == file.path);
        match file {
            None => Verdict::Wrong,
            Some(file) if touches(found, file) => Verdict::Right,
            Some(_) => Verdict::Optional,
        }
    };
    Judgement {
        met: places.map(is_met).collect(),
        verdicts: answer.found.iter().map(verdict).collect(),
        scores,
    }
}

fn file_scores(files: &[PatchedFile], answer: &Answer) -> Scores {
    let mut seen = HashSet::new();
    let shown = answer.found.iter().map(|found| clean(&found.file));
    let ranked: Vec<String> = shown.filter(|file| seen.insert(file.clone())).collect();
    let ranks: Vec<Option<usize>> = files
        .iter()
        .map(|file| ranked.iter().position(|path| *path == file.path))
        .collect();
    let n_within = |k: usize| {
        let within = ranks.iter().flatten().filter(|at| **at < k);
        within.count()
    };
    let best = ranks.iter().flatten().min().filter(|rank| **rank < DEPTH);
    let found = n_within(DEPTH) as f64 / files.len().max(1) as f64;
    let mut scores = BTreeMap::from([
        (Metric::Mrr, best.map_or(0.0, |at| 1.0 / (*at as f64 + 1.0))),
        (Metric::Recall10, found),
        (Metric::Recall, found),
    ]);
    for (k, metric) in FILES {
        scores.insert(metric, one_if(n_within(k) == files.len()));
    }
    scores
}

/// Nothing for a fix that changed no function.
fn function_scores(files: &[PatchedFile], answer: &Answer) -> Scores {
    let mut ranks = Vec::new();
    for file in files {
        for function in &file.functions {
            ranks.push(
                distinct(&answer.found).position(|found| {
                    clean(&found.file) == file.path && is_function(found, function)
                }),
            );
        }
    }
    let mut scores = Scores::new();
    if ranks.is_empty() {
        return scores;
    }
    for (k, all, any) in FUNCTIONS {
        let mut within = ranks.iter().map(|rank| rank.is_some_and(|at| at < k));
        scores.insert(any, one_if(within.clone().any(|is| is)));
        scores.insert(all, one_if(within.all(|is| is)));
    }
    scores
}

fn line_scores(files: &[PatchedFile], answer: &Answer) -> Scores {
    let mut gold: BTreeSet<(&str, u32)> = BTreeSet::new();
    for file in files {
        for (first, last) in &file.spans {
            // A line before the first is where an insertion at the top of a file goes.
            gold.extend((*first.max(&1)..=*last).map(|line| (file.path.as_str(), line)));
        }
    }
    let mut scores = Scores::new();
    if gold.is_empty() {
        return scores;
    }
    let read = read(answer, LINES[LINES.len() - 1].0);
    let is_gold: Vec<bool> = read
        .iter()
        .map(|(file, line)| gold.contains(&(file.as_str(), *line)))
        .collect();
    for (budget, recall, ndcg) in LINES {
        let hits = || {
            (0..)
                .zip(is_gold.iter().take(budget))
                .filter(|(_, is)| **is)
        };
        let gain: f64 = hits().map(|(at, _)| discount(at)).fold(0.0, |a, b| a + b);
        let ideal: f64 = (0..gold.len().min(budget)).map(discount).sum();
        scores.insert(recall, hits().count() as f64 / gold.len() as f64);
        scores.insert(ndcg, gain / ideal);
    }
    scores
}

/// The first lines of an answer, hit by hit, none twice.
fn read(answer: &Answer, budget: usize) -> Vec<(String, u32)> {
    let mut seen = HashSet::new();
    let mut read = Vec::new();
    for found in answer.found.iter().filter(|found| found.line > 0) {
        let file = clean(&found.file);
        for line in found.line..=found.end_line.max(found.line) {
            if read.len() == budget {
                return read;
            }
            if seen.insert((file.clone(), line)) {
                read.push((file.clone(), line));
            }
        }
    }
    read
}

/// Hits, each place once.
fn distinct(found: &[ReturnedPlace]) -> impl Iterator<Item = &ReturnedPlace> + Clone {
    let first = |at: &usize| {
        let same = |other: &ReturnedPlace| {
            other.file == found[*at].file
                && other.line == found[*at].line
                && other.symbol == found[*at].symbol
        };
        found.iter().position(same) == Some(*at)
    };
    let firsts: Vec<usize> = (0..found.len()).filter(first).collect();
    firsts.into_iter().map(|at| &found[at])
}

/// Whether a hit is the function: by name where it has one (or as a part of it), else by its lines.
/// A class is not each of its methods.
fn is_function(found: &ReturnedPlace, function: &PatchedFunction) -> bool {
    let overlaps = found.line <= function.end && found.end_line.max(found.line) >= function.start;
    let Some(symbol) = &found.symbol else {
        return overlaps;
    };
    let is_inside = found.line >= function.start && found.end_line.max(found.line) <= function.end;
    overlaps && (is_inside || ends_with(symbol, &function.name))
}

/// Whether the parts of `name` are the last of `qualified`.
fn ends_with(qualified: &str, name: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        parts
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    parts(qualified).ends_with(&parts(name))
}

fn touches(found: &ReturnedPlace, file: &PatchedFile) -> bool {
    let (first, last) = (found.line, found.end_line.max(found.line));
    let in_function = file.functions.iter().any(|one| is_function(found, one));
    let mut spans = file.spans.iter();
    in_function || spans.any(|(start, end)| first <= *end && last >= *start)
}

fn discount(at: usize) -> f64 {
    1.0 / (at as f64 + 2.0).log2()
}

fn one_if(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(file: &str, line: u32, end_line: u32, symbol: &str) -> ReturnedPlace {
        ReturnedPlace {
            file: file.to_owned(),
            line,
            end_line,
            symbol: (!symbol.is_empty()).then(|| symbol.to_owned()),
            ..ReturnedPlace::default()
        }
    }

    fn gold() -> Vec<PatchedFile> {
        let function = |name: &str, start, end| PatchedFunction {
            name: name.to_owned(),
            start,
            end,
        };
        vec![PatchedFile {
            path: "a.py".to_owned(),
            spans: vec![(12, 13), (31, 31)],
            functions: vec![function("A.f", 10, 20), function("A.g", 30, 40)],
        }]
    }

    fn scores(found: Vec<ReturnedPlace>) -> Scores {
        let answer = Answer {
            found,
            ..Answer::default()
        };
        patch(&gold(), &answer).scores
    }

    #[test]
    fn files_count_once_and_functions_each() {
        let scores = scores(vec![
            hit("b.py", 1, 9, "x"),
            hit("b.py", 20, 29, "y"),
            hit("a.py", 10, 20, "A.f"),
        ]);
        assert_eq!(scores[&Metric::Mrr], 0.5, "the second file");
        assert_eq!(scores[&Metric::FileAcc1], 0.0);
        assert_eq!(scores[&Metric::FileAcc3], 1.0);
        assert_eq!(scores[&Metric::FunctionAny5], 1.0);
        assert_eq!(scores[&Metric::FunctionAcc5], 0.0, "one of two");
    }

    #[test]
    fn a_class_is_not_its_methods_but_lines_without_a_name_are_what_they_cover() {
        let any = |found| scores(vec![found])[&Metric::FunctionAny5];
        assert_eq!(any(hit("a.py", 1, 100, "A")), 0.0);
        assert_eq!(any(hit("a.py", 1, 100, "")), 1.0);
        assert_eq!(any(hit("a.py", 12, 14, "A.f.inner")), 1.0);
        assert_eq!(any(hit("a.py", 10, 20, "B.f")), 1.0, "its lines are inside");
        assert_eq!(any(hit("a.py", 5, 25, "B.f")), 0.0);
    }

    #[test]
    fn lines_are_read_from_the_top_and_none_twice() {
        let far = scores(vec![hit("b.py", 1, 99, "x"), hit("a.py", 12, 40, "A.f")]);
        assert!((far[&Metric::LineRecall100] - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(far[&Metric::LineRecall300], 1.0);
        let twice = scores(vec![
            hit("b.py", 1, 60, "x"),
            hit("b.py", 1, 60, "y"),
            hit("a.py", 12, 40, "A.f"),
        ]);
        assert_eq!(twice[&Metric::LineRecall100], 1.0);
        let best = scores(vec![hit("a.py", 12, 13, "A.f"), hit("a.py", 31, 31, "A.g")]);
        assert_eq!(best[&Metric::LineNdcg100], 1.0);
    }
}
