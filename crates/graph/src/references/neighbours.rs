//! Who uses a definition or a file and what it uses, each neighbour once for each kind of edge.
//!
//! What a use means is answered by [`ReferenceQuery`]; an edge seen from its user and one seen from what is
//! used are the same edge.

use parking_lot::Mutex;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use whyrank_syntax::{ReferenceKind, SymbolKind};

use crate::{
    imports::import_graph::ImportGraph,
    input::{files::SymbolId, test_code::in_test_module},
    references::{
        find_references::{Confidence, ReferenceHit},
        reference_query::{ReferenceQuery, is_naming},
        uses::{Target, UseEdge},
    },
};

/// A name that more definitions bear than this leads nowhere by itself.
const MAX_NAMESAKES: usize = 8;
/// Links kept for the next question; at 32 bytes each a cache stays below 64 MB.
const MAX_CACHED: usize = 2_000_000;

/// A definition or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// A definition.
    Symbol(SymbolId),
    /// A file: what lies outside of definitions, or all of it among files.
    File(u32),
}

impl Node {
    /// Returns the index of the file that it is or lies in.
    pub fn file(self) -> u32 {
        match self {
            Self::Symbol(id) => id.file,
            Self::File(file) => file,
        }
    }
}

/// What an edge says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EdgeKind {
    /// Calls it, or decorates with it.
    Call,
    /// Imports it, or passes it on.
    Import,
    /// Inherits from it or implements it.
    Inherit,
    /// Names it as a type.
    Type,
    /// Reads or writes it.
    Reference,
    /// Any of these, from a test, example or benchmark.
    Test,
    /// Was changed in the same commits.
    CoChange,
}

/// An edge from one end: the node at the other end and what is between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The other end.
    pub node: Node,
    /// What the edge says.
    pub kind: EdgeKind,
    /// Lines with uses.
    pub count: u32,
    /// The surest of them.
    pub confidence: Confidence,
    /// Line of the first, in the file of the user.
    pub line: u32,
}

/// Links worked out before, to be kept with the view that they are of.
#[derive(Debug, Default)]
pub struct NeighbourCache {
    known: Mutex<NeighbourMap>,
}

/// Links by node and way, and how many they are.
type NeighbourMap = (HashMap<(Node, Direction), Arc<[Neighbour]>>, usize);

/// Which links of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Direction {
    Incoming,
    Outgoing,
}

/// What the nodes of a file may use; [`Neighbours::incoming`] of each has the last word.
type Candidates = HashMap<Node, BTreeSet<Node>>;

/// A view's links, worked out when asked for.
pub struct Neighbours<'u, 'a> {
    pub(crate) uses: &'u ReferenceQuery<'a>,
    imports: &'u ImportGraph,
    is_test: &'u dyn Fn(u32) -> bool,
    known: &'u NeighbourCache,
    canonical: RefCell<HashMap<SymbolId, SymbolId>>,
    candidates: RefCell<HashMap<u32, Arc<Candidates>>>,
}

impl<'u, 'a> Neighbours<'u, 'a> {
    /// Makes it for a view; `known` must have been filled from the same one.
    pub fn new(
        uses: &'u ReferenceQuery<'a>,
        imports: &'u ImportGraph,
        is_test: &'u dyn Fn(u32) -> bool,
        known: &'u NeighbourCache,
    ) -> Self {
        Self {
            uses,
            imports,
            is_test,
            known,
            canonical: RefCell::default(),
            candidates: RefCell::default(),
        }
    }

    /// Says whether a node lies in a test, example or benchmark.
    pub fn is_test(&self, node: Node) -> bool {
        let Node::Symbol(id) = node else {
            return (self.is_test)(node.file());
        };
        let symbols = self.uses.resolver.files[id.file as usize].symbols();
        (self.is_test)(id.file) || in_test_module(symbols, id.symbol)
    }

    /// Returns the path of a node's file.
    pub fn path(&self, node: Node) -> &'a str {
        self.uses.resolver.files[node.file() as usize].path
    }

    /// Path and line.
    pub(crate) fn place(&self, node: Node) -> (&'a str, u32) {
        let line = match node {
            Node::Symbol(id) => self.uses.resolver.symbol(id).name_line,
            Node::File(_) => 0,
        };
        (self.path(node), line)
    }

    /// Returns the node that represents a definition: the one with the body, and the type of an
    /// `impl`.
    pub fn node_of(&self, id: SymbolId) -> Node {
        Node::Symbol(self.canonical(id))
    }

    fn canonical(&self, id: SymbolId) -> SymbolId {
        if let Some(known) = self.canonical.borrow().get(&id) {
            return *known;
        }
        let resolver = &self.uses.resolver;
        let symbol = resolver.symbol(id);
        let of = match (symbol.kind, resolver.parent(id)) {
            (SymbolKind::Field | SymbolKind::EnumMember | SymbolKind::Property, Some(parent))
                if resolver.symbol(parent).kind.has_members() =>
            {
                parent
            }
            _ => id,
        };
        let mut same = self.uses.same(of);
        if resolver.symbol(of).kind == SymbolKind::Impl {
            same.extend(self.type_of_impl(of));
        }
        let best = same.into_iter().min_by_key(|other| {
            let symbol = resolver.symbol(*other);
            let n_lines = symbol.span.end_line.saturating_sub(symbol.span.start_line);
            let is_far = other.file != of.file;
            (
                symbol.kind == SymbolKind::Impl,
                is_far,
                std::cmp::Reverse(n_lines),
                *other,
            )
        });
        let best = best.unwrap_or(of);
        self.canonical.borrow_mut().insert(id, best);
        best
    }

    /// The type of an `impl` block, where its file or the whole view has just one of that name.
    fn type_of_impl(&self, block: SymbolId) -> Option<SymbolId> {
        let resolver = &self.uses.resolver;
        let named = resolver.table.named(&resolver.symbol(block).name).iter();
        let types = named.copied().filter(|other| {
            let kind = resolver.symbol(*other).kind;
            kind.has_members() && kind != SymbolKind::Impl
        });
        let types: Vec<SymbolId> = types.collect();
        let here = types.iter().find(|other| other.file == block.file);
        match (here, types.as_slice()) {
            (Some(here), _) => Some(*here),
            (None, [only]) => Some(*only),
            _ => None,
        }
    }

    /// The definitions inside a type, and in the `impl` blocks of its file.
    pub(crate) fn members(&self, node: Node) -> Vec<Node> {
        let Node::Symbol(id) = node else {
            return Vec::new();
        };
        let resolver = &self.uses.resolver;
        if !resolver.symbol(id).kind.has_members() {
            return Vec::new();
        }
        let symbols = resolver.files[id.file as usize].symbols();
        let members = (0u32..).zip(symbols).filter_map(|(symbol, member)| {
            let file = id.file;
            let parent = member.parent.map(|symbol| SymbolId { file, symbol })?;
            (self.canonical(parent) == id).then_some(SymbolId { file, symbol })
        });
        let nodes: BTreeSet<Node> = members.map(|member| self.node_of(member)).collect();
        nodes.into_iter().filter(|member| *member != node).collect()
    }

    /// Says who uses a node, by node and kind. A file is used by the files that import it or use
    /// what it defines.
    pub fn incoming(&self, node: Node) -> Arc<[Neighbour]> {
        self.known(node, Direction::Incoming, || match node {
            Node::Symbol(id) => self.users_of_symbol(id),
            Node::File(file) => self.users_of_file(file),
        })
    }

    /// Returns what a node uses, by node and kind; a type uses what its members use.
    pub fn outgoing(&self, node: Node) -> Arc<[Neighbour]> {
        self.known(node, Direction::Outgoing, || match node {
            Node::Symbol(_) => self.used_by_symbol(node),
            Node::File(file) => self.used_by_file(file),
        })
    }

    fn known(
        &self,
        node: Node,
        direction: Direction,
        work_out: impl FnOnce() -> Vec<Neighbour>,
    ) -> Arc<[Neighbour]> {
        let key = (node, direction);
        let lock = || self.known.known.lock();
        if let Some(links) = lock().0.get(&key) {
            return Arc::clone(links);
        }
        let links: Arc<[Neighbour]> = work_out().into();
        let mut known = lock();
        known.1 += links.len() + 1;
        if known.1 > MAX_CACHED {
            *known = (HashMap::new(), links.len() + 1);
        }
        known.0.insert(key, Arc::clone(&links));
        links
    }

    fn users_of_symbol(&self, id: SymbolId) -> Vec<Neighbour> {
        let same = self.uses.same(id);
        let mut hits = self.uses.all(&[id]);
        hits.retain(|hit| hit.kind != ReferenceKind::Mention);
        let is_sure = |hit: &ReferenceHit| hit.confidence != Confidence::Ambiguous;
        if hits.iter().any(is_sure) {
            hits.retain(is_sure);
        }
        let is_type = self.uses.resolver.symbol(id).kind.has_members();
        if is_type {
            // What a type does with itself is no news, and the head of its `impl` is a part of it.
            hits.retain(|hit| !self.uses.lies_in(hit, &same));
            hits.retain(|hit| {
                let block = self.uses.impl_at(hit);
                block.is_none_or(|block| self.canonical(block) != id)
            });
        }
        // A file that imports a name and uses it is told by its uses.
        let is_use = |hit: &&ReferenceHit| !is_naming(hit.kind);
        let using: HashSet<u32> = hits.iter().filter(is_use).map(|hit| hit.file).collect();
        hits.retain(|hit| !is_naming(hit.kind) || !using.contains(&hit.file));
        let mut gathered = Gathered::default();
        for hit in &hits {
            let user = self.user(hit.file, hit.enclosing.map(|id| id.symbol));
            gathered.add(
                user,
                self.kind(user, hit.kind),
                Uses::one(hit.confidence, hit.line),
            );
        }
        gathered.links()
    }

    /// The node that code of a file lies in.
    fn user(&self, file: u32, enclosing: Option<u32>) -> Node {
        match enclosing {
            Some(symbol) => self.node_of(SymbolId { file, symbol }),
            None => Node::File(file),
        }
    }

    fn kind(&self, user: Node, kind: ReferenceKind) -> EdgeKind {
        if self.is_test(user) {
            return EdgeKind::Test;
        }
        match kind {
            ReferenceKind::Call | ReferenceKind::Decorator => EdgeKind::Call,
            ReferenceKind::Inherit => EdgeKind::Inherit,
            ReferenceKind::Type => EdgeKind::Type,
            ReferenceKind::Import | ReferenceKind::ReExport => EdgeKind::Import,
            ReferenceKind::Read | ReferenceKind::Write | ReferenceKind::Mention => {
                EdgeKind::Reference
            }
        }
    }

    fn users_of_file(&self, file: u32) -> Vec<Neighbour> {
        let mut gathered = Gathered::default();
        for (importer, line) in self.imports.importers(file) {
            let user = Node::File(*importer);
            let kind = self.kind(user, ReferenceKind::Import);
            gathered.add(user, kind, Uses::one(Confidence::Resolved, *line));
        }
        for definition in self.definitions(file) {
            for link in self.incoming(definition).iter() {
                let other = link.node.file();
                if other != file && speaks_for_files(link) {
                    gathered.add(Node::File(other), link.kind, link.into());
                }
            }
        }
        gathered.links()
    }

    fn used_by_file(&self, file: u32) -> Vec<Neighbour> {
        let mut gathered = Gathered::default();
        let user = Node::File(file);
        for edge in self.imports.imports(file) {
            let Some(target) = edge.target.filter(|target| *target != file) else {
                continue;
            };
            let kind = self.kind(user, ReferenceKind::Import);
            gathered.add(
                Node::File(target),
                kind,
                Uses::one(Confidence::Resolved, edge.line),
            );
        }
        let candidates = self.candidates(file);
        let targets: BTreeSet<Node> = candidates.values().flatten().copied().collect();
        for target in targets.into_iter().filter(|target| target.file() != file) {
            for link in self.incoming(target).iter() {
                if link.node.file() == file && speaks_for_files(link) {
                    gathered.add(Node::File(target.file()), link.kind, link.into());
                }
            }
        }
        gathered.links()
    }

    fn used_by_symbol(&self, node: Node) -> Vec<Neighbour> {
        let candidates = self.candidates(node.file());
        let mut users = self.members(node);
        users.push(node);
        let targets = users.iter().filter_map(|user| candidates.get(user));
        let targets: BTreeSet<Node> = targets.flatten().copied().collect();
        let mut gathered = Gathered::default();
        for target in targets {
            if target != node && users.contains(&target) {
                continue;
            }
            for link in self.incoming(target).iter() {
                if users.contains(&link.node) {
                    gathered.add(target, link.kind, link.into());
                }
            }
        }
        gathered.links()
    }

    fn candidates(&self, file: u32) -> Arc<Candidates> {
        if let Some(known) = self.candidates.borrow().get(&file) {
            return Arc::clone(known);
        }
        let mut found = Candidates::new();
        for edge in self.uses.edges_of(file) {
            if edge.kind != ReferenceKind::Mention {
                let user = self.user(file, edge.enclosing);
                found.entry(user).or_default().extend(self.targets(&edge));
            }
        }
        let found = Arc::new(found);
        self.candidates
            .borrow_mut()
            .insert(file, Arc::clone(&found));
        found
    }

    fn targets(&self, edge: &UseEdge<'_>) -> Vec<Node> {
        let table = self.uses.resolver.table;
        let only;
        let ids: &[SymbolId] = match edge.target {
            Target::Definition(id) => {
                only = [id];
                &only
            }
            Target::Name(name) => table.named(name),
        };
        if ids.len() > MAX_NAMESAKES {
            return Vec::new();
        }
        let kind = |id: &SymbolId| self.uses.resolver.symbol(*id).kind;
        let code = ids.iter().filter(|id| kind(id) != SymbolKind::Section);
        code.map(|id| self.node_of(*id)).collect()
    }

    fn definitions(&self, file: u32) -> BTreeSet<Node> {
        let symbols = self.uses.resolver.files[file as usize].symbols();
        let code = (0u32..).zip(symbols);
        code.filter(|(_, symbol)| symbol.kind != SymbolKind::Section)
            .map(|(symbol, _)| self.node_of(SymbolId { file, symbol }))
            .collect()
    }
}

/// Says whether a use joins the files of its ends: a name alone says too little, and imports are told by
/// the import graph.
fn speaks_for_files(link: &Neighbour) -> bool {
    link.confidence.is_certain() && link.kind != EdgeKind::Import
}

/// Uses summed up by node and kind.
#[derive(Default)]
struct Gathered(BTreeMap<(Node, EdgeKind), Uses>);

/// Uses of one node in one way.
#[derive(Clone, Copy)]
struct Uses {
    count: u32,
    /// The surest.
    confidence: Confidence,
    /// The first, from 1.
    line: u32,
}

impl Uses {
    fn one(confidence: Confidence, line: u32) -> Self {
        Self {
            count: 1,
            confidence,
            line,
        }
    }
}

impl From<&Neighbour> for Uses {
    fn from(link: &Neighbour) -> Self {
        Self {
            count: link.count,
            confidence: link.confidence,
            line: link.line,
        }
    }
}

impl Gathered {
    fn add(&mut self, node: Node, kind: EdgeKind, uses: Uses) {
        let known = self
            .0
            .entry((node, kind))
            .or_insert(Uses { count: 0, ..uses });
        known.count += uses.count;
        known.confidence = known.confidence.min(uses.confidence);
        known.line = known.line.min(uses.line);
    }

    fn links(self) -> Vec<Neighbour> {
        let links = self.0.into_iter();
        links
            .map(|((node, kind), uses)| Neighbour {
                node,
                kind,
                count: uses.count,
                confidence: uses.confidence,
                line: uses.line,
            })
            .collect()
    }
}
