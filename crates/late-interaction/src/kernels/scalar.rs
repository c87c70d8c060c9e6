//! The twin in plain Rust: short and slow.

use super::layout::code_in;
use super::{
    BLOCK, Centroids, Codes, GROUPS, LANES, Maxima, PART, PLANE, Rows, half_from, levels_of,
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
