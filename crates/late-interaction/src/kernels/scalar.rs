//! The twin in plain Rust: short and slow.

use super::reconstruction_levels::{ReconstructionLevels, lloyd_max_levels};
use super::token_scores::half_from;
use super::{Centroids, Codes, GROUPS, LANES, Maxima, PART, PLANE, PackedRows};

pub(super) fn products(codes: &Codes<'_>, rows: &PackedRows, out: &mut [i32]) {
    let n_rows = rows.n_rows();
    let layout = codes.layout;
    let tokens = codes.bytes.chunks_exact(layout.stride());
    let by_group: [ReconstructionLevels; GROUPS] = layout.bits.map(lloyd_max_levels);
    let mut levels = Vec::new();
    for (token, out) in tokens.zip(out.chunks_exact_mut(n_rows)) {
        levels.clear();
        for block in token.chunks_exact(layout.block_bytes()) {
            let codes = layout.codes(block);
            let parts = codes.chunks_exact(PART).zip(&by_group);
            let of_part = |(codes, of_group): (&[u8], &ReconstructionLevels)| -> Vec<i32> {
                let level = |code: &u8| i32::from(of_group.levels[usize::from(*code)]);
                codes.iter().map(level).collect()
            };
            levels.extend(parts.flat_map(of_part));
        }
        for (row, out) in out.iter_mut().enumerate() {
            let products = levels.iter().enumerate();
            *out = products
                .map(|(slot, level)| level * i32::from(rows.get(row, slot)))
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
