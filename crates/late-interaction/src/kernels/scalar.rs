//! The twin in plain Rust: short and slow.

use super::layout::code_in;
use super::{
    BLOCK, CentroidRows, Centroids, Codes, GROUPS, LANES, Maxima, PART, PIECE, PLANE, ROW_GROUP,
    Rows, half_from, levels_of,
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

pub(super) fn centroid_scores(work: &CentroidRows<'_>, rows: &[f32], out: &mut [f32]) {
    each_tile::<ROW_GROUP>(work, rows, out, |pieces, rows| {
        let mut sums = [[0.0f32; ROW_GROUP]; TILE];
        for (piece, rows) in pieces.iter().zip(rows.as_chunks::<PIECE>().0) {
            for (component, rows) in rows.iter().enumerate() {
                for (sums, centroid) in sums.iter_mut().zip(piece) {
                    let pairs = sums.iter_mut().zip(rows);
                    pairs.for_each(|(sum, x)| *sum += centroid[component] * x);
                }
            }
        }
        sums
    });
}

/// Centroids that are multiplied at a time.
pub(super) const TILE: usize = 8;

/// Some components of so many centroids.
pub(super) type Piece = [[f32; PIECE]; TILE];

/// Reads centroids a tile at a time and has `multiply` give their products with `L` rows.
#[inline(always)]
pub(super) fn each_tile<const L: usize>(
    work: &CentroidRows<'_>,
    rows: &[f32],
    out: &mut [f32],
    multiply: impl Fn(&[Piece], &[[f32; L]]) -> [[f32; L]; TILE],
) {
    let dim = work.dim;
    let padded = dim.next_multiple_of(PIECE);
    let n_rows = rows.len() / padded;
    let rows = rows.as_chunks::<L>().0;
    let mut pieces: Vec<Piece> = vec![[[0.0; PIECE]; TILE]; padded / PIECE];
    let tiles = work.whole.chunks(TILE * dim).zip(work.steps.chunks(TILE));
    for ((whole, steps), out) in tiles.zip(out.chunks_mut(TILE * n_rows)) {
        for (at, centroid) in whole.chunks_exact(dim).enumerate() {
            let (eights, rest) = centroid.as_chunks::<PIECE>();
            for (piece, components) in pieces.iter_mut().zip(eights) {
                piece[at] = components.map(f32::from);
            }
            if let Some(piece) = pieces.get_mut(eights.len()) {
                let pairs = piece[at].iter_mut().zip(rest);
                pairs.for_each(|(to, x)| *to = f32::from(*x));
            }
        }
        for (group, rows) in rows.chunks_exact(padded).enumerate() {
            let sums = multiply(&pieces, rows);
            let scored = sums.iter().zip(steps).zip(out.chunks_exact_mut(n_rows));
            for ((sums, step), out) in scored {
                let out = out[group * L..][..L].iter_mut();
                out.zip(sums).for_each(|(out, sum)| *out = sum * step);
            }
        }
    }
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
