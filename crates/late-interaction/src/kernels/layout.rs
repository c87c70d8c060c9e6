//! Where the bits of a token are; see the module above for the order.

use super::reconstruction_levels::lloyd_max_levels;

/// Components of a block.
pub(crate) const BLOCK: usize = 128;

/// Groups of components with bits of their own.
pub(crate) const GROUPS: usize = 4;

/// Components of a group in a block.
pub(crate) const PART: usize = BLOCK / GROUPS;

/// The most bits of a component.
pub(crate) const MAX_BITS: u8 = 6;

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

/// How many bits the groups have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CodeLayout {
    pub(crate) bits: [u8; GROUPS],
    /// Levels of each group.
    pub(super) tables: [[[u8; 16]; TABLES]; GROUPS],
    /// Where each group's part is in a block.
    pub(super) parts: [usize; GROUPS],
    pub(crate) n_blocks: usize,
    group_len: usize,
}

impl CodeLayout {
    pub(crate) fn new(dim: usize, bits: [u8; GROUPS]) -> Self {
        let part = |group: usize| part_bytes(bits[group]);
        Self {
            bits,
            tables: bits.map(|bits| tables_of(lloyd_max_levels(bits).levels)),
            parts: std::array::from_fn(|group| (0..group).map(part).sum()),
            n_blocks: dim.div_ceil(BLOCK),
            group_len: dim.div_ceil(GROUPS).max(1),
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
        for (group, codes) in codes.chunks_exact_mut(PART).enumerate() {
            unpack(self.bits[group], &block[self.parts[group]..], codes);
        }
        codes
    }

    /// Group, block and place in the part of a component.
    pub(crate) fn place(&self, component: usize) -> (usize, usize, usize) {
        let inside = component % self.group_len;
        (component / self.group_len, inside / PART, inside % PART)
    }

    /// Where a component's value is in a row of blocks.
    pub(crate) fn slot(&self, component: usize) -> usize {
        let (group, block, at) = self.place(component);
        block * BLOCK + group * PART + at
    }

    /// Writes a component's code into a token of zeros.
    pub(crate) fn put(&self, token: &mut [u8], component: usize, code: u8) {
        let (group, block, at) = self.place(component);
        let first = block * self.block_bytes() + self.parts[group];
        each_plane(self.bits[group], at, |byte, shift, (below, mask)| {
            token[first + byte] |= ((code >> below) & mask) << shift;
        });
    }
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

/// Coded tokens, and how to read them.
#[derive(Clone, Copy)]
pub(crate) struct Codes<'a> {
    pub(crate) layout: &'a CodeLayout,
    pub(crate) bytes: &'a [u8],
}

impl Codes<'_> {
    pub(super) fn n_tokens(&self) -> usize {
        self.bytes.len() / self.layout.stride().max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_codes(layout: &CodeLayout, dim: usize) -> Vec<u8> {
        let bits = |at: usize| layout.bits[layout.place(at).0];
        let code = |at: usize| (at * 37 % 64) as u8 & ((1 << bits(at)) - 1);
        (0..dim).map(code).collect()
    }

    #[test]
    fn every_component_has_bits_of_its_own() {
        for dim in [7, 48, 128, 200, 256] {
            let layout = CodeLayout::new(dim, [5, 0, 3, 1]);
            let codes = random_codes(&layout, dim);
            let mut token = vec![0; layout.stride()];
            for (component, code) in codes.iter().enumerate() {
                layout.put(&mut token, component, *code);
            }
            for (block, bytes) in token.chunks_exact(layout.block_bytes()).enumerate() {
                let read = layout.codes(bytes);
                for component in (0..dim).filter(|at| layout.place(*at).1 == block) {
                    let code = read[layout.slot(component) % BLOCK];
                    assert_eq!(code, codes[component], "{dim}");
                }
            }
        }
    }
}
