//! Codes as cells hold them: fewer bits, and 32 tokens side by side, so that one shuffle looks up as
//! many products.
//!
//! A component of a group has 0, 1, 2 or 4 bits here; 4, 2 or 1 of them that lie next to each other in
//! a part fill a nibble, the first in its lowest bits. **A plane** is one nibble of 32 tokens: byte `k` of
//! 16 has token `k` in its low half and token `16 + k` in its high half. **A block** of tokens is a head,
//! their documents (32 u32), inverse norms (32 f16) and scales (32 f16), and then its planes: component
//! block after component block, group after group, nibble after nibble. What a query token needs of
//! a cell lies in one piece.
//!
//! What a nibble adds to a product with a query token is one of 16 numbers, from 0 to 255: the sum of a
//! token's numbers fits 16 bits ([`MAX_SUM`]).

use super::token_scores::half_from;
use super::{CodeLayout, GROUPS, PART};

/// Tokens of a block.
pub(crate) const LANES: usize = 32;

/// Bytes of a plane, and entries of its table.
pub(crate) const PLANE: usize = 16;

/// Bytes of a block before its planes.
pub(super) const HEAD: usize = 8 * LANES;

/// What entries of tables may sum up to.
pub(crate) const MAX_SUM: usize = u16::MAX as usize;

/// How cells hold codes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Planes {
    pub(crate) bits: [u8; GROUPS],
    /// The code here of each full code.
    coarse: [[u8; 64]; GROUPS],
    n_blocks: usize,
}

impl Planes {
    pub(crate) fn new(n_blocks: usize, bits: [u8; GROUPS], coarse: [[u8; 64]; GROUPS]) -> Self {
        Self {
            bits,
            coarse,
            n_blocks,
        }
    }

    /// Planes of a block; a multiple of 8.
    pub(crate) fn n_planes(&self) -> usize {
        let bits: usize = self.bits.iter().map(|bits| usize::from(*bits)).sum();
        self.n_blocks * bits * PART / 4
    }

    /// Bytes of 32 tokens.
    pub(crate) fn block_bytes(&self) -> usize {
        HEAD + self.n_planes() * PLANE
    }

    /// Bytes of this many tokens.
    pub(crate) fn bytes_of(&self, n_tokens: u64) -> u64 {
        n_tokens
            .div_ceil(LANES as u64)
            .saturating_mul(self.block_bytes() as u64)
    }

    /// Writes a token into a lane of a block of zeros. O(components).
    pub(crate) fn put(
        &self,
        layout: &CodeLayout,
        token: &CellToken<'_>,
        block: &mut [u8],
        lane: usize,
    ) {
        let (head, planes) = block.split_at_mut(HEAD);
        head[4 * lane..][..4].copy_from_slice(&token.document.to_le_bytes());
        head[4 * LANES + 2 * lane..][..2].copy_from_slice(&token.inverse_norm.to_le_bytes());
        head[6 * LANES + 2 * lane..][..2].copy_from_slice(&token.scale.to_le_bytes());
        let (byte, shift) = (lane % PLANE, lane / PLANE * 4);
        let mut planes = planes.chunks_exact_mut(PLANE);
        for block in token.codes.chunks_exact(layout.block_bytes().max(1)) {
            let codes = layout.codes(block);
            for (group, codes) in codes.chunks_exact(PART).enumerate() {
                let bits = self.bits[group];
                if bits == 0 {
                    continue;
                }
                let coarse = &self.coarse[group];
                for (codes, plane) in codes.chunks_exact(usize::from(4 / bits)).zip(&mut planes) {
                    let coarse = codes.iter().rev().map(|code| coarse[usize::from(*code)]);
                    let nibble = coarse.fold(0, |all, code| all << bits | code);
                    plane[byte] |= nibble << shift;
                }
            }
        }
    }

    /// The group and the slots (see [`CodeLayout::slot`]) of each plane's nibble.
    pub(crate) fn nibbles(&self) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
        let parts = (0..self.n_blocks * GROUPS).map(|part| (part, self.bits[part % GROUPS]));
        parts
            .filter(|(_, bits)| *bits > 0)
            .flat_map(|(part, bits)| {
                let step = usize::from(4 / bits);
                let starts = (part * PART..(part + 1) * PART).step_by(step);
                starts.map(move |start| (part % GROUPS, start..start + step))
            })
    }
}

/// A token as cells are given it.
pub(crate) struct CellToken<'a> {
    /// Index of its document in the segment.
    pub(crate) document: u32,
    pub(crate) inverse_norm: u16,
    pub(crate) scale: u16,
    pub(crate) codes: &'a [u8],
}

/// The tokens of a segment that share a centroid, in order of their documents.
#[derive(Clone, Copy)]
pub(crate) struct Cell<'a> {
    /// Whole blocks: cells next to each other have one in common.
    pub(crate) blocks: &'a [u8],
    /// Lanes of the first block before the cell.
    pub(crate) skip: usize,
    pub(crate) n_tokens: usize,
}

impl Cell<'_> {
    /// Each block, with a bit for each lane that is of the cell.
    #[inline]
    pub(super) fn blocks(&self, block_bytes: usize) -> impl Iterator<Item = (&[u8], u32)> {
        let end = self.skip + self.n_tokens;
        let blocks = self.blocks.chunks_exact(block_bytes).enumerate();
        blocks.map(move |(at, block)| {
            let upper = match end.saturating_sub(at * LANES) {
                left @ 0..LANES => (1 << left) - 1,
                _ => u32::MAX,
            };
            let lower = if at == 0 { self.skip } else { 0 };
            (block, upper & (u32::MAX << lower))
        })
    }

    #[inline]
    pub(super) fn document(head: &[u8], lane: usize) -> u32 {
        bytemuck::pod_read_unaligned(&head[4 * lane..][..4])
    }

    /// Plain Rust around a look-up: see [`super::visit_cell`].
    pub(super) fn visit(
        &self,
        wanted: &CellQuery<'_>,
        look_up: fn(&[u8], &[u8]) -> [u16; LANES],
        mut visit: impl FnMut(u32, f32),
    ) {
        for (block, lanes) in self.blocks(HEAD + wanted.tables.len()) {
            let (head, planes) = block.split_at(HEAD);
            let (norms, scales) = head[4 * LANES..].split_at(2 * LANES);
            let half =
                |of: &[u8], at: usize| half_from(u16::from_le_bytes([of[2 * at], of[2 * at + 1]]));
            let sums = look_up(planes, wanted.tables);
            for (lane, sum) in sums
                .iter()
                .enumerate()
                .filter(|(lane, _)| lanes >> lane & 1 == 1)
            {
                let rest = wanted.factor * f32::from(*sum) + wanted.offset;
                let score = half(norms, lane) * wanted.base + half(scales, lane) * rest;
                if score > wanted.floor {
                    visit(Self::document(head, lane), score);
                }
            }
        }
    }
}

/// What a query token looks for in a cell.
#[derive(Clone, Copy)]
pub(crate) struct CellQuery<'a> {
    /// 16 entries for each plane.
    pub(crate) tables: &'a [u8],
    /// The centroid's score.
    pub(crate) base: f32,
    /// Factor of what is looked up.
    pub(crate) factor: f32,
    /// What is added to it.
    pub(crate) offset: f32,
    /// Scores have to be above it.
    pub(crate) floor: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nibble_is_where_its_slots_say() {
        let layout = CodeLayout::new(256, [6, 5, 3, 1]);
        let half = |bits: u8, less: u8| {
            std::array::from_fn(|code| (code as u8 & ((1 << bits) - 1)) >> less)
        };
        let coarse = [half(6, 2), half(5, 3), half(3, 2), half(1, 1)];
        let planes = Planes::new(2, [4, 2, 1, 0], coarse);
        assert_eq!(planes.nibbles().count(), planes.n_planes());
        let tokens: Vec<Vec<u8>> = (0..LANES)
            .map(|token| {
                (0..layout.stride())
                    .map(|at| (at * 31 + token * 57) as u8)
                    .collect()
            })
            .collect();
        let mut block = vec![0; planes.block_bytes()];
        for (lane, token) in tokens.iter().enumerate() {
            let token = CellToken {
                document: lane as u32 * 3,
                inverse_norm: lane as u16,
                scale: 7,
                codes: token,
            };
            planes.put(&layout, &token, &mut block, lane);
        }
        let by_slot: Vec<usize> = (0..256).map(|component| layout.slot(component)).collect();
        for (lane, token) in tokens.iter().enumerate() {
            let blocks = token.chunks_exact(layout.block_bytes());
            let by_slot_codes: Vec<u8> = blocks.flat_map(|block| layout.codes(block)).collect();
            let codes: Vec<u8> = by_slot.iter().map(|slot| by_slot_codes[*slot]).collect();
            assert_eq!(Cell::document(&block, lane), lane as u32 * 3);
            for ((group, slots), plane) in planes.nibbles().zip(block[HEAD..].chunks_exact(PLANE)) {
                let nibble = plane[lane % PLANE] >> (lane / PLANE * 4) & 15;
                for (at, slot) in slots.enumerate() {
                    let component = by_slot.iter().position(|own| *own == slot);
                    let code = component.map_or(0, |component| codes[component]);
                    let bits = planes.bits[group];
                    let found = nibble >> (bits * at as u8) & ((1 << bits) - 1);
                    assert_eq!(found, coarse[group][usize::from(code)]);
                }
            }
        }
    }
}
