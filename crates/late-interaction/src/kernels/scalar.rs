//! The twin in plain Rust: short and slow.

use super::{BLOCK, Centroids, Maxima, Products};
use crate::codec::{Bits, code_at};

pub(super) fn products(work: &Products<'_>, out: &mut [i32]) {
    let n_rows = work.n_rows();
    let tokens = work.codes.chunks_exact(work.stride());
    for (token, out) in tokens.zip(out.chunks_exact_mut(n_rows)) {
        let levels = expand(work.bits, work.levels, token);
        let rows = work.rows.chunks_exact(work.n_blocks * BLOCK);
        for (out, row) in out.iter_mut().zip(rows) {
            *out = levels
                .iter()
                .zip(row)
                .map(|(level, value)| i32::from(*level) * i32::from(*value))
                .sum();
        }
    }
}

fn expand(bits: Bits, levels: &[u8; 16], token: &[u8]) -> Vec<u8> {
    let n_components = token.len() / bits.block_bytes() * BLOCK;
    (0..n_components)
        .map(|component| levels[usize::from(code_at(bits, token, component))])
        .collect()
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
    let tokens = centroids.zip(work.tokens.inverse_norms).zip(products);
    for ((centroid, inverse_norm), products) in tokens {
        let inverse_norm = half::f16::from_bits(*inverse_norm).to_f32();
        let scores = &work.centroid_scores[centroid * n_rows..(centroid + 1) * n_rows];
        for row in 0..n_rows {
            let raw = scores[row] + factor[row] * products[row] as f32 + offset[row];
            best[row] = best[row].max(inverse_norm * raw);
        }
    }
}
