//! The two inner loops: integer products of coded tokens with query rows, and the maxima over them.
//!
//! **Blocks.** A row is cut into blocks of 128 components; a shorter row is filled with zeros in the
//! query, so that what the codes say there does not count. A block of `b`-bit codes has `16 b`
//! bytes. 4 bit: component `k` and `32 + k` are the low and the high half of byte `k`, `64 + k` and
//! `96 + k` those of byte `32 + k` (`k < 32`). 2 bit: component `32 j + k` is bits `2 j` and `2 j + 1`
//! of byte `k`. 1 bit: component `16 j + k` is bit `j` of byte `k` (`k < 16`). So 32 bytes and a shift
//! give 32 components side by side.
//!
//! **Range.** Levels are 0 to 64 and query values -127 to 127: four products are at most
//! 4 · 64 · 127 = 32,512 and fit a signed 16-bit lane, which is what `maddubs` adds up in. All
//! integer paths give the same integers; tests hold them to it.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;

use crate::codec::Bits;

/// Components of a block.
pub(crate) const BLOCK: usize = 128;

/// The largest level.
pub(crate) const MAX_LEVEL: u8 = 64;

/// Rows of a query are filled up to a multiple of this.
pub(crate) const ROW_GROUP: usize = 8;

/// Rows that are multiplied at a time.
const ROWS_AT_A_TIME: usize = 4;

/// 128 components of a query row.
pub(crate) type RowBlock = [i8; BLOCK];

/// Query rows in the order in which kernels read them: four rows' first blocks, their second ones
/// and so on, then the next four rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    blocks: Vec<RowBlock>,
    n_blocks: usize,
}

impl Rows {
    /// `n_rows` rows of zeros, a multiple of [`ROW_GROUP`].
    pub(crate) fn new(n_rows: usize, n_blocks: usize) -> Self {
        debug_assert!(n_rows.is_multiple_of(ROW_GROUP));
        Self {
            blocks: vec![[0; BLOCK]; n_rows * n_blocks],
            n_blocks,
        }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.blocks.len() / self.n_blocks.max(1)
    }

    fn place(&self, row: usize, block: usize) -> usize {
        let (group, inside) = (row / ROWS_AT_A_TIME, row % ROWS_AT_A_TIME);
        (group * self.n_blocks + block) * ROWS_AT_A_TIME + inside
    }

    pub(crate) fn set(&mut self, row: usize, component: usize, value: i8) {
        let place = self.place(row, component / BLOCK);
        self.blocks[place][component % BLOCK] = value;
    }

    /// A row's blocks.
    pub(crate) fn row(&self, row: usize) -> Vec<RowBlock> {
        (0..self.n_blocks)
            .map(|block| self.blocks[self.place(row, block)])
            .collect()
    }
}

/// Which code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isa {
    /// Plain Rust: the twin that the others are compared to.
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Isa {
    /// The best of this machine.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return Self::Avx2;
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            return Self::Neon;
        }
        Self::Scalar
    }
}

/// Coded tokens, and how to read them.
#[derive(Clone, Copy)]
pub(crate) struct Codes<'a> {
    pub(crate) bits: Bits,
    /// The level of each code; the first `2^bits` count.
    pub(crate) levels: &'a [u8; 16],
    /// Tokens of `n_blocks` blocks each.
    pub(crate) bytes: &'a [u8],
    pub(crate) n_blocks: usize,
}

impl Codes<'_> {
    /// Bytes of a token.
    pub(crate) fn stride(&self) -> usize {
        self.n_blocks * self.bits.block_bytes()
    }

    pub(crate) fn n_tokens(&self) -> usize {
        self.bytes.len() / self.stride()
    }
}

/// `out[token * n_rows + row] = sum_d level(code[token][d]) * rows[row][d]`.
/// O(tokens × rows × components).
pub(crate) fn products(isa: Isa, codes: &Codes<'_>, rows: &Rows, out: &mut [i32]) {
    debug_assert_eq!(codes.n_tokens() * rows.n_rows(), out.len());
    if out.is_empty() {
        return;
    }
    match isa {
        Isa::Scalar => scalar::products(codes, rows, out),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            #[expect(unsafe_code, reason = "calls code compiled for AVX2")]
            // SAFETY: `Isa::Avx2` is only made by `detect`, which has found the feature.
            unsafe {
                avx2::products(codes, rows, out);
            }
        }
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => neon::products(codes, rows, out),
    }
}

/// `out[token] = sum_d level(code[token][d]) * row[d]`. O(tokens × components).
pub(crate) fn products_of_row(isa: Isa, codes: &Codes<'_>, row: &[RowBlock], out: &mut [i32]) {
    debug_assert!(codes.n_tokens() == out.len() && codes.n_blocks == row.len());
    match isa {
        Isa::Scalar => scalar::products_of_row(codes, row, out),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            #[expect(unsafe_code, reason = "calls code compiled for AVX2")]
            // SAFETY: `Isa::Avx2` is only made by `detect`, which has found the feature.
            unsafe {
                avx2::products_of_row(codes, row, out);
            }
        }
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => neon::products_of_row(codes, row, out),
    }
}

/// What turns integers into scores, for each query row.
pub(crate) struct Scales<'a> {
    /// Factor of the integer product.
    pub(crate) factor: &'a [f32],
    /// What the lowest level adds.
    pub(crate) offset: &'a [f32],
}

/// A document's tokens with what their codes leave open.
#[derive(Clone, Copy)]
pub(crate) struct Tokens<'a> {
    /// Centroid of each token.
    pub(crate) centroids: Centroids<'a>,
    /// 1 / norm of each reconstruction, as bits of an f16.
    pub(crate) inverse_norms: &'a [u16],
}

impl Tokens<'_> {
    pub(crate) fn slice(self, range: std::ops::Range<usize>) -> Self {
        Self {
            centroids: self.centroids.slice(range.clone()),
            inverse_norms: &self.inverse_norms[range],
        }
    }

    pub(crate) fn inverse_norm(&self, token: usize) -> f32 {
        half::f16::from_bits(self.inverse_norms[token]).to_f32()
    }
}

/// Centroid numbers, as narrow as the codec allows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Centroids<'a> {
    Narrow(&'a [u16]),
    Wide(&'a [u32]),
}

impl<'a> Centroids<'a> {
    pub(crate) fn get(self, token: usize) -> usize {
        match self {
            Self::Narrow(all) => usize::from(all[token]),
            Self::Wide(all) => all[token] as usize,
        }
    }

    pub(crate) fn slice(self, range: std::ops::Range<usize>) -> Self {
        match self {
            Self::Narrow(all) => Self::Narrow(&all[range]),
            Self::Wide(all) => Self::Wide(&all[range]),
        }
    }
}

/// Inputs of [`maxima`].
pub(crate) struct Maxima<'a> {
    pub(crate) tokens: Tokens<'a>,
    /// `products` of the tokens.
    pub(crate) products: &'a [i32],
    /// Scores of the centroids: `centroid * n_rows + row`.
    pub(crate) centroid_scores: &'a [f32],
    pub(crate) scales: Scales<'a>,
}

/// `best[row] = max over tokens of inverse_norm * (centroid score + factor * product + offset)`,
/// begun from what `best` holds. O(tokens × rows).
pub(crate) fn maxima(isa: Isa, work: &Maxima<'_>, best: &mut [f32]) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            #[expect(unsafe_code, reason = "calls code compiled for AVX2")]
            // SAFETY: `Isa::Avx2` is only made by `detect`, which has found the features.
            unsafe {
                avx2::maxima(work, best);
            }
        }
        _ => scalar::maxima(work, best),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bits() -> impl Strategy<Value = Bits> {
        prop_oneof![Just(Bits::One), Just(Bits::Two), Just(Bits::Four)]
    }

    fn random_rows(random: &mut fastrand::Rng, n_rows: usize, n_blocks: usize) -> Rows {
        let mut rows = Rows::new(n_rows, n_blocks);
        for row in 0..n_rows {
            for component in 0..n_blocks * BLOCK {
                rows.set(row, component, random.i8(-127..=127));
            }
        }
        rows
    }

    proptest! {
        #[test]
        fn all_integer_paths_agree(
            bits in bits(),
            n_blocks in 1usize..4,
            (n_tokens, groups) in (0usize..9, 1usize..4),
            levels in proptest::array::uniform16(0u8..=MAX_LEVEL),
            seed in any::<u64>(),
        ) {
            let mut random = fastrand::Rng::with_seed(seed);
            let n_rows = groups * ROW_GROUP;
            let bytes: Vec<u8> =
                (0..n_tokens * n_blocks * bits.block_bytes()).map(|_| random.u8(..)).collect();
            let rows = random_rows(&mut random, n_rows, n_blocks);
            let codes = Codes { bits, levels: &levels, bytes: &bytes, n_blocks };
            let mut native = vec![1; n_tokens * n_rows];
            let mut twin = vec![2; n_tokens * n_rows];
            products(Isa::detect(), &codes, &rows, &mut native);
            products(Isa::Scalar, &codes, &rows, &mut twin);
            prop_assert_eq!(&native, &twin);
            for row in 0..n_rows {
                let mut native = vec![1; n_tokens];
                products_of_row(Isa::detect(), &codes, &rows.row(row), &mut native);
                let of_all: Vec<i32> = twin.iter().skip(row).step_by(n_rows).copied().collect();
                prop_assert_eq!(native, of_all);
            }
        }
    }

    #[test]
    fn the_largest_values_do_not_saturate() {
        for bits in [Bits::One, Bits::Two, Bits::Four] {
            for value in [-127, 127] {
                let mut rows = Rows::new(ROW_GROUP, 1);
                for row in 0..ROW_GROUP {
                    (0..BLOCK).for_each(|component| rows.set(row, component, value));
                }
                let bytes = vec![0xff; bits.block_bytes()];
                let levels = &[MAX_LEVEL; 16];
                let codes = Codes {
                    bits,
                    levels,
                    bytes: &bytes,
                    n_blocks: 1,
                };
                let mut out = [0; ROW_GROUP];
                products(Isa::detect(), &codes, &rows, &mut out);
                assert_eq!(out, [i32::from(value) * 64 * 128; ROW_GROUP]);
            }
        }
    }
}
