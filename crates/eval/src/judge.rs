//! Scores of an answer. The rules follow the benchmarks that the tasks come from; each names its own.

use crate::answer::{Answer, Found};
use crate::metric::{Metric, Scores};
use crate::task::{Category, Expected, Matching, Place, Question, Task};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::{BTreeMap, BTreeSet};

/// Results that rank metrics look at.
const DEPTH: usize = 10;

/// What a found place is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Expected.
    Right,
    /// Neither asked for nor wrong.
    Optional,
    /// Not expected.
    Wrong,
}

/// A scored answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Scores.
    pub scores: Scores,
    /// Which of [`Expected::places`] was found.
    pub met: Vec<bool>,
    /// Verdict on each found place.
    pub verdicts: Vec<Verdict>,
}

/// Scores an answer. One that failed with an error scores 0, whatever it holds.
pub fn judge(task: &Task, answer: &Answer) -> Judgement {
    let mut judgement = scored(task, answer);
    if answer.error.is_some() {
        judgement.scores.values_mut().for_each(|score| *score = 0.0);
    }
    judgement
}

fn scored(task: &Task, answer: &Answer) -> Judgement {
    match &task.expected {
        Expected::Places { matching, .. } => match matching {
            Matching::OneToOne => one_to_one(task, answer),
            Matching::Lenient | Matching::LenientAny => lenient(task, answer),
        },
        Expected::Files { files, .. } => file_set(task, files, answer),
        Expected::Deps { imports, importers } => both_sides(imports, importers, answer),
        Expected::Dead { dead } => one_verdict(*dead, answer),
        Expected::Names { names } => name_set(names, answer),
        Expected::Ranked {
            relevant,
            by_suffix,
            needs_overlap,
        } => ranked(relevant, *by_suffix, *needs_overlap, answer),
        Expected::Symbols {
            names,
            share,
            top_k,
        } => symbols(task, names, *share, *top_k, answer),
        Expected::Documents { grades } => documents(grades, answer),
    }
}

/// Precision, recall and their harmonic mean.
fn set_scores(right: usize, found: usize, expected: usize) -> Scores {
    let share = |of: usize| {
        if of == 0 {
            0.0
        } else {
            right as f64 / of as f64
        }
    };
    from_shares(share(found), share(expected))
}

fn from_shares(precision: f64, recall: f64) -> Scores {
    let sum = precision + recall;
    let f1 = if sum == 0.0 {
        0.0
    } else {
        2.0 * precision * recall / sum
    };
    BTreeMap::from([
        (Metric::Precision, precision),
        (Metric::Recall, recall),
        (Metric::F1, f1),
    ])
}

fn near(expected: &Place, found: &Found, tolerance: u32, within_span: bool) -> bool {
    if !same_file(expected, found) {
        return false;
    }
    let line = found.line;
    let is_inside = within_span
        && expected.end_line > 0
        && (expected.line.saturating_sub(tolerance)..=expected.end_line).contains(&line);
    is_inside || line.abs_diff(expected.line) <= tolerance
}

fn same_file(expected: &Place, found: &Found) -> bool {
    expected.file == clean(&found.file)
        && expected.repo.as_deref().unwrap_or_default() == found.repo.as_deref().unwrap_or_default()
}

/// A path as tasks write it.
fn clean(path: &str) -> String {
    path.strip_prefix("./").unwrap_or(path).replace('\\', "/")
}

/// Distance for the greedy matching: nothing inside a span, lines otherwise.
fn distance(expected: &Place, found: &Found, within_span: bool) -> u64 {
    let lines = u64::from(found.line.abs_diff(expected.line)) * 2;
    if !within_span {
        return lines;
    }
    let is_inside =
        expected.end_line > 0 && (expected.line..=expected.end_line).contains(&found.line);
    if is_inside { 0 } else { lines + 1 }
}

/// Greedy one-to-one matching, nearest pairs first. Further hits on something already found, and hits
/// on optional places, count neither for nor against.
fn one_to_one(task: &Task, answer: &Answer) -> Judgement {
    let Expected::Places {
        places,
        optional,
        tolerance,
        within_span,
        optional_tests,
        ..
    } = &task.expected
    else {
        return Judgement::default();
    };
    let near = |place: &Place, found: &Found| near(place, found, *tolerance, *within_span);
    let first_of_line = first_of_each_line(&answer.found);
    let mut pairs: Vec<(u64, usize, usize)> = Vec::new();
    for (f, found) in answer
        .found
        .iter()
        .enumerate()
        .filter(|(f, _)| first_of_line[*f])
    {
        for (p, place) in places
            .iter()
            .enumerate()
            .filter(|(_, place)| near(place, found))
        {
            pairs.push((distance(place, found, *within_span), f, p));
        }
    }
    pairs.sort_unstable();
    let mut met = vec![false; places.len()];
    let mut verdicts = vec![Verdict::Wrong; answer.found.len()];
    let mut is_used = vec![false; answer.found.len()];
    for (_, f, p) in pairs {
        if !is_used[f] && !met[p] {
            is_used[f] = true;
            met[p] = true;
            verdicts[f] = Verdict::Right;
        }
    }
    for (f, found) in answer
        .found
        .iter()
        .enumerate()
        .filter(|(f, _)| !is_used[*f])
    {
        let is_neutral = !first_of_line[f]
            || optional
                .iter()
                .chain(places)
                .any(|place| near(place, found))
            || (*optional_tests && is_test_path(&clean(&found.file)));
        if is_neutral {
            verdicts[f] = Verdict::Optional;
        }
    }
    let right = met.iter().filter(|met| **met).count();
    let wrong = verdicts
        .iter()
        .filter(|verdict| **verdict == Verdict::Wrong)
        .count();
    Judgement {
        scores: set_scores(right, right + wrong, places.len()),
        met,
        verdicts,
    }
}

fn first_of_each_line(found: &[Found]) -> Vec<bool> {
    let mut seen = BTreeSet::new();
    found
        .iter()
        .map(|found| seen.insert((clean(&found.file), found.repo.clone(), found.line)))
        .collect()
}

/// Paths that count as tests in tasks with optional tests.
fn is_test_path(path: &str) -> bool {
    let folders = [
        "test",
        "tests",
        "__tests__",
        "spec",
        "bench",
        "benches",
        "benchmark",
        "benchmarks",
        "example",
        "examples",
    ];
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    parts.iter().any(|part| folders.contains(part))
        || [
            ".test", "-test", "_test", ".spec", "-spec", "_spec", ".bench", "-bench", "_bench",
        ]
        .iter()
        .any(|ending| stem.ends_with(ending))
        || (name.starts_with("test_") && name.ends_with(".py"))
}

/// The original benchmark's rule: a found place counts when it is near any expected one, an expected
/// one is met when any found one is near it, paths without their extension. Without an expected place
/// recall is 1 for P2 and 0 for P1, as there.
fn lenient(task: &Task, answer: &Answer) -> Judgement {
    let Expected::Places {
        places,
        tolerance,
        matching,
        ..
    } = &task.expected
    else {
        return Judgement::default();
    };
    let near = |place: &Place, found: &Found| {
        bare(&place.file) == bare(&found.file) && place.line.abs_diff(found.line) <= *tolerance
    };
    let first = first_of_each_line(&answer.found);
    // Its P1 takes one prediction.
    let taken = if *matching == Matching::LenientAny {
        1
    } else {
        usize::MAX
    };
    let found: Vec<&Found> = answer
        .found
        .iter()
        .zip(&first)
        .filter(|(_, first)| **first)
        .map(|(found, _)| found)
        .take(taken)
        .collect();
    let met: Vec<bool> = places
        .iter()
        .map(|place| found.iter().any(|found| near(place, found)))
        .collect();
    let is_right = |found: &Found| places.iter().any(|place| near(place, found));
    let right = found.iter().filter(|found| is_right(found)).count();
    let scores = match matching {
        Matching::LenientAny => {
            let hit = f64::from(u8::from(right > 0));
            from_shares(hit, hit)
        }
        _ => from_shares(
            if found.is_empty() {
                0.0
            } else {
                right as f64 / found.len() as f64
            },
            if places.is_empty() {
                1.0
            } else {
                met.iter().filter(|met| **met).count() as f64 / met.len() as f64
            },
        ),
    };
    let verdicts = answer.found.iter().map(|found| {
        if is_right(found) {
            Verdict::Right
        } else {
            Verdict::Wrong
        }
    });
    Judgement {
        scores,
        met,
        verdicts: verdicts.collect(),
    }
}

/// A path as the original compares it.
fn bare(path: &str) -> String {
    let path = clean(path);
    let path = path.trim_start_matches('/');
    let endings = [".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs"];
    let ending = endings.iter().find(|ending| path.ends_with(**ending));
    path[..path.len() - ending.map_or(0, |ending| ending.len())].to_owned()
}

fn file_set(task: &Task, files: &[String], answer: &Answer) -> Judgement {
    let Expected::Files {
        optional,
        optional_prefixes,
        optional_basenames,
        ..
    } = &task.expected
    else {
        return Judgement::default();
    };
    let itself = match &task.question {
        Question::File { file, .. } => file.as_str(),
        _ => "",
    };
    let named: BTreeSet<String> = answer
        .imports
        .iter()
        .chain(&answer.importers)
        .map(|path| clean(path))
        .filter(|path| path != itself)
        .collect();
    let is_optional = |path: &str| {
        optional.iter().any(|file| file == path)
            || optional_prefixes
                .iter()
                .any(|prefix| path.starts_with(prefix.as_str()))
            || optional_basenames
                .iter()
                .any(|name| path.rsplit('/').next() == Some(name))
    };
    let met: Vec<bool> = files.iter().map(|file| named.contains(file)).collect();
    let right = met.iter().filter(|met| **met).count();
    let wrong = named
        .iter()
        .filter(|path| !files.contains(path) && !is_optional(path))
        .count();
    Judgement {
        scores: set_scores(right, right + wrong, files.len()),
        met,
        verdicts: file_verdicts(answer, |path| {
            match (files.iter().any(|file| file == path), is_optional(path)) {
                (true, _) => Verdict::Right,
                (false, true) => Verdict::Optional,
                (false, false) => Verdict::Wrong,
            }
        }),
    }
}

/// Verdicts on the files of a dependency answer, in the order of [`Answer::shown`].
fn file_verdicts(answer: &Answer, verdict: impl Fn(&str) -> Verdict) -> Vec<Verdict> {
    answer
        .shown()
        .iter()
        .map(|found| verdict(&clean(&found.file)))
        .collect()
}

/// The original's P4: both sides scored as sets without extensions, then averaged.
fn both_sides(imports: &[String], importers: &[String], answer: &Answer) -> Judgement {
    let side = |named: &[String], expected: &[String]| {
        let named: BTreeSet<String> = named.iter().map(|path| bare(path)).collect();
        let expected: BTreeSet<String> = expected.iter().map(|path| bare(path)).collect();
        let shares = original_shares(&named, &expected);
        (shares, named, expected)
    };
    let (first, named_imports, expected_imports) = side(&answer.imports, imports);
    let (second, named_importers, expected_importers) = side(&answer.importers, importers);
    let met = imports
        .iter()
        .map(|path| named_imports.contains(&bare(path)));
    let met = met.chain(
        importers
            .iter()
            .map(|path| named_importers.contains(&bare(path))),
    );
    let rights = answer
        .imports
        .iter()
        .map(|path| expected_imports.contains(&bare(path)));
    let rights = rights.chain(
        answer
            .importers
            .iter()
            .map(|path| expected_importers.contains(&bare(path))),
    );
    Judgement {
        scores: from_shares((first.0 + second.0) / 2.0, (first.1 + second.1) / 2.0),
        met: met.collect(),
        verdicts: rights
            .map(|right| {
                if right {
                    Verdict::Right
                } else {
                    Verdict::Wrong
                }
            })
            .collect(),
    }
}

/// Precision and recall of sets as the original has them: nothing expected and nothing named is
/// perfect, nothing expected but something named has recall 1.
fn original_shares(named: &BTreeSet<String>, expected: &BTreeSet<String>) -> (f64, f64) {
    match (named.len(), expected.len()) {
        (0, 0) => (1.0, 1.0),
        (_, 0) => (0.0, 1.0),
        (0, _) => (0.0, 0.0),
        (n, m) => {
            let right = named.intersection(expected).count() as f64;
            (right / n as f64, right / m as f64)
        }
    }
}

fn one_verdict(dead: bool, answer: &Answer) -> Judgement {
    let right = usize::from(answer.dead == Some(dead));
    Judgement {
        scores: set_scores(right, 1, 1),
        ..Judgement::default()
    }
}

fn name_set(names: &[String], answer: &Answer) -> Judgement {
    let named: BTreeSet<String> = answer.names.iter().cloned().collect();
    let expected: BTreeSet<String> = names.iter().cloned().collect();
    let (precision, recall) = match answer.error {
        None => original_shares(&named, &expected),
        Some(_) => (0.0, 0.0),
    };
    Judgement {
        scores: from_shares(precision, recall),
        met: names.iter().map(|name| named.contains(name)).collect(),
        verdicts: Vec::new(),
    }
}

/// MRR, NDCG and recall over files; over lines as well where the relevant places have lines.
fn ranked(relevant: &[Place], by_suffix: bool, needs_overlap: bool, answer: &Answer) -> Judgement {
    let same = |place: &Place, found: &Found| {
        let path = clean(&found.file);
        path == place.file || (by_suffix && path.ends_with(&format!("/{}", place.file)))
    };
    let overlaps = |place: &Place, found: &Found| {
        let last = |line: u32, end: u32| if end == 0 { line } else { end };
        found.line <= last(place.line, place.end_line)
            && last(found.line, found.end_line) >= place.line
    };
    let fits = |place: &Place, found: &Found| {
        same(place, found) && (!needs_overlap || place.end_line == 0 || overlaps(place, found))
    };
    let ranks = if needs_overlap {
        // The rank of a target is that of the first chunk that meets it; chunks take up ranks.
        first_ranks(relevant, &answer.found, fits)
    } else {
        let mut seen = BTreeSet::new();
        let files: Vec<Found> = answer
            .found
            .iter()
            .filter(|found| seen.insert(clean(&found.file)))
            .cloned()
            .collect();
        first_ranks(&distinct_files(relevant), &files, fits)
    };
    let mut scores = rank_scores(&ranks);
    let has_lines = !needs_overlap && relevant.iter().any(|place| place.line > 0);
    if has_lines {
        let spans = first_ranks(relevant, &answer.found, |place, found| {
            same(place, found) && overlaps(place, found)
        });
        scores.insert(Metric::SpanMrr, reciprocal(&spans));
        scores.insert(Metric::SpanRecall10, recall_within(&spans, DEPTH));
    }
    let fits_lines =
        |place: &Place, found: &Found| fits(place, found) && (!has_lines || overlaps(place, found));
    let is_right = |found: &Found| relevant.iter().any(|place| fits_lines(place, found));
    Judgement {
        scores,
        met: relevant
            .iter()
            .map(|place| {
                answer
                    .found
                    .iter()
                    .take(DEPTH)
                    .any(|found| fits(place, found))
            })
            .collect(),
        verdicts: answer
            .found
            .iter()
            .map(|found| {
                if is_right(found) {
                    Verdict::Right
                } else {
                    Verdict::Wrong
                }
            })
            .collect(),
    }
}

fn distinct_files(places: &[Place]) -> Vec<Place> {
    let mut seen = BTreeSet::new();
    places
        .iter()
        .filter(|place| seen.insert(place.file.clone()))
        .cloned()
        .collect()
}

/// For each relevant place the 0-based rank of the first result that meets it.
fn first_ranks(
    relevant: &[Place],
    found: &[Found],
    fits: impl Fn(&Place, &Found) -> bool,
) -> Vec<Option<usize>> {
    relevant
        .iter()
        .map(|place| found.iter().position(|found| fits(place, found)))
        .collect()
}

fn reciprocal(ranks: &[Option<usize>]) -> f64 {
    let best = ranks.iter().flatten().min();
    best.filter(|rank| **rank < DEPTH)
        .map_or(0.0, |rank| 1.0 / (*rank as f64 + 1.0))
}

fn recall_within(ranks: &[Option<usize>], depth: usize) -> f64 {
    let within = ranks.iter().flatten().filter(|rank| **rank < depth).count();
    if ranks.is_empty() {
        0.0
    } else {
        within as f64 / ranks.len() as f64
    }
}

fn discount(rank: usize) -> f64 {
    1.0 / (rank as f64 + 2.0).log2()
}

/// Rank metrics with binary gain; the ideal puts everything relevant first, ten at most.
fn rank_scores(ranks: &[Option<usize>]) -> Scores {
    let gain: f64 = ranks
        .iter()
        .flatten()
        .filter(|rank| **rank < DEPTH)
        .map(|rank| discount(*rank))
        .fold(0.0, |sum, gain| sum + gain);
    let ideal: f64 = (0..ranks.len().min(DEPTH)).map(discount).sum();
    let ndcg = if ideal == 0.0 { 0.0 } else { gain / ideal };
    let recall = recall_within(ranks, DEPTH);
    BTreeMap::from([
        (Metric::Mrr, reciprocal(ranks)),
        (Metric::Ndcg, ndcg),
        (Metric::Recall1, recall_within(ranks, 1)),
        (Metric::Recall5, recall_within(ranks, 5)),
        (Metric::Recall10, recall),
        (Metric::Recall, recall),
    ])
}

/// CKB's rule: names among the first results; a needle and a ranking pass with any, an expansion with
/// four fifths. For an expansion names are read off the graph's answer as well.
fn symbols(task: &Task, names: &[String], share: f64, top_k: u32, answer: &Answer) -> Judgement {
    let depth = top_k as usize;
    let is_named = |name: &str, found: &Found| {
        let symbol = found.symbol.as_deref().unwrap_or_default();
        symbol == name || last_part(symbol) == last_part(name)
    };
    let ranks: Vec<Option<usize>> = match task.category {
        Category::Expansion => names
            .iter()
            .map(|name| {
                answer
                    .names
                    .iter()
                    .position(|found| last_part(found) == last_part(name))
            })
            .collect(),
        _ => names
            .iter()
            .map(|name| answer.found.iter().position(|found| is_named(name, found)))
            .collect(),
    };
    let met: Vec<bool> = ranks
        .iter()
        .map(|rank| rank.is_some_and(|rank| rank < depth))
        .collect();
    let recall = recall_within(&ranks, depth);
    let passed = if share == 0.0 {
        recall > 0.0
    } else {
        recall >= share
    };
    let mut scores = rank_scores(&ranks);
    scores.insert(Metric::Recall, recall);
    scores.insert(Metric::Pass, f64::from(u8::from(passed)));
    let is_right = |found: &Found| names.iter().any(|name| is_named(name, found));
    Judgement {
        scores,
        met,
        verdicts: answer
            .found
            .iter()
            .map(|found| {
                if is_right(found) {
                    Verdict::Right
                } else {
                    Verdict::Wrong
                }
            })
            .collect(),
    }
}

/// The name at the end of a qualified one.
fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':', '#', '/']).next().unwrap_or(name)
}

/// Graded documents: gain 2^grade - 1 (Burges et al. 2005), as trec_eval's users of COIR have it with
/// grades of 1 this is binary.
fn documents(grades: &BTreeMap<String, u32>, answer: &Answer) -> Judgement {
    let gain = |grade: u32| f64::from(2_u32.saturating_pow(grade) - 1);
    let grade_of = |found: &Found| grades.get(&found.file).copied().unwrap_or(0);
    let got: f64 = answer
        .found
        .iter()
        .take(DEPTH)
        .enumerate()
        .map(|(rank, found)| gain(grade_of(found)) * discount(rank))
        .fold(0.0, |sum, gain| sum + gain);
    let mut best: Vec<u32> = grades.values().copied().collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    let ideal: f64 = best
        .iter()
        .take(DEPTH)
        .enumerate()
        .map(|(rank, grade)| gain(*grade) * discount(rank))
        .fold(0.0, |sum, gain| sum + gain);
    let relevant: Vec<&String> = grades
        .iter()
        .filter(|(_, grade)| **grade > 0)
        .map(|(id, _)| id)
        .collect();
    let ranks: Vec<Option<usize>> = relevant
        .iter()
        .map(|id| answer.found.iter().position(|found| &found.file == *id))
        .collect();
    let mut scores = rank_scores(&ranks);
    scores.insert(Metric::Ndcg, if ideal == 0.0 { 0.0 } else { got / ideal });
    Judgement {
        scores,
        met: grades
            .keys()
            .map(|id| {
                answer
                    .found
                    .iter()
                    .take(DEPTH)
                    .any(|found| &found.file == id)
            })
            .collect(),
        verdicts: answer
            .found
            .iter()
            .map(|found| {
                if grade_of(found) > 0 {
                    Verdict::Right
                } else {
                    Verdict::Wrong
                }
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests;
