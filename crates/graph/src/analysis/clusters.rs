//! Nodes that are not shown one by one, by file or folder.

use std::collections::{BTreeMap, HashSet};

use crate::{input::paths, references::neighbours::Node};

/// Clusters of one side and distance at most.
const MAX_CLUSTERS: usize = 12;
/// A cluster of so few would save nothing.
const MIN_HIDDEN: usize = 3;
/// Nodes that opening a cluster shows.
const N_OPENED: usize = 100;

/// Where a node lies, seen from the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The focus itself.
    Focus,
    /// It uses the focus, directly or through others.
    Callers,
    /// The focus uses it, directly or through others.
    Callees,
    /// It was changed together with the focus.
    CoChange,
}

/// Nodes of one side and distance below one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The same for every request: `callers:2:src/http`, with `~2` for what opening it left.
    pub id: String,
    /// File or folder; empty for the whole repository.
    pub path: String,
    /// Where they lie.
    pub side: Side,
    /// Steps to the focus.
    pub distance: u32,
    /// The nodes, best first.
    pub members: Vec<Node>,
}

/// What a level hides, and what of it was opened.
#[derive(Default)]
pub(crate) struct Hidden {
    pub(crate) opened: Vec<Node>,
    pub(crate) clusters: Vec<Cluster>,
}

impl Hidden {
    /// `nodes` best first.
    pub(crate) fn new(
        nodes: &[Node],
        side: Side,
        distance: u32,
        path: &dyn Fn(Node) -> String,
        expanded: &HashSet<String>,
    ) -> Self {
        let mut hidden = Self::default();
        for (path, members) in grouped(nodes, path) {
            let mut rest = members.as_slice();
            for page in 1.. {
                let id = match page {
                    1 => format!("{}:{distance}:{path}", side_name(side)),
                    page => format!("{}:{distance}:{path}~{page}", side_name(side)),
                };
                if rest.len() < MIN_HIDDEN {
                    hidden.opened.extend(rest);
                    break;
                }
                if !expanded.contains(&id) {
                    let members = rest.to_vec();
                    hidden.clusters.push(Cluster {
                        id,
                        path,
                        side,
                        distance,
                        members,
                    });
                    break;
                }
                let (opened, left) = rest.split_at(N_OPENED.min(rest.len()));
                hidden.opened.extend(opened);
                rest = left;
            }
        }
        hidden
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Focus => "focus",
        Side::Callers => "callers",
        Side::Callees => "callees",
        Side::CoChange => "co-change",
    }
}

/// By file where these are few, else by folders as deep as leave few enough; small ones are joined.
fn grouped(nodes: &[Node], path: &dyn Fn(Node) -> String) -> BTreeMap<String, Vec<Node>> {
    let by = |key: &dyn Fn(&str) -> String| {
        let mut groups: BTreeMap<String, Vec<Node>> = BTreeMap::new();
        for node in nodes {
            groups.entry(key(&path(*node))).or_default().push(*node);
        }
        groups
    };
    let mut groups = by(&str::to_owned);
    let deepest = groups.keys().map(|path| path.matches('/').count()).max();
    for depth in (1..=deepest.unwrap_or(0)).rev() {
        if groups.len() <= MAX_CLUSTERS {
            break;
        }
        groups = by(&|path| folder(path, depth));
    }
    let mut sizes: Vec<(usize, String)> = groups
        .iter()
        .map(|(path, members)| (members.len(), path.clone()))
        .collect();
    sizes.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    for (_, path) in sizes.into_iter().skip(MAX_CLUSTERS - 1) {
        if groups.len() <= MAX_CLUSTERS {
            break;
        }
        let members = groups.remove(&path).unwrap_or_default();
        groups.entry(String::new()).or_default().extend(members);
    }
    groups
}

/// The first `depth` folders of a file's path.
fn folder(path: &str, depth: usize) -> String {
    let folders = paths::parent(path);
    match folders.match_indices('/').nth(depth - 1) {
        Some((at, _)) => folders[..at].to_owned(),
        None => folders.to_owned(),
    }
}
