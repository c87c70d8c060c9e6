//! AVX-512 with VNNI: four products of bytes in one step, where that tells.

use super::avx2::{self, Levels, TOKENS};
use super::centroids::{CentroidRows, PART, SideBySide, TILE, WholeRows, each_tile};
use super::rows::{QUAD, QUAD_ROWS, QUADS, Quads};
use super::{Codes, GROUPS, PackedRows};
use std::arch::x86_64::{
    __m512i, _mm256_setzero_si256, _mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_loadu_si512,
    _mm512_set1_epi32, _mm512_setzero_si512, _mm512_slli_epi32, _mm512_storeu_si512,
};

/// Whether the processor has what is used here.
pub(super) fn has() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni")
}

/// Rows lie side by side, so that nothing has to be added up across a register.
#[target_feature(enable = "avx512f,avx512vnni,avx2,fma")]
pub(super) fn products(codes: &Codes<'_>, rows: &PackedRows, out: &mut [i32]) {
    let (layout, n_rows) = (codes.layout, rows.n_rows());
    let mut levels: Vec<[Levels; TOKENS]> =
        vec![[[_mm256_setzero_si256(); GROUPS]; TOKENS]; layout.n_blocks];
    let some = codes.bytes.chunks(TOKENS * layout.stride());
    for (tokens, out) in some.zip(out.chunks_mut(TOKENS * n_rows)) {
        for (at, levels) in levels.iter_mut().enumerate() {
            avx2::expand(layout, tokens, at, levels);
        }
        let groups = rows.quads.chunks_exact(layout.n_blocks * QUADS);
        for (group, quads) in groups.enumerate() {
            let mut sums = [_mm512_setzero_si512(); TOKENS];
            for (levels, quads) in levels.iter().zip(quads.as_chunks::<QUADS>().0) {
                let levels: &[[[u8; QUAD]; QUADS]; TOKENS] = bytemuck::cast_ref(levels);
                for (at, quads) in quads.iter().enumerate() {
                    let rows = load(quads);
                    for (sum, levels) in sums.iter_mut().zip(levels) {
                        let numbers = _mm512_set1_epi32(i32::from_ne_bytes(levels[at]));
                        *sum = _mm512_dpbusd_epi32(*sum, numbers, rows);
                    }
                }
            }
            for (out, sum) in out.chunks_exact_mut(n_rows).zip(sums) {
                let mut all = [0; QUAD_ROWS];
                store(&mut all, sum);
                let out = out[group * QUAD_ROWS..].iter_mut();
                out.zip(all).for_each(|(out, sum)| *out = sum);
            }
        }
    }
}

/// Centroids' numbers are made positive by 128, and what that adds taken off; rows' are cut into
/// `256 · high + low`.
#[target_feature(enable = "avx512f,avx512vnni,avx2,fma")]
pub(super) fn centroid_scores(work: &CentroidRows<'_>, rows: &WholeRows) -> Vec<f32> {
    let rows_of = rows.side_by_side::<QUAD, { PART / QUAD }, QUAD_ROWS>();
    let halves = SideBySide {
        n_parts: rows_of.n_parts,
        parts: rows_of.parts.iter().map(split).collect(),
    };
    let mut offsets: Vec<i32> = rows.sums().map(|sum| sum.wrapping_mul(-128)).collect();
    offsets.resize(offsets.len().next_multiple_of(QUAD_ROWS), 0);
    let offsets = offsets.as_chunks::<QUAD_ROWS>().0;
    let positive = |x: i8| x.cast_unsigned() ^ 0x80;
    each_tile::<_, QUAD_ROWS>(work, &rows.steps, positive, |tile, group| {
        let mut high = [_mm512_setzero_si512(); TILE];
        let mut low = [load(&offsets[group]); TILE];
        for (centroids, halves) in tile.iter().zip(halves.group(group)) {
            for (at, [upper, lower]) in halves.iter().enumerate() {
                let (upper, lower) = (load(upper), load(lower));
                for ((high, low), centroid) in high.iter_mut().zip(&mut low).zip(centroids) {
                    let four = centroid.as_chunks::<QUAD>().0[at];
                    let numbers = _mm512_set1_epi32(i32::from_ne_bytes(four));
                    *high = _mm512_dpbusd_epi32(*high, numbers, upper);
                    *low = _mm512_dpbusd_epi32(*low, numbers, lower);
                }
            }
        }
        let mut sums = [[0; QUAD_ROWS]; TILE];
        for ((sums, high), low) in sums.iter_mut().zip(high).zip(low) {
            store(sums, _mm512_add_epi32(_mm512_slli_epi32::<8>(high), low));
        }
        sums
    })
}

fn split<const N: usize>(part: &[[[i16; QUAD]; QUAD_ROWS]; N]) -> [[Quads; 2]; N] {
    let low = |x: i16| x as i8;
    let high = |x: i16| ((x - i16::from(low(x))) >> 8) as i8;
    part.map(|quads| {
        [
            quads.map(|quad| quad.map(high)),
            quads.map(|quad| quad.map(low)),
        ]
    })
}

/// 64 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
fn load<T: bytemuck::Pod>(bytes: &[T; QUAD_ROWS]) -> __m512i {
    const { assert!(size_of::<T>() == 4) }
    #[expect(unsafe_code, reason = "loads through a pointer")]
    // SAFETY: the array has as many bytes as are read.
    unsafe {
        _mm512_loadu_si512(bytes.as_ptr().cast())
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(to: &mut [i32; QUAD_ROWS], all: __m512i) {
    #[expect(unsafe_code, reason = "stores through a pointer")]
    // SAFETY: the array has as many bytes as are written.
    unsafe {
        _mm512_storeu_si512(to.as_mut_ptr().cast(), all);
    }
}
