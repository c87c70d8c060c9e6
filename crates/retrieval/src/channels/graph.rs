//! `graph`: what the symbol graph ties to the best candidates of the other channels, by personalised
//! PageRank.
//!
//! Each seed's file is walked from on its own, and what lies in that file does not count: where the
//! query's words stand is known already, so a file is found by what others of the topic have to do
//! with it. PageRank is linear in its seeds, so the walks add up to one from all of them.

use super::{RankedChunk, number};
use crate::search_index::{SearchIndex, SymbolGraph, SymbolRef};
use roaring::RoaringBitmap;
use std::collections::HashMap;
use std::time::Instant;
use whyrank_graph::{
    PushLimits, PushScratch, Relation, RelationGraph, RelationNode, RelationStep, SymbolId,
};
use whyrank_index::{ChunkRef, OwnFile, PoolOffset};
use whyrank_syntax::{Symbol, SymbolKind};

/// Hits that the channel gives to fusion at most.
const MAX_HITS: usize = 100;
/// Nodes that count of each walk.
const MAX_NODES: usize = 100;
/// Nodes that are looked up in chunks, of all walks together.
const MAX_MERGED: usize = 400;
/// What the members of a seed have together, against the seed's 1.
const MEMBERS: f32 = 0.5;
/// Steps of a way that are told.
const MAX_STEPS: usize = 4;

/// What the walks reached.
#[derive(Debug, Default)]
pub(crate) struct GraphWalk {
    /// The channel's list; the raw score is the PageRank.
    pub(crate) hits: Vec<RankedChunk>,
    /// How each hit was reached, in words.
    pub(crate) ways: HashMap<ChunkRef, String>,
    /// What was left out, in words.
    pub(crate) cut: Option<String>,
}

/// A node that a walk reached: PageRank so far, and the way on which most of it came.
struct ReachedNode {
    rank: f64,
    most: f32,
    way: Vec<u32>,
}

/// Walks from `seeds`, best first, one a file: each in the graph of its own repository. Walks that would
/// begin after `deadline` are left out.
pub(crate) fn graph(
    graphs: &[Option<&SymbolGraph>],
    index: &SearchIndex,
    seeds: &[ChunkRef],
    allowed: &RoaringBitmap,
    deadline: Instant,
) -> GraphWalk {
    let graphs = Graphs { graphs, index };
    let mut reached: HashMap<Node, ReachedNode> = HashMap::new();
    let mut limits = PushLimits::default();
    let mut cut = None;
    let weights: Vec<f32> = (1..=seeds.len())
        .map(|rank| 1.0 / (rank as f32).sqrt())
        .collect();
    let total: f32 = weights.iter().sum();
    for (n_walked, (seed, weight)) in seeds.iter().zip(&weights).enumerate() {
        if Instant::now() >= deadline {
            cut = Some(format!(
                "out of time after {n_walked} of {} seeds",
                seeds.len()
            ));
            break;
        }
        let Some(seed) = graphs.seed(*seed) else {
            continue;
        };
        let relations = &seed.graph.relations;
        let mut scratch = seed.graph.scratch();
        let share = weight / total;
        let own = PushLimits {
            epsilon: PushLimits::default().epsilon / share,
            ..limits
        };
        let outcome = relations.near(&teleport(&seed), own, &mut scratch);
        limits.max_edges -= outcome.n_edges;
        if outcome.cut {
            let most = PushLimits::default().max_edges;
            cut = Some(format!(
                "hubs were left out: {most} edges are walked at most"
            ));
        }
        let elsewhere = outcome
            .ranked
            .iter()
            .filter(|(node, _)| file_of(relations, *node).is_some_and(|file| file != seed.file));
        for (node, rank) in elsewhere.take(MAX_NODES) {
            let node = Node {
                part: seed.part,
                node: *node,
            };
            add(&mut reached, node, rank * share, &scratch);
        }
    }
    if graphs
        .graphs
        .iter()
        .flatten()
        .any(|graph| graph.met_damage())
    {
        return GraphWalk {
            cut: Some("the symbol graph is damaged; `whyrank index` builds it again".to_owned()),
            ..GraphWalk::default()
        };
    }
    collect(&graphs, &reached, allowed, cut)
}

/// A node of the graph of one of the repositories that are asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Node {
    part: usize,
    node: u32,
}

/// A chunk in its own repository, to walk from.
struct Seed<'a> {
    part: usize,
    index: &'a SearchIndex,
    graph: &'a SymbolGraph,
    file: OwnFile,
    /// Its index in the file's outline.
    chunk: u32,
}

/// The graphs of the repositories that are asked.
struct Graphs<'a> {
    graphs: &'a [Option<&'a SymbolGraph>],
    index: &'a SearchIndex,
}

impl<'a> Graphs<'a> {
    /// A chunk of the pool as its repository knows it, where that has a graph.
    fn seed(&self, place: ChunkRef) -> Option<Seed<'a>> {
        let (part, file) = self.index.locate_file(place.file);
        Some(Seed {
            part,
            index: self.part(part).0,
            graph: self.graphs.get(part).copied().flatten()?,
            file,
            chunk: place.chunk,
        })
    }

    /// The index of a repository, and its place in the pool.
    fn part(&self, at: usize) -> (&'a SearchIndex, PoolOffset) {
        match self.index.parts().get(at) {
            Some(part) => (&part.index, part.offset),
            None => (self.index, PoolOffset::default()),
        }
    }

    fn relations(&self, at: usize) -> Option<&'a RelationGraph> {
        let graph = self.graphs.get(at).copied().flatten();
        graph.map(|graph| &graph.relations)
    }

    /// The chunk of a node, as the pool numbers it.
    fn chunk_of(&self, Node { part, node }: Node) -> Option<ChunkRef> {
        let RelationNode::Definition(id) = self.relations(part)?.node(node)? else {
            return None;
        };
        let (index, offset) = self.part(part);
        let place = SymbolRef {
            file: id.file,
            symbol: id.symbol,
        };
        let chunk = index.chunk_of(place)?;
        Some(ChunkRef {
            file: offset.pooled_file(OwnFile(chunk.file)),
            ..chunk
        })
    }
}

fn add(reached: &mut HashMap<Node, ReachedNode>, node: Node, rank: f32, scratch: &PushScratch) {
    let entry = reached.entry(node).or_insert_with(|| ReachedNode {
        rank: 0.0,
        most: 0.0,
        way: Vec::new(),
    });
    entry.rank += f64::from(rank);
    if rank > entry.most {
        entry.most = rank;
        entry.way = scratch.path_to(node.node);
    }
}

fn file_of(relations: &RelationGraph, node: u32) -> Option<OwnFile> {
    Some(match relations.node(node)? {
        RelationNode::Definition(id) => OwnFile(id.file),
        RelationNode::File(file) => OwnFile(file),
    })
}

/// Nodes to chunks: a chunk has what its definitions have together.
fn collect(
    graphs: &Graphs<'_>,
    reached: &HashMap<Node, ReachedNode>,
    allowed: &RoaringBitmap,
    cut: Option<String>,
) -> GraphWalk {
    let mut nodes: Vec<Node> = reached.keys().copied().collect();
    // A whole order, so that sums and ties do not depend on the order of a map.
    let rank = |node: &Node| reached[node].rank;
    nodes.sort_unstable_by(|a, b| rank(b).total_cmp(&rank(a)).then(a.cmp(b)));
    nodes.truncate(MAX_MERGED);
    let mut shares: HashMap<ChunkRef, f64> = HashMap::new();
    let mut leaders: HashMap<ChunkRef, Node> = HashMap::new();
    for node in nodes {
        let Some(chunk) = graphs.chunk_of(node) else {
            continue;
        };
        *shares.entry(chunk).or_default() += reached[&node].rank;
        let leader = leaders.entry(chunk).or_insert(node);
        if reached[&node].rank > reached[leader].rank {
            *leader = node;
        }
    }
    let mut list: Vec<(ChunkRef, f64)> = shares
        .into_iter()
        .filter(|(chunk, _)| allowed.contains(graphs.index.view.chunk_id(*chunk)))
        .collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    list.truncate(MAX_HITS);
    let way = |(chunk, _): &(ChunkRef, f64)| {
        let leader = leaders[chunk];
        let (index, _) = graphs.part(leader.part);
        let told = tell(graphs.relations(leader.part)?, index, &reached[&leader].way);
        Some((*chunk, told?))
    };
    GraphWalk {
        ways: list.iter().filter_map(way).collect(),
        hits: number(list),
        cut,
    }
}

/// A way in words: ``from `Router.use` by call → `Layer.handle` ``.
fn tell(relations: &RelationGraph, index: &SearchIndex, way: &[u32]) -> Option<String> {
    let name = |node: RelationNode| match node {
        RelationNode::Definition(id) => {
            let place = SymbolRef {
                file: id.file,
                symbol: id.symbol,
            };
            format!("`{}`", index.symbol(place).qualified)
        }
        RelationNode::File(file) => index.view.files[file as usize].path.clone(),
    };
    let mut text = format!("from {}", name(relations.node(*way.first()?)?));
    let steps = way
        .windows(2)
        .filter_map(|pair| relations.step(pair[0], pair[1]));
    for (idx, step) in steps.enumerate() {
        if idx == MAX_STEPS {
            text += " → …";
            break;
        }
        text += &format!(" {} → {}", by(step), name(step.node));
    }
    Some(text)
}

fn by(step: RelationStep) -> &'static str {
    match (step.relation, step.is_backwards) {
        (Relation::Call, false) => "by call",
        (Relation::Call, true) => "by caller",
        (Relation::Member, false) => "by member",
        (Relation::Member, true) => "as member of",
        (Relation::Reference, false) => "by use",
        (Relation::Reference, true) => "by user",
        (Relation::Inherit, false) => "by base",
        (Relation::Inherit, true) => "by heir",
        (Relation::Type, false) => "by type",
        (Relation::Type, true) => "as type in",
        (Relation::Module, false) => "by content",
        (Relation::Module, true) => "in",
        (Relation::Import, false) => "by import",
        (Relation::Import, true) => "by importer",
    }
}

/// A seed with what belongs to it: a type brings its members, a field the functions of its type.
fn teleport(seed: &Seed<'_>) -> Vec<(u32, f32)> {
    let (relations, OwnFile(file)) = (&seed.graph.relations, seed.file);
    let outline = &seed.index.view.files[file as usize].outline();
    let Some(symbol) = outline.chunks[seed.chunk as usize].symbol else {
        let node = relations.index(RelationNode::File(file));
        return node.map(|node| (node, 1.0)).into_iter().collect();
    };
    let members = companions(&outline.symbols, symbol);
    let share = MEMBERS / members.len().max(1) as f32;
    let weighted = std::iter::once((symbol, 1.0)).chain(members.into_iter().map(|at| (at, share)));
    weighted
        .filter_map(|(symbol, weight)| {
            let id = SymbolId { file, symbol };
            Some((relations.index(RelationNode::Definition(id))?, weight))
        })
        .collect()
}

fn companions(symbols: &[Symbol], at: u32) -> Vec<u32> {
    use SymbolKind::{
        Class, Constructor, Enum, EnumMember, Field, Function, Impl, Interface, Method, Property,
        Struct, Trait,
    };
    let Some(symbol) = symbols.get(at as usize) else {
        return Vec::new();
    };
    let (owner, only_functions) = match symbol.kind {
        Class | Struct | Enum | Trait | Interface | Impl => (Some(at), false),
        Field | EnumMember | Property => (symbol.parent, true),
        _ => (None, false),
    };
    let Some(owner) = owner else {
        return Vec::new();
    };
    // Rust has the functions of a type in blocks of their own.
    let is_owner = |parent: u32| {
        let block = &symbols[parent as usize];
        parent == owner || (block.kind == Impl && block.name == symbols[owner as usize].name)
    };
    let acts = |kind| matches!(kind, Method | Function | Constructor);
    let members = (0u32..).zip(symbols).filter(|(other, member)| {
        *other != at
            && member.parent.is_some_and(is_owner)
            && (!only_functions || acts(member.kind))
    });
    members.map(|(other, _)| other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_syntax::{Language, analyze};

    fn check(language: &str, text: &str, name: &str, expected: &[&str]) {
        let symbols = analyze(text, Language::from_name(language).unwrap()).symbols;
        let at = symbols.iter().position(|symbol| symbol.name == name);
        let found = companions(&symbols, at.unwrap() as u32);
        let names: Vec<&str> = found
            .iter()
            .map(|at| symbols[*at as usize].name.as_str())
            .collect();
        assert_eq!(names, expected, "{name}");
    }

    #[test]
    fn a_field_brings_the_functions_of_its_type_and_a_type_its_members() {
        let java = "class Cart {\n  int total;\n  void add() {}\n  void clear() {}\n}\nclass Other { void not() {} }\n";
        check("java", java, "total", &["add", "clear"]);
        check("java", java, "Cart", &["total", "add", "clear"]);
        check("java", java, "add", &[]);
        let rust = "struct Cart { total: u32 }\nimpl Cart { fn add(&self) {} }\nimpl Other { fn not(&self) {} }\n";
        check("rust", rust, "total", &["add"]);
        check("rust", rust, "Cart", &["total", "add"]);
    }
}
