//! The twin in plain Rust: short and slow.

use super::{BLOCK, Centroids, Codes, Maxima, RowBlock, Rows};
use crate::codec::{Bits, code_at};

pub(super) fn products(codes: &Codes<'_>, rows: &Rows, out: &mut [i32]) {
    let n_rows = rows.n_rows();
    let mut of_row = vec![0; codes.n_tokens()];
    for row in 0..n_rows {
        products_of_row(codes, &rows.row(row), &mut of_row);
        let places = out.iter_mut().skip(row).step_by(n_rows);
        places
            .zip(&of_row)
            .for_each(|(out, product)| *out = *product);
    }
}

pub(super) fn products_of_row(codes: &Codes<'_>, row: &[RowBlock], out: &mut [i32]) {
    for (token, out) in codes.bytes.chunks_exact(codes.stride()).zip(out) {
        let levels = expand(codes.bits, codes.levels, token);
        let pairs = levels.iter().zip(row.as_flattened());
        *out = pairs
            .map(|(level, value)| i32::from(*level) * i32::from(*value))
            .sum();
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
