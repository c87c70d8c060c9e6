//! The two inner loops: integer products of coded tokens with query rows, and the maxima over them.
//!
//! **Blocks.** A row is cut into four groups of a quarter of its components each, and each group into
//! parts of 32; a block is a part of each group, in order. What a row lacks is filled with zeros in the
//! query, so that what the codes say there does not count. The components of a group have the same
//! number of bits, `b`, and a part of it has `4 b` bytes: for `b` of 4 and more 16 bytes with the upper
//! four bits of each code (component `k` is the low half of byte `k`, `16 + k` its high half), then,
//! if what is left of `b` is 2 or 3, 8 bytes with the next two (component `8 j + k` is bits `2 j` and
//! `2 j + 1` of byte `k`), then, if 1 is left, 4 bytes with the last (`4 j + k` is bit `j` of byte `k`).
//! So one load, one shift and one mask give 32 components side by side.
//!
//! **Range.** Levels are 0 to 119 and query values -127 to 127: two products are at most
//! 2 · 119 · 127 = 30,226 and fit a signed 16-bit lane, which is what `maddubs` adds up in. All
//! integer paths give the same integers; tests hold them to it.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod centroids;
mod layout;
#[cfg(target_arch = "aarch64")]
mod neon;
mod planes;
mod reconstruction_levels;
mod rows;
mod scalar;
mod token_scores;

pub(crate) use centroids::CentroidRows;
pub(crate) use layout::{BLOCK, CodeLayout, Codes, GROUPS, MAX_BITS, PART};
pub(crate) use planes::{Cell, CellQuery, CellToken, LANES, MAX_SUM, PLANE, Planes};
pub(crate) use reconstruction_levels::{ReconstructionLevels, lloyd_max_levels};
pub(crate) use rows::{PackedRows, ROW_GROUP};
pub(crate) use token_scores::{Centroids, Maxima, Scales, Tokens};

#[cfg(test)]
use token_scores::half_from;

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

/// `out[token * n_rows + row] = sum_d level(code[token][d]) * rows[row][d]`.
/// O(tokens × rows × components).
pub(crate) fn products(isa: Isa, codes: &Codes<'_>, rows: &PackedRows, out: &mut [i32]) {
    debug_assert_eq!(codes.n_tokens() * rows.n_rows(), out.len());
    if out.is_empty() {
        return;
    }
    match isa {
        Isa::Scalar => scalar::products(codes, rows, out),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 if avx512::has() => {
            #[expect(unsafe_code, reason = "calls code compiled for AVX-512")]
            // SAFETY: the features were found.
            unsafe {
                avx512::products(codes, rows, out);
            }
        }
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

/// Computes `[centroid * n_rows + row]`: products of rows with centroids. There are a multiple of
/// [`ROW_GROUP`] rows. O(centroids × rows × dim).
pub(crate) fn centroid_scores(isa: Isa, work: &CentroidRows<'_>, rows: &[f32]) -> Vec<f32> {
    debug_assert_eq!(work.steps.len() * work.dim, work.whole.len());
    debug_assert!(rows.len().is_multiple_of(ROW_GROUP * work.dim));
    let rows = centroids::WholeRows::new(rows, work.dim);
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 if avx512::has() => {
            #[expect(unsafe_code, reason = "calls code compiled for AVX-512")]
            // SAFETY: the features were found.
            unsafe {
                avx512::centroid_scores(work, &rows)
            }
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            #[expect(unsafe_code, reason = "calls code compiled for AVX2")]
            // SAFETY: `Isa::Avx2` is only made by `detect`, which has found the features.
            unsafe {
                avx2::centroid_scores(work, &rows)
            }
        }
        _ => centroids::in_pairs(work, &rows),
    }
}

/// Scores the tokens of a cell, `inverse_norm * base + scale * (factor * sum of table[plane][nibble] +
/// offset)`, and calls `visit(document, score)` for those above the floor, in order. Meanwhile the cell
/// that is `next` is fetched. O(tokens × planes).
pub(crate) fn visit_cell(
    isa: Isa,
    cell: &Cell<'_>,
    next: &[u8],
    wanted: &CellQuery<'_>,
    visit: impl FnMut(u32, f32),
) {
    debug_assert!(wanted.tables.len().is_multiple_of(8 * PLANE));
    // Only some processors are told what comes next.
    let _ = next;
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            #[expect(unsafe_code, reason = "calls code compiled for AVX2")]
            // SAFETY: `Isa::Avx2` is only made by `detect`, which has found the feature.
            unsafe {
                avx2::visit_cell(cell, next, wanted, visit);
            }
        }
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => cell.visit(wanted, neon::look_up, visit),
        Isa::Scalar => cell.visit(wanted, scalar::look_up, visit),
    }
}

/// `best[row] = max over tokens of inverse_norm * centroid score + scale * (factor * product +
/// offset)`, begun from what `best` holds. O(tokens × rows).
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

    fn random_rows(random: &mut fastrand::Rng, n_rows: usize, n_blocks: usize) -> PackedRows {
        let mut rows = PackedRows::new(n_rows, n_blocks);
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
            bits in proptest::array::uniform4(0u8..=MAX_BITS),
            n_blocks in 1usize..4,
            (n_tokens, groups) in (0usize..20, 1usize..5),
            seed in any::<u64>(),
        ) {
            let mut random = fastrand::Rng::with_seed(seed);
            let n_rows = groups * ROW_GROUP;
            let layout = &CodeLayout::new(n_blocks * BLOCK, bits);
            let bytes: Vec<u8> = (0..n_tokens * layout.stride()).map(|_| random.u8(..)).collect();
            let rows = random_rows(&mut random, n_rows, n_blocks);
            let codes = Codes { layout, bytes: &bytes };
            if layout.stride() > 0 {
                let mut native = vec![1; n_tokens * n_rows];
                let mut twin = vec![2; n_tokens * n_rows];
                products(Isa::detect(), &codes, &rows, &mut native);
                products(Isa::Scalar, &codes, &rows, &mut twin);
                prop_assert_eq!(&native, &twin);
                #[cfg(target_arch = "x86_64")]
                if Isa::detect() == Isa::Avx2 {
                    #[expect(unsafe_code, reason = "calls code compiled for AVX2")]
                    // SAFETY: the features were found.
                    unsafe {
                        avx2::products(&codes, &rows, &mut native);
                    }
                    prop_assert_eq!(&native, &twin);
                }
            }
        }

        #[test]
        fn all_ways_to_visit_a_cell_agree(
            (n_blocks, eights) in (1usize..5, 0usize..20), (skip, less) in (0..LANES, 0..LANES),
            seed in any::<u64>(),
        ) {
            let mut random = fastrand::Rng::with_seed(seed);
            let tables: Vec<u8> = (0..eights * 8 * PLANE).map(|_| random.u8(..)).collect();
            let mut blocks: Vec<u8> = Vec::new();
            for _ in 0..n_blocks {
                blocks.extend((0..4 * LANES).map(|_| random.u8(..)));
                let halves = (0..2 * LANES).map(|_| half::f16::from_f32(random.f32() + 0.1));
                blocks.extend(halves.flat_map(half::f16::to_le_bytes));
                blocks.extend((0..tables.len()).map(|_| random.u8(..)));
            }
            let n_tokens = (n_blocks * LANES - skip).saturating_sub(less);
            let cell = Cell { blocks: &blocks, skip, n_tokens };
            let (base, floor) = (0.5, 0.9);
            let wanted = CellQuery { tables: &tables, base, factor: 1e-4, offset: -0.3, floor };
            let visited = |isa| {
                let mut visited = Vec::new();
                visit_cell(isa, &cell, &blocks, &wanted, |document, score| visited.push((document, score)));
                visited
            };
            let (native, twin) = (visited(Isa::detect()), visited(Isa::Scalar));
            // The last bit of a score is free: where rounding decides, one of them may have it.
            let sure = |all: &[(u32, f32)]| -> Vec<u32> {
                all.iter().filter(|(_, score)| *score > floor + 1e-5).map(|(document, _)| *document).collect()
            };
            prop_assert_eq!(sure(&native), sure(&twin));
            let scores = |all: &[(u32, f32)]| all.iter().map(|(_, score)| f64::from(*score)).sum::<f64>();
            if native.len() == twin.len() {
                prop_assert!((scores(&native) - scores(&twin)).abs() < 1e-3);
            }
            prop_assert!(native.iter().all(|(_, score)| *score > floor));
        }
    }

    #[test]
    fn the_largest_values_do_not_saturate() {
        for bits in 1..=MAX_BITS {
            for value in [-127, 127] {
                let mut rows = PackedRows::new(ROW_GROUP, 1);
                for row in 0..ROW_GROUP {
                    (0..BLOCK).for_each(|component| rows.set(row, component, value));
                }
                let layout = &CodeLayout::new(BLOCK, [bits; GROUPS]);
                let bytes = vec![0xff; layout.stride()];
                let codes = Codes {
                    layout,
                    bytes: &bytes,
                };
                let mut out = [0; ROW_GROUP];
                products(Isa::detect(), &codes, &rows, &mut out);
                let top = lloyd_max_levels(bits)
                    .levels
                    .last()
                    .copied()
                    .map_or(0, i32::from);
                assert_eq!(out, [i32::from(value) * top * 128; ROW_GROUP]);
            }
        }
        let tables = vec![255; 256 * PLANE];
        for isa in [Isa::detect(), Isa::Scalar] {
            let mut blocks = vec![0; 8 * LANES];
            blocks[6 * LANES..].fill(0x3c);
            blocks.resize(8 * LANES + tables.len(), 0xa5);
            let (skip, n_tokens) = (0, LANES);
            let cell = Cell {
                blocks: &blocks,
                skip,
                n_tokens,
            };
            let (base, offset, floor) = (0.0, 0.0, 0.0);
            let wanted = CellQuery {
                tables: &tables,
                base,
                factor: 1.0,
                offset,
                floor,
            };
            let mut scores = Vec::new();
            visit_cell(isa, &cell, &[], &wanted, |_, score| scores.push(score));
            let one = half_from(0x3c3c);
            assert_eq!(scores, [one * 255.0 * 256.0; LANES]);
        }
    }

    #[test]
    fn halves_are_read_as_the_library_reads_them() {
        for value in [1.0f32, 0.5, 1.37, 6.2e-5, 3.0, 0.0123] {
            let half = half::f16::from_f32(value);
            assert_eq!(half_from(half.to_bits()), half.to_f32());
        }
        assert!(half_from(0) < 1e-4);
    }
}
