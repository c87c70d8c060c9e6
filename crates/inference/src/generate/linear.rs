//! A quantised matrix and the two ways to multiply by it.

use candle_core::quantized::{QMatMul, QTensor};
use candle_core::{Device, Module, Result, Tensor};
use rayon::prelude::*;
use std::sync::Arc;

use crate::matmul::{Matrix, MatrixMut, matmul};

/// From this many rows on the matrix is dequantised: once for all of them.
const MANY_ROWS: usize = 8;
/// Rows of one piece of work.
const BLOCK: usize = 64;

/// `out = x · Wᵀ + b`, `W: [n_out, n_in]` as it lies in the file.
pub(super) struct Linear {
    weight: Arc<QTensor>,
    product: QMatMul,
    bias: Vec<f32>,
    n_in: usize,
    n_out: usize,
}

impl Linear {
    pub(super) fn new(weight: QTensor, bias: Vec<f32>) -> Result<Self> {
        let (n_out, n_in) = weight.shape().dims2()?;
        let weight = Arc::new(weight);
        Ok(Self {
            product: QMatMul::from_arc(Arc::clone(&weight))?,
            weight,
            bias,
            n_in,
            n_out,
        })
    }

    pub(super) fn n_out(&self) -> usize {
        self.n_out
    }

    /// Multiplies rows of `n_in` into rows of `n_out`.
    pub(super) fn forward(&self, rows: &[f32]) -> Result<Vec<f32>> {
        let n_rows = rows.len() / self.n_in;
        let mut out = if n_rows < MANY_ROWS {
            let input = Tensor::from_slice(rows, (n_rows, self.n_in), &Device::Cpu)?;
            self.product.forward(&input)?.flatten_all()?.to_vec1()?
        } else {
            self.many(rows, n_rows)?
        };
        if !self.bias.is_empty() {
            for row in out.chunks_exact_mut(self.n_out) {
                for (value, bias) in row.iter_mut().zip(&self.bias) {
                    *value += bias;
                }
            }
        }
        Ok(out)
    }

    fn many(&self, rows: &[f32], n_rows: usize) -> Result<Vec<f32>> {
        let plain = self.weight.dequantize(&Device::Cpu)?;
        let weight: Vec<f32> = plain.flatten_all()?.to_vec1()?;
        let mut out = vec![0.0; n_rows * self.n_out];
        out.par_chunks_mut(BLOCK * self.n_out)
            .zip(rows.par_chunks(BLOCK * self.n_in))
            .for_each(|(out, rows)| {
                let n_rows = rows.len() / self.n_in;
                matmul(
                    MatrixMut::new(out, n_rows, self.n_out, self.n_out),
                    Matrix::new(rows, n_rows, self.n_in, self.n_in),
                    Matrix::new(&weight, self.n_out, self.n_in, self.n_in).transposed(),
                );
            });
        Ok(out)
    }
}
