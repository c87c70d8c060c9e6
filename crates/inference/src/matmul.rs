//! Matrix products on strided slices, by `gemm`: candle's CPU kernel, without candle's tensors.
//!
//! The forward pass reads and writes parts of its own buffers (a head's columns of the fused
//! projection), which tensors would have to copy out and in.

use gemm::Parallelism;

/// A read-only matrix inside a slice; element `(i, j)` is at `i * row_stride + j * col_stride`.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a> {
    data: &'a [f32],
    n_rows: usize,
    n_cols: usize,
    row_stride: usize,
    col_stride: usize,
}

/// A writable row-major matrix inside a slice.
pub(crate) struct MatrixMut<'a> {
    data: &'a mut [f32],
    n_rows: usize,
    n_cols: usize,
    row_stride: usize,
}

impl<'a> Matrix<'a> {
    /// The first `n_rows` rows of `n_cols` columns, `row_stride` apart.
    pub(crate) fn new(data: &'a [f32], n_rows: usize, n_cols: usize, row_stride: usize) -> Self {
        assert_fits(data.len(), n_rows, n_cols, row_stride);
        Self {
            data,
            n_rows,
            n_cols,
            row_stride,
            col_stride: 1,
        }
    }

    /// Rows become columns; nothing moves.
    pub(crate) fn transposed(self) -> Self {
        Self {
            data: self.data,
            n_rows: self.n_cols,
            n_cols: self.n_rows,
            row_stride: self.col_stride,
            col_stride: self.row_stride,
        }
    }
}

impl<'a> MatrixMut<'a> {
    /// The first `n_rows` rows of `n_cols` columns, `row_stride` apart.
    pub(crate) fn new(
        data: &'a mut [f32],
        n_rows: usize,
        n_cols: usize,
        row_stride: usize,
    ) -> Self {
        assert_fits(data.len(), n_rows, n_cols, row_stride);
        Self {
            data,
            n_rows,
            n_cols,
            row_stride,
        }
    }
}

/// `out = a * b`, on the calling thread.
///
/// # Panics
///
/// When the shapes do not fit.
pub(crate) fn matmul(out: MatrixMut<'_>, a: Matrix<'_>, b: Matrix<'_>) {
    assert_eq!(
        (out.n_rows, out.n_cols, a.n_cols),
        (a.n_rows, b.n_cols, b.n_rows),
        "shapes"
    );
    #[expect(unsafe_code, reason = "gemm takes pointers and strides")]
    // SAFETY: the constructors have checked that every (row, column) lies inside its slice, the
    // shapes agree, and `out` is borrowed mutably, so it overlaps neither `a` nor `b`.
    unsafe {
        gemm::gemm(
            out.n_rows,
            out.n_cols,
            a.n_cols,
            out.data.as_mut_ptr(),
            1,
            out.row_stride.cast_signed(),
            false,
            a.data.as_ptr(),
            a.col_stride.cast_signed(),
            a.row_stride.cast_signed(),
            b.data.as_ptr(),
            b.col_stride.cast_signed(),
            b.row_stride.cast_signed(),
            0.0f32,
            1.0f32,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

fn assert_fits(len: usize, n_rows: usize, n_cols: usize, row_stride: usize) {
    assert!(
        n_rows > 0 && n_cols > 0 && n_cols <= row_stride,
        "empty or overlapping rows"
    );
    assert!(
        (n_rows - 1) * row_stride + n_cols <= len,
        "matrix leaves its slice"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strided_and_transposed_products_agree_with_loops() {
        let a: Vec<f32> = (0..40).map(|i| (i % 7) as f32 - 3.0).collect();
        let b: Vec<f32> = (0..40).map(|i| (i % 5) as f32 - 2.0).collect();
        // a: 3x4 in rows of 9; b: 5x4 in rows of 7, used transposed; out: 3x5 in rows of 6.
        let mut out = vec![9.0; 18];
        matmul(
            MatrixMut::new(&mut out, 3, 5, 6),
            Matrix::new(&a, 3, 4, 9),
            Matrix::new(&b, 5, 4, 7).transposed(),
        );
        for i in 0..3 {
            for j in 0..5 {
                let expected: f32 = (0..4).map(|k| a[i * 9 + k] * b[j * 7 + k]).sum();
                assert!((out[i * 6 + j] - expected).abs() < 1e-5);
            }
            assert_eq!(out[i * 6 + 5], 9.0, "a gap between rows is left alone");
        }
    }

    #[test]
    #[should_panic(expected = "leaves its slice")]
    fn a_matrix_larger_than_its_slice_is_refused() {
        Matrix::new(&[0.0; 10], 2, 4, 7);
    }
}
