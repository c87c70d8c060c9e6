//! AVX-512: twice as many rows a register, where that tells.

use super::scalar::{self, TILE};
use super::{CentroidRows, PIECE};
use std::arch::x86_64::{
    _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_storeu_ps,
};

/// Rows of a register.
pub(super) const ROWS: usize = 16;

#[target_feature(enable = "avx512f,avx2,fma")]
pub(super) fn centroid_scores(work: &CentroidRows<'_>, rows: &[f32], out: &mut [f32]) {
    scalar::each_tile::<ROWS>(work, rows, out, |pieces, rows| {
        let mut sums = [_mm512_setzero_ps(); TILE];
        for (piece, rows) in pieces.iter().zip(rows.as_chunks::<PIECE>().0) {
            for (component, row) in rows.iter().enumerate() {
                #[expect(unsafe_code, reason = "loads through a pointer")]
                // SAFETY: the array has as many values as are read.
                let row = unsafe { _mm512_loadu_ps(row.as_ptr()) };
                for (sum, centroid) in sums.iter_mut().zip(piece) {
                    *sum = _mm512_fmadd_ps(_mm512_set1_ps(centroid[component]), row, *sum);
                }
            }
        }
        let mut all = [[0.0; ROWS]; TILE];
        for (out, sum) in all.iter_mut().zip(sums) {
            #[expect(unsafe_code, reason = "stores through a pointer")]
            // SAFETY: the array has as many values as are written.
            unsafe {
                _mm512_storeu_ps(out.as_mut_ptr(), sum);
            }
        }
        all
    });
}
