//! Where the bits of a token are; see the module above for the order.

use super::BLOCK;

/// Groups of components with bits of their own.
pub(crate) const GROUPS: usize = 4;

/// Components of a group in a block.
pub(crate) const PART: usize = BLOCK / GROUPS;

/// The most bits of a component.
pub(crate) const MAX_BITS: u8 = 6;

/// The largest level.
#[cfg(test)]
const MAX_LEVEL: u8 = 99;

/// Tables of 16 levels that a group has at most.
pub(super) const TABLES: usize = 4;

/// The level of each code: the weights of Max (1960) for a Gaussian, moved to the coarsest whole numbers
/// that lose little. The coarser they are, the less is lost by rounding the query that they meet.
pub(crate) fn levels_of(bits: u8) -> &'static [u8] {
    match bits {
        0 => &[0],
        1 => &[0, 1],
        2 => &[0, 7, 13, 20],
        3 => &[0, 3, 5, 7, 9, 11, 13, 16],
        4 => &[0, 5, 8, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 32, 35, 40],
        5 => &[
            0, 4, 7, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
            30, 31, 32, 33, 34, 36, 38, 41, 45,
        ],
        _ => &[
            0, 7, 11, 14, 17, 19, 21, 23, 25, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
            40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61,
            62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 74, 76, 78, 80, 82, 85, 88, 92, 99,
        ],
    }
}

/// Levels by a code's upper bits, four of them or all, in a table for each of what the lower ones
/// can be.
fn tables_of(bits: u8) -> [[u8; 16]; TABLES] {
    let lower = bits.saturating_sub(4);
    let levels = levels_of(bits);
    std::array::from_fn(|table| {
        let level = |upper: usize| levels.get((upper << lower) + table).copied();
        std::array::from_fn(|upper| level(upper).unwrap_or(0))
    })
}

/// How many bits the groups have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) bits: [u8; GROUPS],
    /// Levels of each group.
    pub(super) tables: [[[u8; 16]; TABLES]; GROUPS],
    pub(crate) n_blocks: usize,
    group_len: usize,
}

impl Layout {
    pub(crate) fn new(dim: usize, bits: [u8; GROUPS]) -> Self {
        Self {
            bits,
            tables: bits.map(tables_of),
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

    /// Codes of a part, upper bits first; O(1).
    pub(super) fn unpack(bits: u8, part: &[u8]) -> [u8; PART] {
        let mut codes = [0; PART];
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

    fn part_at(&self, group: usize, block: usize) -> usize {
        let before = self.bits[..group].iter();
        block * self.block_bytes() + before.map(|bits| part_bytes(*bits)).sum::<usize>()
    }

    /// Writes a component's code into a token of zeros.
    pub(crate) fn put(&self, token: &mut [u8], component: usize, code: u8) {
        let (group, block, at) = self.place(component);
        let first = self.part_at(group, block);
        each_plane(self.bits[group], at, |byte, shift, (below, mask)| {
            token[first + byte] |= ((code >> below) & mask) << shift;
        });
    }

    /// A component's code.
    pub(crate) fn code(&self, token: &[u8], component: usize) -> u8 {
        let (group, block, at) = self.place(component);
        let part = &token[self.part_at(group, block)..];
        code_in(self.bits[group], part, at)
    }
}

pub(super) fn part_bytes(bits: u8) -> usize {
    PART / 8 * usize::from(bits)
}

pub(super) fn code_in(bits: u8, part: &[u8], at: usize) -> u8 {
    let mut code = 0;
    each_plane(bits, at, |byte, shift, (below, mask)| {
        code |= ((part[byte] >> shift) & mask) << below;
    });
    code
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

    #[test]
    fn every_component_has_bits_of_its_own() {
        for dim in [7, 48, 128, 200, 256] {
            let layout = Layout::new(dim, [6, 5, 3, 1]);
            let codes: Vec<u8> = (0..dim)
                .map(|at| (at * 37 % 64) as u8 & ((1 << layout.bits[layout.place(at).0]) - 1))
                .collect();
            let mut token = vec![0; layout.stride()];
            for (component, code) in codes.iter().enumerate() {
                layout.put(&mut token, component, *code);
            }
            let read: Vec<u8> = (0..dim).map(|at| layout.code(&token, at)).collect();
            assert_eq!(read, codes, "{dim}");
            let mut rest = &token[..];
            for (block, group) in
                (0..layout.n_blocks).flat_map(|b| (0..GROUPS).map(move |g| (b, g)))
            {
                let (part, after) = rest.split_at(part_bytes(layout.bits[group]));
                let unpacked = Layout::unpack(layout.bits[group], part);
                for component in (0..dim).filter(|at| {
                    let (of, inside, _) = layout.place(*at);
                    (of, inside) == (group, block)
                }) {
                    assert_eq!(
                        unpacked[layout.place(component).2],
                        codes[component],
                        "{dim}"
                    );
                }
                rest = after;
            }
        }
    }

    #[test]
    fn levels_rise_and_stay_in_range() {
        for bits in 0..=MAX_BITS {
            let levels = levels_of(bits);
            assert_eq!(levels.len(), 1 << bits);
            assert!(levels.is_sorted_by(|a, b| a < b) && levels[levels.len() - 1] <= MAX_LEVEL);
        }
    }
}
