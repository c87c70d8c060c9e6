//! Products of a query's rows with all centroids, in integers.
//!
//! A centroid has whole numbers of its step, -127 to 127; a row is rounded to as many steps of its own
//! as 16 bits and a sum of 32 bits leave it: at most 32,639, and no more than keeps
//! `127 · components · steps` below 2³¹. What rounding takes is at most half a step a component, 2⁻¹⁶ of
//! the row's largest. All paths give the same integers and then the same floats; tests hold them to it.

use super::ROW_GROUP;

/// Centroids that are multiplied at a time.
pub(super) const TILE: usize = 8;

/// So that a byte of its own, -128 to 127, is left above the lower one.
const MAX_WHOLE: i32 = 32_639;

/// Centroids as they are on disk.
#[derive(Clone, Copy)]
pub(crate) struct CentroidRows<'a> {
    pub(crate) dim: usize,
    /// Row by row.
    pub(crate) whole: &'a [i8],
    /// What each row is multiplied with.
    pub(crate) steps: &'a [f32],
}

/// A query's rows in steps.
pub(super) struct WholeRows {
    dim: usize,
    values: Vec<i16>,
    /// The step of each row.
    pub(super) steps: Vec<f32>,
}

impl WholeRows {
    pub(super) fn new(rows: &[f32], dim: usize) -> Self {
        let most = (i32::MAX / (127 * dim as i32)).min(MAX_WHOLE) as f32;
        let step = |row: &[f32]| {
            let largest = row.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            // Empty rows have a step too: one that is no denormal number, which would be slow.
            if largest > 0.0 { largest / most } else { 1.0 }
        };
        let steps: Vec<f32> = rows.chunks_exact(dim).map(step).collect();
        let values = rows.chunks_exact(dim).zip(&steps);
        let in_steps = |(row, step): (&[f32], &f32)| -> Vec<i16> {
            row.iter().map(|x| (x / step).round() as i16).collect()
        };
        Self {
            dim,
            values: values.flat_map(in_steps).collect(),
            steps,
        }
    }

    /// In groups of `L` rows: `P` components of each, then their next ones, `N` times a part; zeros
    /// where there are none.
    pub(super) fn side_by_side<const P: usize, const N: usize, const L: usize>(
        &self,
    ) -> SideBySide<[[[i16; P]; L]; N]> {
        let n_parts = self.dim.div_ceil(PART);
        let mut parts = vec![[[[0; P]; L]; N]; self.steps.len().div_ceil(L) * n_parts];
        for (row, values) in self.values.chunks_exact(self.dim).enumerate() {
            let parts = &mut parts[row / L * n_parts..][..n_parts];
            let pieces = parts.as_flattened_mut().iter_mut();
            for (pieces, values) in pieces.zip(values.chunks(P)) {
                pieces[row % L][..values.len()].copy_from_slice(values);
            }
        }
        SideBySide { n_parts, parts }
    }

    /// Of each row the sum of its values.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn sums(&self) -> impl Iterator<Item = i32> {
        let rows = self.values.chunks_exact(self.dim);
        rows.map(|row| row.iter().map(|x| i32::from(*x)).sum())
    }
}

/// Rows in groups, each in parts of [`PART`] components.
pub(super) struct SideBySide<T> {
    pub(super) n_parts: usize,
    /// Group by group.
    pub(super) parts: Vec<T>,
}

impl<T> SideBySide<T> {
    /// The parts of a group of rows.
    pub(super) fn group(&self, group: usize) -> &[T] {
        &self.parts[group * self.n_parts..][..self.n_parts]
    }
}

/// Components that are read at a time.
pub(super) const PART: usize = 32;

/// Some components of this many centroids.
pub(super) type Tile<T> = [[T; PART]; TILE];

/// Reads centroids a tile at a time, each number by `load`, and has `multiply` give their products
/// with a group of `L` rows.
#[inline(always)]
pub(super) fn each_tile<T: Copy, const L: usize>(
    work: &CentroidRows<'_>,
    row_steps: &[f32],
    load: impl Fn(i8) -> T,
    multiply: impl Fn(&[Tile<T>], usize) -> [[i32; L]; TILE],
) -> Vec<f32> {
    let (dim, n_rows) = (work.dim, row_steps.len());
    let mut tile: Vec<Tile<T>> = vec![[[load(0); PART]; TILE]; dim.div_ceil(PART)];
    let mut scored = vec![0.0; TILE * n_rows];
    let mut all = Vec::with_capacity(work.steps.len() * n_rows);
    let tiles = work.whole.chunks(TILE * dim);
    for (whole, steps) in tiles.zip(work.steps.chunks(TILE)) {
        for (at, centroid) in whole.chunks_exact(dim).enumerate() {
            let (parts, rest) = centroid.as_chunks::<PART>();
            for (tile, part) in tile.iter_mut().zip(parts) {
                tile[at] = std::array::from_fn(|component| load(part[component]));
            }
            if let Some(tile) = tile.get_mut(parts.len()) {
                let to = tile[at].iter_mut();
                to.zip(rest).for_each(|(to, x)| *to = load(*x));
            }
        }
        for (group, row_steps) in row_steps.chunks(L).enumerate() {
            let sums = multiply(&tile, group);
            let out = scored.chunks_exact_mut(n_rows);
            for ((sums, step), out) in sums.iter().zip(steps).zip(out) {
                let out = out[group * L..].iter_mut();
                for ((out, sum), row_step) in out.zip(sums).zip(row_steps) {
                    *out = *sum as f32 * (step * row_step);
                }
            }
        }
        all.extend_from_slice(&scored[..steps.len() * n_rows]);
    }
    all
}

/// The twin in plain Rust.
pub(super) fn in_pairs(work: &CentroidRows<'_>, rows: &WholeRows) -> Vec<f32> {
    let rows_of = rows.side_by_side::<2, 16, ROW_GROUP>();
    each_tile::<_, ROW_GROUP>(work, &rows.steps, i16::from, |tile, group| {
        let mut sums = [[0; ROW_GROUP]; TILE];
        for (centroids, pairs) in tile.iter().zip(rows_of.group(group)) {
            for (at, pairs) in pairs.iter().enumerate() {
                for (sums, centroid) in sums.iter_mut().zip(centroids) {
                    let (a, b) = (i32::from(centroid[2 * at]), i32::from(centroid[2 * at + 1]));
                    for (sum, [x, y]) in sums.iter_mut().zip(pairs) {
                        *sum += a * i32::from(*x) + b * i32::from(*y);
                    }
                }
            }
        }
        sums
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::kernels::avx2;
    use crate::kernels::{Isa, centroid_scores};
    use proptest::prelude::*;

    fn all_ways(work: &CentroidRows<'_>, rows: &[f32]) -> Vec<Vec<f32>> {
        let mut ways = vec![centroid_scores(Isa::Scalar, work, rows)];
        ways.push(centroid_scores(Isa::detect(), work, rows));
        #[cfg(target_arch = "x86_64")]
        if Isa::detect() == Isa::Avx2 {
            let rows = WholeRows::new(rows, work.dim);
            #[expect(unsafe_code, reason = "calls code compiled for AVX2")]
            // SAFETY: the features were found.
            ways.push(unsafe { avx2::centroid_scores(work, &rows) });
        }
        ways
    }

    proptest! {
        #[test]
        fn centroid_scores_are_products_whatever_the_processor(
            (n_centroids, groups, dim) in (0usize..20, 1usize..5, 1usize..140), seed in any::<u64>(),
        ) {
            let mut random = fastrand::Rng::with_seed(seed);
            let whole: Vec<i8> = (0..n_centroids * dim).map(|_| random.i8(-127..=127)).collect();
            let steps: Vec<f32> = (0..n_centroids).map(|_| random.f32() / 100.0).collect();
            let n_rows = groups * ROW_GROUP;
            let rows: Vec<f32> = (0..n_rows * dim).map(|_| random.f32() - 0.5).collect();
            let work = CentroidRows { dim, whole: &whole, steps: &steps };
            let ways = all_ways(&work, &rows);
            let centroids = whole.chunks_exact(dim).zip(&steps);
            let expected: Vec<f32> = centroids.flat_map(|(centroid, step)| {
                rows.chunks_exact(dim).map(move |row| {
                    let products = row.iter().zip(centroid).map(|(a, b)| f64::from(*a) * f64::from(*b));
                    (products.sum::<f64>() * f64::from(*step)) as f32
                })
            }).collect();
            prop_assert_eq!(ways[0].len(), expected.len());
            for (score, expected) in ways[0].iter().zip(&expected) {
                prop_assert!((score - expected).abs() < 1e-3);
            }
            for other in &ways[1..] {
                prop_assert_eq!(&ways[0], other);
            }
        }
    }

    #[test]
    fn the_largest_sums_fit() {
        for dim in [1, 128, 515, 516, 517, 1024] {
            let whole: Vec<i8> = [127, -127].into_iter().flat_map(|x| vec![x; dim]).collect();
            let work = CentroidRows {
                dim,
                whole: &whole,
                steps: &[1.0, 1.0],
            };
            for x in [1.0f32, -1.0, 0.0] {
                for scores in all_ways(&work, &vec![x; dim * ROW_GROUP]) {
                    let all = x * 127.0 * dim as f32;
                    let (up, down) = scores.split_at(ROW_GROUP);
                    assert!(
                        up.iter()
                            .all(|score| (score - all).abs() <= 1e-4 * all.abs())
                    );
                    assert!(
                        down.iter()
                            .all(|score| (score + all).abs() <= 1e-4 * all.abs())
                    );
                }
            }
        }
    }
}
