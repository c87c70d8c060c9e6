//! Where the bits of a token are; see the module above for the order.

use super::BLOCK;
use super::reconstruction_levels::{ReconstructionLevels, lloyd_max_levels, trellis_levels};
use super::trellis::quarters;

/// Groups of components with bits of their own.
pub(crate) const GROUPS: usize = 4;

/// Components of a group in a block.
pub(crate) const PART: usize = BLOCK / GROUPS;

/// The most bits of a component.
pub(crate) const MAX_BITS: u8 = 6;

/// The most bits of a component in a trellis, whose codes are a bit longer.
pub(crate) const MAX_TRELLIS_BITS: u8 = MAX_BITS - 1;

/// Bytes of a part's branches.
pub(super) const BRANCH_BYTES: usize = PART / 8;

/// Tables of 16 levels that a group has at most.
pub(super) const TABLES: usize = 4;

/// Levels by a code's upper bits, four of them or all, in a table for each of what the lower ones
/// can be.
fn tables_of(levels: &[u8]) -> [[u8; 16]; TABLES] {
    let lower = levels.len().ilog2().saturating_sub(4);
    std::array::from_fn(|table| {
        let level = |upper: usize| levels.get((upper << lower) + table).copied();
        std::array::from_fn(|upper| level(upper).unwrap_or(0))
    })
}

/// How codes come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The nearest weight.
    Scalar,
    /// See [`super::trellis`]: codes are a bit longer than what is kept of them.
    Trellis,
}

impl Kind {
    /// What codes of so many bits stand for.
    pub(crate) fn levels(self, bits: u8) -> ReconstructionLevels {
        match self {
            Self::Scalar => lloyd_max_levels(bits),
            Self::Trellis => trellis_levels(bits),
        }
    }

    /// Bits of a group's codes that its parts have.
    fn part_bits(self, bits: u8) -> u8 {
        match self {
            Self::Scalar => bits,
            Self::Trellis => bits.saturating_sub(1),
        }
    }

    pub(crate) fn max_bits(self) -> u8 {
        match self {
            Self::Scalar => MAX_BITS,
            Self::Trellis => MAX_TRELLIS_BITS,
        }
    }
}

/// How many bits the groups have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) kind: Kind,
    pub(crate) bits: [u8; GROUPS],
    /// Levels of each group.
    pub(super) tables: [[[u8; 16]; TABLES]; GROUPS],
    /// Bytes of a block's branches, before its parts.
    pub(super) branch_bytes: usize,
    /// Where each group's part is in a block.
    pub(super) parts: [usize; GROUPS],
    pub(crate) n_blocks: usize,
    group_len: usize,
    dim: usize,
}

impl Layout {
    pub(crate) fn new(kind: Kind, dim: usize, bits: [u8; GROUPS]) -> Self {
        let branch_bytes = match kind {
            Kind::Scalar => 0,
            Kind::Trellis => bits.iter().filter(|bits| **bits > 0).count() * BRANCH_BYTES,
        };
        let part = |group: usize| part_bytes(kind.part_bits(bits[group]));
        Self {
            kind,
            bits,
            tables: bits.map(|bits| tables_of(kind.levels(bits).levels)),
            branch_bytes,
            parts: std::array::from_fn(|group| branch_bytes + (0..group).map(part).sum::<usize>()),
            n_blocks: dim.div_ceil(BLOCK),
            group_len: dim.div_ceil(GROUPS).max(1),
            dim,
        }
    }

    /// Bytes of a block.
    pub(crate) fn block_bytes(&self) -> usize {
        self.bits.iter().map(|bits| part_bytes(*bits)).sum()
    }

    /// Bytes of a token.
    pub(crate) fn stride(&self) -> usize {
        self.n_blocks * self.block_bytes()
    }

    /// Codes of a block by slot; O(1).
    pub(crate) fn codes(&self, block: &[u8]) -> [u8; BLOCK] {
        let mut codes = [0; BLOCK];
        let [upper, lower] = quarters(u128::from_le_bytes(branches_of(block)));
        for (group, codes) in codes.chunks_exact_mut(PART).enumerate() {
            let bits = self.kind.part_bits(self.bits[group]);
            unpack(bits, &block[self.parts[group]..], codes);
            let Some(first) = self.first_step(group) else {
                continue;
            };
            for (at, code) in codes.iter_mut().enumerate() {
                let bit = |plane: u128| (plane >> (first + step_in_part(at))) as u8 & 1;
                *code = *code << 2 | bit(upper) << 1 | bit(lower);
            }
        }
        codes
    }

    /// Where a group is in a block's way through the trellis, which goes from the last component to the
    /// first: it codes worst at its beginning, and best at its end. Nothing for a group without bits or
    /// outside a trellis.
    fn first_step(&self, group: usize) -> Option<usize> {
        let after = self.bits[group + 1..].iter().filter(|bits| **bits > 0);
        let is_in = self.kind == Kind::Trellis && self.bits[group] > 0;
        is_in.then(|| after.count() * PART)
    }

    /// The group and the component of each step of a block's way through the trellis; a part may lack
    /// components.
    pub(crate) fn steps(&self, block: usize) -> impl Iterator<Item = (usize, Option<usize>)> {
        let groups = (0..GROUPS).rev().filter(|group| self.bits[*group] > 0);
        groups.flat_map(move |group| {
            (0..PART).map(move |step| {
                let inside = block * PART + PART - 1 - step;
                let component = group * self.group_len + inside;
                let is_one = inside < self.group_len && component < self.dim;
                (group, is_one.then_some(component))
            })
        })
    }

    /// Writes the branches of a block.
    pub(crate) fn put_branches(&self, token: &mut [u8], block: usize, branches: u128) {
        let first = block * self.block_bytes();
        let bytes = &mut token[first..first + self.branch_bytes];
        bytes
            .iter_mut()
            .zip(branches.to_le_bytes())
            .for_each(|(to, byte)| *to = byte);
    }

    /// Group, block and place in the part of a component.
    pub(crate) fn place(&self, component: usize) -> (usize, usize, usize) {
        let inside = component % self.group_len;
        let at = match self.kind {
            Kind::Scalar => inside % PART,
            Kind::Trellis => slot_in_part(PART - 1 - inside % PART),
        };
        (component / self.group_len, inside / PART, at)
    }

    /// Where a component's value is in a row of blocks.
    pub(crate) fn slot(&self, component: usize) -> usize {
        let (group, block, at) = self.place(component);
        block * BLOCK + group * PART + at
    }

    /// Writes what a component's part has of its code into a token of zeros.
    pub(crate) fn put(&self, token: &mut [u8], component: usize, code: u8) {
        let (group, block, at) = self.place(component);
        let first = block * self.block_bytes() + self.parts[group];
        let bits = self.kind.part_bits(self.bits[group]);
        each_plane(bits, at, |byte, shift, (below, mask)| {
            token[first + byte] |= ((code >> below) & mask) << shift;
        });
    }
}

/// A block's branches, and after the last of them whatever comes: it tells no quarter of theirs.
pub(super) fn branches_of(block: &[u8]) -> [u8; 16] {
    match block.first_chunk() {
        Some(bytes) => *bytes,
        None => std::array::from_fn(|at| block.get(at).copied().unwrap_or(0)),
    }
}

/// The place in its part of a step: quarters' numbers, two bits each, lie as a plane of two bits.
fn slot_in_part(step: usize) -> usize {
    step % 4 * 8 + step / 4
}

fn step_in_part(slot: usize) -> usize {
    slot % 8 * 4 + slot / 8
}

/// Codes of a part, upper bits first.
fn unpack(bits: u8, part: &[u8], codes: &mut [u8]) {
    let mut rest = part;
    for plane in [4u8, 2, 1] {
        if bits & plane != 0 {
            let (bytes, after) = rest.split_at(PART / 8 * usize::from(plane));
            for (shift, codes) in codes.chunks_exact_mut(bytes.len()).enumerate() {
                let shift = shift as u8 * plane;
                for (code, byte) in codes.iter_mut().zip(bytes) {
                    *code = *code << plane | (byte >> shift) & ((1 << plane) - 1);
                }
            }
            rest = after;
        }
    }
}

pub(super) fn part_bytes(bits: u8) -> usize {
    PART / 8 * usize::from(bits)
}

/// `visit(byte, shift in it, (bits of the code below, mask))`.
fn each_plane(bits: u8, at: usize, mut visit: impl FnMut(usize, usize, (u8, u8))) {
    let mut first = 0;
    let mut below = bits;
    for plane in [4u8, 2, 1] {
        if bits & plane != 0 {
            let bytes = PART / 8 * usize::from(plane);
            below -= plane;
            let mask = (1 << plane) - 1;
            visit(
                first + at % bytes,
                at / bytes * usize::from(plane),
                (below, mask),
            );
            first += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_codes(layout: &Layout, dim: usize) -> Vec<u8> {
        let bits = |at: usize| layout.kind.part_bits(layout.bits[layout.place(at).0]);
        let code = |at: usize| (at * 37 % 64) as u8 & ((1 << bits(at)) - 1);
        (0..dim).map(code).collect()
    }

    #[test]
    fn every_component_has_bits_of_its_own() {
        for (kind, dim) in [7, 48, 128, 200, 256]
            .into_iter()
            .flat_map(|dim| [(Kind::Scalar, dim), (Kind::Trellis, dim)])
        {
            let layout = Layout::new(kind, dim, [5, 0, 3, 1]);
            let codes = random_codes(&layout, dim);
            let mut token = vec![0; layout.stride()];
            for (component, code) in codes.iter().enumerate() {
                layout.put(&mut token, component, *code);
            }
            let mut random = fastrand::Rng::with_seed(7);
            let ways: Vec<u128> = (0..layout.n_blocks)
                .map(|block| {
                    let branches = random.u128(..) >> (128 - 8 * layout.branch_bytes.max(1));
                    layout.put_branches(&mut token, block, branches);
                    branches
                })
                .collect();
            let mut n_steps = 0;
            for (block, bytes) in token.chunks_exact(layout.block_bytes()).enumerate() {
                let read = layout.codes(bytes);
                let of_block = (0..dim).filter(|at| layout.place(*at).1 == block);
                for component in of_block {
                    let code = read[layout.slot(component) % BLOCK];
                    let is_trellis = layout.kind == Kind::Trellis;
                    let in_trellis = is_trellis && layout.bits[layout.place(component).0] > 0;
                    assert_eq!(
                        code >> (2 * u8::from(in_trellis)),
                        codes[component],
                        "{dim}"
                    );
                }
                if kind == Kind::Trellis {
                    let [upper, lower] = quarters(ways[block]);
                    for (step, (_, component)) in layout.steps(block).enumerate() {
                        let Some(component) = component else { continue };
                        let quarter = (upper >> step & 1) * 2 + (lower >> step & 1);
                        let code = read[layout.slot(component) % BLOCK];
                        assert_eq!(u128::from(code & 3), quarter);
                        n_steps += 1;
                    }
                }
            }
            let coded = (0..dim).filter(|at| layout.bits[layout.place(*at).0] > 0);
            let expected = if kind == Kind::Trellis {
                coded.count()
            } else {
                0
            };
            assert_eq!(n_steps, expected, "{dim}");
        }
    }
}
