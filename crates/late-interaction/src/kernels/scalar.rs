//! The twin in plain Rust: short and slow.

use super::layout::code_in;
use super::{
    BLOCK, CentroidRows, Centroids, Codes, GROUPS, LANES, Maxima, PART, PLANE, ROW_GROUP, Rows,
    half_from, levels_of,
};

pub(super) fn products(codes: &Codes<'_>, rows: &Rows, out: &mut [i32]) {
    let n_rows = rows.n_rows();
    let layout = codes.layout;
    let tokens = codes.bytes.chunks_exact(layout.stride());
    for (token, out) in tokens.zip(out.chunks_exact_mut(n_rows)) {
        for (row, out) in out.iter_mut().enumerate() {
            let level = |slot: usize| {
                let (block, group, at) = (slot / BLOCK, slot % BLOCK / PART, slot % PART);
                let before: u8 = layout.bits[..group].iter().sum();
                let first = block * layout.block_bytes() + PART / 8 * usize::from(before);
                level(layout.bits[group], &token[first..], at)
            };
            *out = (0..layout.n_blocks * GROUPS * PART)
                .map(|slot| level(slot) * i32::from(rows.get(row, slot)))
                .sum();
        }
    }
}

pub(super) fn look_up(planes: &[u8], tables: &[u8]) -> [u16; LANES] {
    let tables = tables.as_chunks::<PLANE>().0;
    std::array::from_fn(|lane| {
        let (byte, shift) = (lane % PLANE, lane / PLANE * 4);
        let planes = planes.chunks_exact(PLANE).zip(tables);
        planes
            .map(|(plane, table)| u16::from(table[usize::from(plane[byte] >> shift & 15)]))
            .sum()
    })
}

/// Centroids that are multiplied at a time.
const TILE: usize = 8;

#[inline(always)]
pub(super) fn centroid_scores<const FUSED: bool>(
    work: &CentroidRows<'_>,
    rows: &[f32],
    out: &mut [f32],
) {
    let dim = work.dim;
    let n_rows = rows.len() / dim;
    let mut turned = vec![[0.0; TILE]; dim];
    let tiles = work.whole.chunks(TILE * dim).zip(work.steps.chunks(TILE));
    for ((whole, steps), out) in tiles.zip(out.chunks_mut(TILE * n_rows)) {
        for (at, centroid) in whole.chunks_exact(dim).enumerate() {
            for (turned, x) in turned.iter_mut().zip(centroid) {
                turned[at] = f32::from(*x);
            }
        }
        for (group, rows) in rows.chunks_exact(dim * ROW_GROUP).enumerate() {
            let sums = tile::<FUSED>(&turned, rows);
            let scored = sums.iter().zip(steps).zip(out.chunks_exact_mut(n_rows));
            for ((sums, step), out) in scored {
                let out = &mut out[group * ROW_GROUP..][..ROW_GROUP];
                out.iter_mut()
                    .zip(sums)
                    .for_each(|(out, sum)| *out = sum * step);
            }
        }
    }
}

#[inline(always)]
fn tile<const FUSED: bool>(turned: &[[f32; TILE]], rows: &[f32]) -> [[f32; ROW_GROUP]; TILE] {
    let mut sums = [[0.0f32; ROW_GROUP]; TILE];
    let (rows, _) = rows.as_chunks::<ROW_GROUP>();
    for (centroids, rows) in turned.iter().zip(rows) {
        for (sums, x) in sums.iter_mut().zip(centroids) {
            for (sum, y) in sums.iter_mut().zip(rows) {
                *sum = match FUSED {
                    true => x.mul_add(*y, *sum),
                    false => *sum + x * y,
                };
            }
        }
    }
    sums
}

fn level(bits: u8, part: &[u8], at: usize) -> i32 {
    i32::from(levels_of(bits)[usize::from(code_in(bits, part, at))])
}

#[inline(always)]
pub(super) fn maxima(work: &Maxima<'_>, best: &mut [f32]) {
    match work.tokens.centroids {
        Centroids::Narrow(all) => maxima_of(work, all.iter().map(|at| usize::from(*at)), best),
        Centroids::Wide(all) => maxima_of(work, all.iter().map(|at| *at as usize), best),
    }
}

#[inline(always)]
fn maxima_of(work: &Maxima<'_>, centroids: impl Iterator<Item = usize>, best: &mut [f32]) {
    let n_rows = best.len();
    let (factor, offset) = (&work.scales.factor[..n_rows], &work.scales.offset[..n_rows]);
    let products = work.products.chunks_exact(n_rows);
    let scales = work.tokens.inverse_norms.iter().zip(work.tokens.scales);
    for ((centroid, (norm, scale)), products) in centroids.zip(scales).zip(products) {
        let (norm, scale) = (half_from(*norm), half_from(*scale));
        let scores = &work.centroid_scores[centroid * n_rows..(centroid + 1) * n_rows];
        for row in 0..n_rows {
            let rest = factor[row] * products[row] as f32 + offset[row];
            best[row] = best[row].max(norm * scores[row] + scale * rest);
        }
    }
}
