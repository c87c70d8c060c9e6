//! Near-identical files: mirrors, generated trees, vendored twins. The one that the program imports
//! stands first, and the others are named with it.

use crate::evidence::Scored;
use crate::search_index::SearchIndex;
use crate::terms::Evidence;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use whyrank_index::{View, ViewFile};
use whyrank_syntax::Symbol;

/// Files of an answer that are compared.
const MAX_FILES: usize = 30;
/// Definitions that a file must have for its names to tell.
const MIN_SYMBOLS: usize = 3;
/// Share of both files' definitions that twins have in common.
const MIN_SHARED: f64 = 0.8;
/// What keeps a copy behind its original.
const BEHIND: f64 = 0.99;

/// Puts files behind their twins that more of the program imports. `ranked` best first; the order has to
/// be rebuilt afterwards. Says whether anything changed.
pub(crate) fn put_copies_behind(ranked: &mut [Scored], index: &SearchIndex) -> bool {
    let best = best_of_files(ranked);
    let mut factors: HashMap<u32, (f64, u32)> = HashMap::new();
    for (at, (copy, score)) in best.iter().enumerate() {
        for (original, below) in &best[at + 1..] {
            let is_better = are_twins(index, *copy, *original)
                && is_imported_more(&index.view, *original, *copy);
            if is_better && *below > 0.0 {
                let factor = BEHIND * below / score;
                let known = factors.entry(*copy).or_insert((factor, *original));
                known.0 = known.0.min(factor);
            }
        }
    }
    for row in ranked.iter_mut() {
        if let Some((factor, original)) = factors.get(&row.fused.place.file) {
            let path = &index.view.files[*original as usize].path;
            let term = Evidence {
                words: Vec::new(),
                name: "copy".to_owned(),
                contribution: (factor - 1.0) * row.score,
                reason: format!(
                    "near-identical to {path}, which more of the program imports: ranks behind it"
                ),
            };
            row.score += term.contribution;
            row.evidence.push(term);
        }
    }
    !factors.is_empty()
}

/// Files of an answer that say the same as one before them, by that one; in their order.
pub(crate) fn copies(ranked: &[Scored], index: &SearchIndex) -> HashMap<u32, Vec<u32>> {
    let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut originals: Vec<u32> = Vec::new();
    for (file, _) in best_of_files(ranked) {
        let mut known = originals.iter().copied();
        match known.find(|original| is_copy(index, file, *original)) {
            Some(original) => copies.entry(original).or_default().push(file),
            None => originals.push(file),
        }
    }
    copies
}

/// Whether two files of one name have the same definitions of the same lengths: not only the same
/// interface, as the code for two systems has.
fn is_copy(index: &SearchIndex, one: u32, other: u32) -> bool {
    let repository = |file| index.part_of(file).map(|part| &part.name);
    let heads = |file: &ViewFile| -> HashSet<(String, String, u32)> {
        let symbols = file.outline().symbols.iter();
        let head = |symbol: &Symbol| {
            let n_lines = symbol.span.end_line - symbol.span.start_line;
            (symbol.qualified.clone(), symbol.signature.clone(), n_lines)
        };
        symbols.map(head).collect()
    };
    repository(one) == repository(other) && share_most(&index.view, (one, other), heads)
}

/// The best files with the score of their best chunk, best first.
fn best_of_files(ranked: &[Scored]) -> Vec<(u32, f64)> {
    let mut seen = HashSet::new();
    let firsts = ranked
        .iter()
        .filter(|row| seen.insert(row.fused.place.file));
    let best = firsts.map(|row| (row.fused.place.file, row.score));
    best.take_while(|(_, score)| *score > 0.0)
        .take(MAX_FILES)
        .collect()
}

/// Whether two files of one name define nearly the same.
fn are_twins(index: &SearchIndex, one: u32, other: u32) -> bool {
    let names = |file: &ViewFile| -> HashSet<String> {
        let symbols = file.outline().symbols.iter();
        symbols.map(|symbol| symbol.qualified.clone()).collect()
    };
    share_most(&index.view, (one, other), names)
}

/// Whether two files of one name have nearly all in common that `of` says about each.
fn share_most<T: Eq + Hash>(
    view: &View,
    (one, other): (u32, u32),
    of: impl Fn(&ViewFile) -> HashSet<T>,
) -> bool {
    let (one, other) = (&view.files[one as usize], &view.files[other as usize]);
    if stem(&one.path) != stem(&other.path) {
        return false;
    }
    if one.blob == other.blob {
        return true;
    }
    let (one, other) = (of(one), of(other));
    let n_shared = one.intersection(&other).count();
    let n_most = one.len().max(other.len());
    n_most >= MIN_SYMBOLS && n_shared as f64 >= MIN_SHARED * n_most as f64
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// Imports of the trees that the two lie in, from outside both; where these are even, of the files.
fn is_imported_more(view: &View, one: u32, other: u32) -> bool {
    let path = |file: u32| view.files[file as usize].path.as_str();
    let trees = trees(path(one), path(other));
    let imports = |tree: &str| n_imports(view, tree, trees);
    let of_file = |file: u32| view.graph.imports.importers(file).len();
    let (ours, theirs) = (imports(trees.0), imports(trees.1));
    (ours, of_file(one)) > (theirs, of_file(other))
}

/// The folders in which two paths part, seen from their ends: `src` and `deno/lib` of `src/a/b.ts` and
/// `deno/lib/a/b.ts`.
fn trees<'a>(one: &'a str, other: &'a str) -> (&'a str, &'a str) {
    let folder = |path: &'a str| path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut one, mut other) = (folder(one), folder(other));
    loop {
        let last = |path: &'a str| path.rsplit('/').next().unwrap_or(path);
        if one.is_empty() || other.is_empty() || last(one) != last(other) {
            return (one, other);
        }
        (one, other) = (folder(one), folder(other));
    }
}

/// Imports that lead into a tree from files outside both.
fn n_imports(view: &View, tree: &str, trees: (&str, &str)) -> usize {
    let is_outside = |path: &str| !is_below(path, trees.0) && !is_below(path, trees.1);
    let first = view.files.partition_point(|file| file.path.as_str() < tree);
    let files = (first as u32..).zip(&view.files[first..]);
    let inside = files
        .take_while(|(_, file)| file.path.starts_with(tree))
        .filter(|(_, file)| is_below(&file.path, tree));
    let importers = inside.flat_map(|(file, _)| view.graph.imports.importers(file));
    importers
        .filter(|(file, _)| is_outside(&view.files[*file as usize].path))
        .count()
}

fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| !folder.is_empty() && rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_what_two_paths_do_not_share_at_their_ends() {
        assert_eq!(trees("src/a/b.ts", "deno/lib/a/b.ts"), ("src", "deno/lib"));
        assert_eq!(trees("b.ts", "lib/b.js"), ("", "lib"));
        assert_eq!(trees("x/b.ts", "y/x/b.ts"), ("", "y"));
    }
}
