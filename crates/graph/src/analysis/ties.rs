//! What ties the definitions and files of a view together, as rows of a graph.
//!
//! There are tens of millions of edges: they are counted first and put into their rows after that, each in
//! five bytes. What an edge weighs follows from a byte and from where it leads.

use crate::{
    analysis::{
        relation::{AGAINST, Relation},
        symbol_rank::symbol_offsets,
    },
    imports::import_graph::ImportGraph,
    input::files::{FileInput, SymbolId},
    languages::{LanguageRules, Rules},
    references::{
        reference_index::ReferenceIndex,
        uses::{Target, UseEdge},
    },
    resolution::symbol_table::SymbolTable,
};

/// What an edge walked against its direction keeps of its weight.
const BACKWARDS: f32 = 0.5;
/// A name with more definitions than this leads nowhere.
const MAX_NAMESAKES: usize = 12;
/// What is known by its name alone keeps this much of its weight, divided among its namesakes.
const BY_NAME: f32 = 0.5;

/// All that ties follow from.
pub(super) struct Ties<'a> {
    /// First definition of each file; the files follow the last definition.
    offsets: Vec<u32>,
    /// What edges into each node keep of their weight.
    into: Vec<f32>,
    /// The node around each definition.
    around: Vec<u32>,
    rules: Vec<Rules>,
    imports: &'a ImportGraph,
    table: &'a SymbolTable,
    uses: &'a ReferenceIndex,
}

/// The relation of an edge, with [`AGAINST`] where it is walked backwards, and the number of namesakes that
/// share its weight, 0 where it is known by more than a name.
#[derive(Clone, Copy)]
struct Way(u8);

const _: () = assert!(Relation::ALL.len() <= 8 && MAX_NAMESAKES < 16);

impl Way {
    fn new(relation: Relation, n_namesakes: usize) -> Self {
        Self(relation as u8 | (n_namesakes as u8) << 3)
    }

    fn back(self) -> Self {
        Self(self.0 | AGAINST)
    }

    fn kind(self) -> u8 {
        self.0 & (AGAINST | 7)
    }

    fn weight(self) -> f32 {
        let weight = Relation::ALL[usize::from(self.0 & 7)].weight();
        let weight = match self.0 >> 3 & 15 {
            0 => weight,
            n_namesakes => weight * (BY_NAME / f32::from(n_namesakes)),
        };
        match self.0 & AGAINST {
            0 => weight,
            _ => weight * BACKWARDS,
        }
    }
}

/// First definitions, rows and targets, weights, kinds.
type TieRows = (Vec<u32>, [Vec<u32>; 2], Vec<f32>, Vec<u8>);

impl<'a> Ties<'a> {
    pub(super) fn new(
        files: &[FileInput<'_>],
        imports: &'a ImportGraph,
        table: &'a SymbolTable,
        uses: &'a ReferenceIndex,
        file_share: &[f32],
    ) -> Self {
        let offsets = symbol_offsets(table);
        let share = |file: usize| file_share.get(file).copied().unwrap_or(1.0);
        let files_of = (0..files.len()).map(|file| (offsets[file], offsets[file + 1], share(file)));
        let mut into = Vec::with_capacity(around_len(&offsets) + files.len());
        for (start, end, share) in files_of {
            into.extend((start..end).map(|_| share));
        }
        into.extend((0..files.len()).map(share));
        Self {
            around: around(files, &offsets),
            into,
            offsets,
            rules: LanguageRules::of_each(files),
            imports,
            table,
            uses,
        }
    }

    fn definition(&self, id: SymbolId) -> u32 {
        self.offsets[id.file as usize] + id.symbol
    }

    fn hub(&self, file: u32) -> u32 {
        self.around.len() as u32 + file
    }

    fn n_nodes(&self) -> usize {
        self.into.len()
    }

    /// Hands over every edge and the one back.
    fn each(&self, each: &mut impl FnMut(u32, u32, Way)) {
        let mut tie = |from: u32, to: u32, way: Way| {
            for (from, to, way) in [(from, to, way), (to, from, way.back())] {
                if from != to && self.weight(to, way) > 0.0 {
                    each(from, to, way);
                }
            }
        };
        for (node, around) in (0u32..).zip(&self.around) {
            let is_file = *around >= self.around.len() as u32;
            let relation = if is_file {
                Relation::Module
            } else {
                Relation::Member
            };
            tie(*around, node, Way::new(relation, 0));
        }
        for file in 0..self.imports.n_files() as u32 {
            let targets = self.imports.imports(file).iter();
            for target in targets.filter_map(|edge| edge.target) {
                let way = Way::new(Relation::Import, 0);
                tie(self.hub(file), self.hub(target), way);
            }
        }
        self.uses
            .each_edge(&mut |edge| self.tie_use(&edge, &mut tie));
    }

    fn tie_use(&self, edge: &UseEdge<'_>, tie: &mut impl FnMut(u32, u32, Way)) {
        let Some(relation) = Relation::of(edge.kind) else {
            return;
        };
        let file = edge.file;
        let from = match edge.enclosing {
            Some(symbol) => self.definition(SymbolId { file, symbol }),
            None => self.hub(file),
        };
        match edge.target {
            Target::Definition(id) => tie(from, self.definition(id), Way::new(relation, 0)),
            Target::Name(name) => {
                let rules = self.rules[file as usize];
                let named = self.table.named(name).iter();
                let mut alike = named.filter(|id| self.rules[id.file as usize] == rules);
                let mut namesakes = [SymbolId { file, symbol: 0 }; MAX_NAMESAKES];
                let mut n = 0;
                for (place, id) in namesakes.iter_mut().zip(alike.by_ref()) {
                    *place = *id;
                    n += 1;
                }
                if alike.next().is_some() {
                    return;
                }
                for id in &namesakes[..n] {
                    tie(from, self.definition(*id), Way::new(relation, n));
                }
            }
        }
    }

    fn weight(&self, to: u32, way: Way) -> f32 {
        way.weight() * self.into[to as usize]
    }

    /// The edges by where they begin: where each row ends, behind a 0, and targets and ways.
    fn filled(&self) -> (Vec<u32>, Vec<u32>, Vec<Way>) {
        let mut rows = vec![0u32; self.n_nodes() + 1];
        self.each(&mut |from, _, _| rows[from as usize + 1] += 1);
        for node in 0..self.n_nodes() {
            rows[node + 1] += rows[node];
        }
        let n_edges = rows[self.n_nodes()] as usize;
        let (mut targets, mut ways) = (vec![0u32; n_edges], vec![Way(0); n_edges]);
        self.each(&mut |from, to, way| {
            let next = &mut rows[from as usize];
            (targets[*next as usize], ways[*next as usize]) = (to, way);
            *next += 1;
        });
        // Each start has come to the end of its row, which is where the next begins.
        rows.copy_within(..self.n_nodes(), 1);
        rows[0] = 0;
        (rows, targets, ways)
    }

    /// Sorted rows; parallel edges add up, the strongest of them names the relation.
    pub(super) fn rows(self) -> TieRows {
        let (mut rows, mut targets, ways) = self.filled();
        let mut kinds: Vec<u8> = ways.into_iter().map(|way| way.0).collect();
        let mut weights: Vec<f32> = Vec::new();
        let mut row: Vec<(u32, f32, u8)> = Vec::new();
        let mut start = 0;
        for node in 0..self.n_nodes() {
            let end = rows[node + 1] as usize;
            let edges = targets[start..end].iter().zip(&kinds[start..end]);
            row.clear();
            row.extend(edges.map(|(to, way)| {
                let way = Way(*way);
                (*to, self.weight(*to, way), way.kind())
            }));
            start = end;
            // A whole order makes the sums the same to the bit.
            row.sort_unstable_by(|a, b| {
                let by_weight = b.1.total_cmp(&a.1);
                a.0.cmp(&b.0).then(by_weight).then(a.2.cmp(&b.2))
            });
            for (at, (to, weight, kind)) in row.iter().enumerate() {
                if at > 0
                    && row[at - 1].0 == *to
                    && let Some(sum) = weights.last_mut()
                {
                    *sum += weight;
                    continue;
                }
                // There are no more of them than were read.
                (targets[weights.len()], kinds[weights.len()]) = (*to, *kind);
                weights.push(*weight);
            }
            rows[node + 1] = weights.len() as u32;
        }
        targets.truncate(weights.len());
        kinds.truncate(weights.len());
        (self.offsets, [rows, targets], weights, kinds)
    }
}

fn around_len(offsets: &[u32]) -> usize {
    offsets.last().copied().unwrap_or(0) as usize
}

/// The node around each definition: another, or its file.
fn around(files: &[FileInput<'_>], offsets: &[u32]) -> Vec<u32> {
    let n_symbols = around_len(offsets) as u32;
    let mut around = Vec::with_capacity(n_symbols as usize);
    for (file, input) in (0u32..).zip(files) {
        let first = offsets[file as usize];
        input.with_facts(|facts| {
            around.extend(facts.symbols.iter().map(|symbol| match symbol.parent {
                Some(parent) => first + parent,
                None => n_symbols + file,
            }));
        });
    }
    around
}
