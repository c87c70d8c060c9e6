//! Circles of files: files of one crate that all lead to one another. To read one of them means to
//! read all, so their number only falls.
//!
//! An edge leads from a file to the one that defines an item which it names. Re-exports are followed
//! and are no edges themselves; code for tests is left out. Methods are not looked up: a type whose
//! methods are spread over several files makes no edges by that alone.

mod modules;
mod tokens;

use modules::{Crate, root};
use petgraph::{algo::tarjan_scc, graph::DiGraph};

const MAX_CIRCLES: usize = 47;
const MAX_FILES: usize = 29;

#[test]
fn files_lead_to_one_another_in_few_small_circles() {
    let mut crates: Vec<_> = std::fs::read_dir(root().join("crates"))
        .expect("the crates")
        .map(|entry| entry.expect("a crate").path())
        .collect();
    crates.sort();
    let circles: Vec<Vec<String>> = crates
        .iter()
        .flat_map(|path| circles(&Crate::read(path)))
        .collect();
    let listed: Vec<String> = circles.iter().map(|files| files.join("\n  ")).collect();
    let listed = listed.join("\n\n");
    println!("{listed}");
    let largest = circles.iter().map(Vec::len).max().unwrap_or(0);
    assert!(
        circles.len() <= MAX_CIRCLES,
        "{} circles:\n{listed}",
        circles.len()
    );
    assert!(
        largest <= MAX_FILES,
        "a circle of {largest} files:\n{listed}"
    );
}

/// The files of each circle, with the edges within it.
fn circles(source: &Crate) -> Vec<Vec<String>> {
    let edges = source.edges();
    let graph = DiGraph::<(), ()>::from_edges(edges.keys());
    let mut circles: Vec<Vec<String>> = tarjan_scc(&graph)
        .into_iter()
        .map(|circle| {
            circle
                .iter()
                .map(|node| node.index() as u32)
                .collect::<Vec<_>>()
        })
        .filter(|circle| circle.len() > 1)
        .map(|circle| {
            let within = edges
                .iter()
                .filter(|((from, to), _)| circle.contains(from) && circle.contains(to));
            let edges = within.map(|((from, to), names)| {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                format!(
                    "{} -> {}: {}",
                    source.file(*from),
                    source.file(*to),
                    names.join(", ")
                )
            });
            let mut lines: Vec<String> = circle.iter().map(|file| source.file(*file)).collect();
            lines.sort();
            lines.extend(edges);
            lines
        })
        .collect();
    circles.sort();
    circles
}
