//! Cuts a file into chunks: definitions whole where they fit, large ones at cheap lines, the rest
//! between them.
//!
//! Every non-blank line lies in exactly one chunk, chunks are in order and end at line ends. Only
//! symbols, lines and the break depth of each line go in, so any language can be cut.

use crate::lines::Lines;
use crate::types::{Chunk, ChunkKind, Symbol, SymbolKind};
use crate::walk::NO_BREAK;

/// A class or block up to this many lines stays whole.
const WHOLE_LINES: u32 = 60;
/// A function up to this many lines and bytes stays whole.
const FUNCTION_LINES: u32 = 80;
const FUNCTION_BYTES: u32 = 4_000;
/// Parts of what is cut.
const PART_LINES: (u32, u32) = (30, 60);
const RESIDUE_LINES: u32 = 50;
/// Neighbours below `TINY_LINES` are merged up to `MERGED_LINES`.
const TINY_LINES: u32 = 4;
const MERGED_LINES: u32 = 25;
const MAX_BYTES: u32 = 6_000;
const MAX_NESTING: usize = 60;

/// A run of lines on its way to be a chunk.
#[derive(Clone, Copy, Debug)]
struct Piece {
    first: u32,
    last: u32,
    kind: ChunkKind,
    symbol: Option<u32>,
    /// May be merged with its neighbours; the number of lines that definitions take of it.
    tiny: Option<u32>,
}

/// The chunks of a file. `breaks` gives per line how deep what starts there is nested; where it is
/// empty or silent, indentation stands in.
pub(crate) fn cut(
    lines: &Lines<'_>,
    symbols: &[Symbol],
    breaks: &[u16],
    residue: ChunkKind,
) -> Vec<Chunk> {
    let nest = nest(lines, symbols);
    let cutter = Cutter {
        lines,
        symbols,
        breaks,
        residue,
        nest,
    };
    cutter.finish(cutter.file())
}

struct Cutter<'a> {
    lines: &'a Lines<'a>,
    symbols: &'a [Symbol],
    breaks: &'a [u16],
    residue: ChunkKind,
    nest: Nest,
}

/// Which symbol lies within which, by lines.
struct Nest {
    /// Lines of each symbol with its doc comment.
    extents: Vec<(u32, u32)>,
    /// Symbols within no other.
    roots: Vec<u32>,
    children: Vec<Vec<u32>>,
}

fn nest(lines: &Lines<'_>, symbols: &[Symbol]) -> Nest {
    let extents: Vec<(u32, u32)> = symbols
        .iter()
        .map(|symbol| {
            let doc = symbol.doc.map_or(u32::MAX, |doc| doc.start_line);
            (
                symbol.span.start_line.min(doc),
                symbol.span.end_line.min(lines.count()),
            )
        })
        .collect();
    let alone = |at: &u32| stands_alone(symbols[*at as usize].kind);
    let mut order: Vec<u32> = (0..symbols.len() as u32).filter(alone).collect();
    order.sort_by_key(|&at| {
        let (first, last) = extents[at as usize];
        (first, u32::MAX - last)
    });
    let mut nest = Nest {
        extents,
        roots: Vec::new(),
        children: vec![Vec::new(); symbols.len()],
    };
    let mut open: Vec<u32> = Vec::new();
    for at in order {
        let (first, last) = nest.extents[at as usize];
        while open
            .last()
            .is_some_and(|&top| nest.extents[top as usize].1 < first.max(last))
        {
            open.pop();
        }
        match open.last() {
            Some(&top) => nest.children[top as usize].push(at),
            None => nest.roots.push(at),
        }
        open.push(at);
    }
    nest
}

impl Cutter<'_> {
    /// Lays out a file: a block that runs only where the file is run by itself stands apart.
    fn file(&self) -> Vec<Piece> {
        let (roots, last) = (&self.nest.roots, self.lines.count());
        let Some((from, to)) = self.self_run(last) else {
            return self.layout((1, last), None, roots, 0);
        };
        let extent = |kid: &u32| self.nest.extents[*kid as usize];
        let before = roots.partition_point(|kid| extent(kid).0 < from);
        let after = roots.partition_point(|kid| extent(kid).0 <= to);
        let mut pieces = self.layout((1, from - 1), None, &roots[..before], 0);
        let block = Piece {
            first: from,
            last: to,
            kind: ChunkKind::SelfRun,
            symbol: None,
            tiny: None,
        };
        self.split(block, &mut pieces);
        pieces.extend(self.layout((to + 1, last), None, &roots[after..], 0));
        pieces
    }

    /// The first block that runs only where the file is run or tested by itself, where it defines no more
    /// than variables.
    fn self_run(&self, last: u32) -> Option<(u32, u32)> {
        let from = (1..=last).find(|line| is_self_run(self.lines.text(*line)))?;
        let goes_on = |line: &u32| {
            self.lines.is_blank(*line)
                || self.lines.indent(*line) > 0
                || starts_with_closer(self.lines.text(*line))
        };
        let mut to = (from + 1..=last).take_while(goes_on).last().unwrap_or(from);
        while self.lines.is_blank(to) {
            to -= 1;
        }
        let is_apart = self.nest.roots.iter().all(|root| {
            let (first, last) = self.nest.extents[*root as usize];
            let is_inside = first >= from && last <= to;
            let kind = self.symbols[*root as usize].kind;
            last < from
                || first > to
                || is_inside && matches!(kind, SymbolKind::Variable | SymbolKind::Constant)
        });
        let is_block = self.residue == ChunkKind::Residue && to - from + 1 >= TINY_LINES;
        (is_block && is_apart).then_some((from, to))
    }

    /// Lays out the lines of one block: its definitions and what is between them.
    fn layout(
        &self,
        (first, last): (u32, u32),
        owner: Option<u32>,
        kids: &[u32],
        depth: usize,
    ) -> Vec<Piece> {
        let mut at = first;
        let mut pieces = Vec::new();
        for &kid in kids {
            let (kid_first, kid_last) = self.nest.extents[kid as usize];
            let (kid_first, kid_last) = (kid_first.max(at), kid_last.min(last));
            if kid_first > kid_last {
                continue;
            }
            self.gap((at, kid_first - 1), owner, &mut pieces);
            self.definition((kid_first, kid_last), kid, depth, &mut pieces);
            at = kid_last + 1;
        }
        self.gap((at, last), owner, &mut pieces);
        self.merge(pieces, owner)
    }

    fn definition(
        &self,
        (first, last): (u32, u32),
        symbol: u32,
        depth: usize,
        out: &mut Vec<Piece>,
    ) {
        let kids = &self.nest.children[symbol as usize];
        let n_lines = last - first + 1;
        let (max_lines, max_bytes) =
            whole_limits(self.symbols[symbol as usize].kind, !kids.is_empty());
        let fits = n_lines <= max_lines && self.lines.bytes(first, last) <= max_bytes;
        let whole = Piece {
            first,
            last,
            kind: ChunkKind::Definition,
            symbol: Some(symbol),
            tiny: None,
        };
        if fits || n_lines == 1 {
            let tiny = (n_lines < TINY_LINES).then_some(n_lines);
            out.push(Piece { tiny, ..whole });
        } else if !kids.is_empty() && depth < MAX_NESTING {
            out.extend(self.layout((first, last), Some(symbol), kids, depth + 1));
        } else {
            self.split(whole, out);
        }
    }

    /// Lines between definitions belong to what encloses them.
    fn gap(&self, (first, last): (u32, u32), owner: Option<u32>, out: &mut Vec<Piece>) {
        let Some((first, last)) = self.trim(first, last) else {
            return;
        };
        let closes =
            (first..=last).all(|line| !self.lines.text(line).contains(char::is_alphanumeric));
        if closes
            && last - first < 3
            && let Some(piece) = out.last_mut()
        {
            piece.last = last;
            return;
        }
        let kind = if owner.is_some() {
            ChunkKind::Definition
        } else {
            self.residue
        };
        let n_lines = last - first + 1;
        let piece = Piece {
            first,
            last,
            kind,
            symbol: owner,
            tiny: None,
        };
        if n_lines < TINY_LINES {
            out.push(Piece {
                tiny: Some(0),
                ..piece
            });
        } else {
            self.split(piece, out);
        }
    }

    /// Merges tiny neighbours.
    fn merge(&self, pieces: Vec<Piece>, owner: Option<u32>) -> Vec<Piece> {
        let mut merged: Vec<Piece> = Vec::new();
        let in_impl = owner.is_some_and(|at| self.symbols[at as usize].kind == SymbolKind::Impl);
        for piece in pieces {
            let first_of_block = merged.len() == 1;
            match merged.last_mut() {
                Some(last) if self.may_merge(last, &piece) => {
                    *last = self.merged(last, &piece, owner)
                }
                // The head of an impl alone says nothing: it goes with the first method.
                Some(last) if in_impl && first_of_block && last.tiny == Some(0) => {
                    *last = Piece {
                        first: last.first,
                        ..piece
                    };
                }
                _ => merged.push(piece),
            }
        }
        // What was nested is settled: the block around must not merge it again.
        merged.iter_mut().for_each(|piece| piece.tiny = None);
        merged
    }

    fn may_merge(&self, last: &Piece, piece: &Piece) -> bool {
        let n_lines = piece.last - last.first + 1;
        let tiny = last.tiny.is_some() && piece.tiny.is_some();
        tiny && n_lines <= MERGED_LINES
            && self.lines.bytes(last.first, piece.last) <= FUNCTION_BYTES
    }

    /// Inside a definition the whole belongs to it; at top level to the one definition that fills
    /// half of it, if there is one.
    fn merged(&self, last: &Piece, piece: &Piece, owner: Option<u32>) -> Piece {
        let n_defined = last.tiny.unwrap_or(0) + piece.tiny.unwrap_or(0);
        let merged = Piece {
            last: piece.last,
            tiny: Some(n_defined),
            ..*last
        };
        if owner.is_some() {
            return Piece {
                kind: ChunkKind::Definition,
                symbol: owner,
                ..merged
            };
        }
        let symbol = match (last.tiny, piece.tiny) {
            (Some(0), _) => piece.symbol,
            (_, Some(0)) => last.symbol,
            _ => None,
        };
        let symbol = symbol.filter(|_| n_defined * 2 > piece.last - last.first);
        let kind = if symbol.is_some() {
            ChunkKind::Definition
        } else {
            self.residue
        };
        Piece {
            kind,
            symbol,
            ..merged
        }
    }

    /// Cuts lines into parts at the cheapest lines.
    fn split(&self, piece: Piece, out: &mut Vec<Piece>) {
        let limits = match piece.kind {
            ChunkKind::Residue | ChunkKind::SelfRun => (PART_LINES.0, RESIDUE_LINES),
            ChunkKind::Definition | ChunkKind::Doc => PART_LINES,
        };
        let mut first = piece.first;
        while first <= piece.last {
            let last = self.part_end(first, piece.last, limits);
            out.push(Piece {
                first,
                last,
                tiny: None,
                ..piece
            });
            first = last + 1;
        }
    }

    fn part_end(&self, first: u32, last: u32, (min, max): (u32, u32)) -> u32 {
        let fits =
            last - first < max + max / 6 && self.lines.bytes(first, last) <= FUNCTION_BYTES + 500;
        if fits {
            return last;
        }
        let mut limit = (first + max).min(last);
        while limit > first + 1 && self.lines.bytes(first, limit - 1) > FUNCTION_BYTES + 500 {
            limit -= 1;
        }
        let from =
            (first + min.min((limit - first).div_ceil(2))).clamp(first + 1, limit.max(first + 1));
        let best = (from..=limit.max(from)).min_by_key(|&line| (self.cost(line), u32::MAX - line));
        best.map_or(last, |line| line - 1).clamp(first, last)
    }

    /// What it costs to start a part at a line.
    fn cost(&self, line: u32) -> u32 {
        if self.lines.is_blank(line) {
            return u32::MAX;
        }
        let depth = match self.breaks.get(line as usize - 1) {
            Some(&depth) if depth != NO_BREAK => u32::from(depth) * 4,
            Some(_) => 2_000 + self.lines.indent(line),
            None if starts_with_closer(self.lines.text(line)) => self.lines.indent(line) * 4 + 6,
            None => self.lines.indent(line) * 4,
        };
        let after_blank = line > 1 && self.lines.is_blank(line - 1);
        depth + if after_blank { 0 } else { 3 }
    }

    fn trim(&self, mut first: u32, mut last: u32) -> Option<(u32, u32)> {
        while first <= last && self.lines.is_blank(first) {
            first += 1;
        }
        while last > first && self.lines.is_blank(last) {
            last -= 1;
        }
        (first <= last && last > 0).then_some((first, last))
    }

    /// Pieces to chunks: cut to size, trimmed, and without holes or overlaps whatever came before.
    fn finish(&self, mut pieces: Vec<Piece>) -> Vec<Chunk> {
        pieces.sort_by_key(|piece| piece.first);
        let mut chunks = Vec::with_capacity(pieces.len());
        let mut at = 1;
        for piece in pieces {
            let first = piece.first.max(at);
            if first > at {
                self.fill(at, first - 1, &mut chunks);
            }
            if first > piece.last {
                continue;
            }
            self.push(Piece { first, ..piece }, &mut chunks);
            at = piece.last + 1;
        }
        self.fill(at, self.lines.count(), &mut chunks);
        chunks
    }

    fn fill(&self, first: u32, last: u32, chunks: &mut Vec<Chunk>) {
        self.push(
            Piece {
                first,
                last,
                kind: self.residue,
                symbol: None,
                tiny: None,
            },
            chunks,
        );
    }

    fn push(&self, piece: Piece, chunks: &mut Vec<Chunk>) {
        let Some((first, last)) = self.trim(piece.first, piece.last) else {
            return;
        };
        let mut parts = vec![Piece {
            first,
            last,
            ..piece
        }];
        if self.lines.bytes(first, last) > MAX_BYTES && last > first {
            parts.clear();
            self.split(
                Piece {
                    first,
                    last,
                    ..piece
                },
                &mut parts,
            );
        }
        for part in parts {
            let Some((first, last)) = self.trim(part.first, part.last) else {
                continue;
            };
            let symbol = part.symbol.map(|at| &self.symbols[at as usize]);
            let name_line = symbol.map(|symbol| symbol.name_line);
            let focus_line = name_line
                .filter(|line| (first..=last).contains(line))
                .unwrap_or(first);
            let kind = if self.residue == ChunkKind::Doc {
                ChunkKind::Doc
            } else {
                part.kind
            };
            chunks.push(Chunk {
                kind,
                span: self.lines.span(first, last),
                symbol: part.symbol,
                focus_line,
            });
        }
    }
}

/// Lines and bytes up to which a definition is one chunk.
fn whole_limits(kind: SymbolKind, holds_others: bool) -> (u32, u32) {
    match kind {
        SymbolKind::Module | SymbolKind::Namespace if holds_others => (0, 0),
        SymbolKind::Section if holds_others => (MERGED_LINES, MAX_BYTES),
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor => {
            (FUNCTION_LINES, FUNCTION_BYTES)
        }
        _ => (WHOLE_LINES, MAX_BYTES),
    }
}

/// Says whether a block begins that is skipped where the file is imported: a script's in Python, tests in the
/// source as Vitest has them.
fn is_self_run(line: &str) -> bool {
    let condition = line
        .strip_prefix("if ")
        .or_else(|| line.strip_prefix("if("));
    let condition = condition.map(|rest| rest.trim_start_matches([' ', '(']));
    condition.is_some_and(|condition| {
        condition.starts_with("__name__ ==")
            || condition.starts_with("__name__==")
            || condition.starts_with("import.meta.vitest")
    })
}

fn starts_with_closer(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(['}', ')', ']']) || text.starts_with("end") || text.starts_with("else")
}

/// Fields and members belong to the chunk of what holds them.
fn stands_alone(kind: SymbolKind) -> bool {
    !matches!(kind, SymbolKind::Field | SymbolKind::EnumMember)
}
