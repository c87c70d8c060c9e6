//! Which new files are files that went, under another path: by content, then by name, then by likeness.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use whyrank_source::BlobId;

/// So much of two files of the same name must be alike, and of any others, as git has it.
const SAME_NAME: f64 = 0.3;
const LEAST_LIKENESS: f64 = 0.5;
/// Pairs of files that are compared line by line; where more went and came, nobody reads the review.
const MAX_PAIRS: usize = 100_000;

/// A file that was not there before.
pub(super) struct NewFile<'a> {
    pub(super) file: u32,
    pub(super) path: &'a str,
    pub(super) blob: BlobId,
}

/// For each new file that lay at a path that went, the place of that in `gone`. Each went to one file at
/// most.
pub(super) fn renames(
    gone: &[(&str, BlobId)],
    new: &[NewFile<'_>],
    old_text: &dyn Fn(usize) -> String,
    new_text: &dyn Fn(u32) -> String,
) -> BTreeMap<u32, usize> {
    let mut found = Matches::default();
    for same_name in [true, false] {
        for one in new {
            let is_it = |(path, blob): &(&str, BlobId)| {
                *blob == one.blob && (!same_name || name(path) == name(one.path))
            };
            let at = (0..gone.len()).find(|at| !found.taken.contains(at) && is_it(&gone[*at]));
            if let Some(at) = at.filter(|_| !found.by_file.contains_key(&one.file)) {
                found.add(one.file, at);
            }
        }
    }
    let left: Vec<usize> = (0..gone.len())
        .filter(|at| !found.taken.contains(at))
        .collect();
    let came = new
        .iter()
        .filter(|one| !found.by_file.contains_key(&one.file));
    let came: Vec<&NewFile<'_>> = came.collect();
    if left.len() * came.len() > MAX_PAIRS {
        return found.by_file;
    }
    let mut olds: Vec<(usize, Lines)> = Vec::new();
    for at in left.into_iter().filter(|_| !came.is_empty()) {
        olds.push((at, Lines::of(&old_text(at))));
    }
    let mut pairs: Vec<(bool, f64, u32, usize)> = Vec::new();
    for one in came.into_iter().filter(|_| !olds.is_empty()) {
        let lines = Lines::of(&new_text(one.file));
        for (at, old) in &olds {
            let is_named_so = name(gone[*at].0) == name(one.path);
            let likeness = lines.likeness(old);
            let least = if is_named_so {
                SAME_NAME
            } else {
                LEAST_LIKENESS
            };
            if likeness >= least {
                pairs.push((is_named_so, likeness, one.file, *at));
            }
        }
    }
    pairs.sort_by(|a, b| {
        b.1.total_cmp(&a.1)
            .then(b.0.cmp(&a.0))
            .then((a.2, a.3).cmp(&(b.2, b.3)))
    });
    for (_, _, file, at) in pairs {
        if !found.taken.contains(&at) && !found.by_file.contains_key(&file) {
            found.add(file, at);
        }
    }
    found.by_file
}

#[derive(Default)]
struct Matches {
    by_file: BTreeMap<u32, usize>,
    taken: BTreeSet<usize>,
}

impl Matches {
    fn add(&mut self, file: u32, at: usize) {
        self.by_file.insert(file, at);
        self.taken.insert(at);
    }
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The lines of a text that say something, counted.
pub(super) struct Lines {
    counts: HashMap<String, u32>,
    n: u32,
}

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        let mut counts: HashMap<String, u32> = HashMap::new();
        let telling = text.lines().map(str::trim);
        let telling = telling.filter(|line| line.chars().any(char::is_alphanumeric));
        let mut n = 0;
        for line in telling {
            *counts.entry(line.to_owned()).or_default() += 1;
            n += 1;
        }
        Self { counts, n }
    }

    /// Lines that say something.
    pub(super) fn n(&self) -> u32 {
        self.n
    }

    /// The share of lines that two texts have in common (Dice).
    pub(super) fn likeness(&self, other: &Self) -> f64 {
        let common = self.counts.iter().map(|(line, n)| {
            let others = other.counts.get(line).copied().unwrap_or_default();
            others.min(*n)
        });
        f64::from(2 * common.sum::<u32>()) / f64::from((self.n + other.n).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(gone: &[(&str, &str)], new: &[(&str, &str)], expected: &[(u32, usize)]) {
        let blob = |text: &str| {
            let mut id = [0; 20];
            for (at, byte) in text.bytes().enumerate() {
                id[at % 20] ^= byte.rotate_left(at as u32 / 20);
            }
            BlobId(id)
        };
        let olds: Vec<(&str, BlobId)> = gone
            .iter()
            .map(|(path, text)| (*path, blob(text)))
            .collect();
        let news: Vec<NewFile<'_>> = (0u32..)
            .zip(new)
            .map(|(file, (path, text))| NewFile {
                file,
                path,
                blob: blob(text),
            })
            .collect();
        let old_text = |at: usize| gone[at].1.to_owned();
        let new_text = |file: u32| new[file as usize].1.to_owned();
        let found = renames(&olds, &news, &old_text, &new_text);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn files_are_found_by_content_name_and_likeness() {
        let (one, two) = ("one\ntwo\nthree\nfour\n", "five\nsix\nseven\neight\n");
        let edited = "one\ntwo\nthree\nnine\n";
        check(&[("a.py", one), ("b.py", two)], &[("c.py", two)], &[(0, 1)]);
        check(
            &[("a.py", one), ("b.py", two)],
            &[("c.py", edited)],
            &[(0, 0)],
        );
        check(
            &[("x/a.py", one)],
            &[("y/a.py", "one\ntwo\nz\n")],
            &[(0, 0)],
        );
        check(&[("a.py", one)], &[("c.py", two)], &[]);
        // Copies of one file: one is it.
        check(
            &[("a.py", one)],
            &[("c.py", one), ("d/a.py", one)],
            &[(1, 0)],
        );
    }
}
