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
const MAX_LEVEL: u8 = 64;

const EVEN_5: [u8; 32] = even(2);
const EVEN_6: [u8; 64] = even(1);

const fn even<const N: usize>(by: u8) -> [u8; N] {
    let mut levels = [0; N];
    let mut at = 1;
    while at < N {
        levels[at] = levels[at - 1] + by;
        at += 1;
    }
    levels
}

/// The level of each code; up to 4 bits the weights of Max (1960) for a Gaussian, rounded to the
/// step that loses least.
pub(crate) fn levels_of(bits: u8) -> &'static [u8] {
    match bits {
        0 => &[0],
        1 => &[10, 54],
        2 => &[2, 23, 41, 62],
        3 => &[6, 16, 23, 29, 35, 41, 48, 58],
        4 => &[
            3, 10, 15, 19, 22, 25, 28, 31, 33, 36, 39, 42, 45, 49, 54, 61,
        ],
        5 => &EVEN_5,
        _ => &EVEN_6,
    }
}

/// How many bits the groups have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) bits: [u8; GROUPS],
    /// Levels of up to 16 codes, for each group.
    pub(crate) tables: [[u8; 16]; GROUPS],
    pub(crate) n_blocks: usize,
    group_len: usize,
}

impl Layout {
    pub(crate) fn new(dim: usize, bits: [u8; GROUPS]) -> Self {
        Self {
            bits,
            tables: bits.map(|bits| {
                let levels = levels_of(bits);
                std::array::from_fn(|code| levels.get(code).copied().unwrap_or(0))
            }),
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
