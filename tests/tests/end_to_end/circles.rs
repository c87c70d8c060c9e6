//! Circles of files: files of one crate that all lead to one another. To read one of them means to
//! read all, so their number only falls.
//!
//! An edge leads from a file to the one that defines an item which it names. Re-exports are followed
//! and are no edges themselves; code for tests is left out. Methods are not looked up: a type whose
//! methods are spread over several files makes no edges by that alone.

pub(crate) mod modules;
pub(crate) mod tokens;

use modules::{Crate, root};
use petgraph::{algo::tarjan_scc, graph::DiGraph};

/// Bounds that only fall.
const MAX_CIRCLES: usize = 1;
const MAX_FILES: usize = 4;

struct Circle {
    files: Vec<String>,
    /// Which file leads to which by what names, for whoever has to cut one.
    edges: Vec<String>,
}

#[test]
fn files_lead_to_one_another_in_few_small_circles() {
    let mut crates: Vec<_> = std::fs::read_dir(root().join("crates"))
        .expect("the crates")
        .map(|entry| entry.expect("a crate").path())
        .collect();
    crates.sort();
    let circles: Vec<Circle> = crates
        .iter()
        .flat_map(|path| circles(&Crate::read(path)))
        .collect();
    let shown = |circle: &Circle| [&circle.files[..], &circle.edges].concat().join("\n  ");
    let listed: Vec<String> = circles.iter().map(shown).collect();
    let listed = listed.join("\n\n");
    println!("{listed}");
    let sizes = circles.iter().map(|circle| circle.files.len());
    let (n_circles, largest) = (circles.len(), sizes.max().unwrap_or(0));
    assert!(n_circles <= MAX_CIRCLES, "{n_circles} circles:\n{listed}");
    assert!(
        largest <= MAX_FILES,
        "a circle of {largest} files:\n{listed}"
    );
}

fn circles(source: &Crate) -> Vec<Circle> {
    let edges = source.edges();
    let graph = DiGraph::<(), ()>::from_edges(edges.keys());
    let mut circles: Vec<Circle> = tarjan_scc(&graph)
        .into_iter()
        .filter(|circle| circle.len() > 1)
        .map(|circle| {
            let circle: Vec<u32> = circle.iter().map(|node| node.index() as u32).collect();
            let mut files: Vec<String> = circle.iter().map(|file| source.file(*file)).collect();
            files.sort();
            let within = edges
                .iter()
                .filter(|((from, to), _)| circle.contains(from) && circle.contains(to));
            let edges = within.map(|((from, to), names)| {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let names = names.join(", ");
                format!("{} -> {}: {names}", source.file(*from), source.file(*to))
            });
            let edges = edges.collect();
            Circle { files, edges }
        })
        .collect();
    circles.sort_by(|a, b| a.files.cmp(&b.files));
    circles
}
