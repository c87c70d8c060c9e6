//! Kernels that only pre-norm stacks need: RMS norm, gated GELU, rectifier, sums.

use super::{Kernel, add, exp, gelu, halves, sum_of_squares};

/// `rows += other`, element by element.
pub(crate) struct Add<'a> {
    pub rows: &'a mut [f32],
    pub other: &'a [f32],
}

/// `rows = max(rows, 0)`.
pub(crate) struct Relu<'a> {
    pub rows: &'a mut [f32],
}

/// `row = weight * row / sqrt(mean(row^2) + eps)` for rows of `weight.len()` components: no mean is
/// taken off. [Zhang 2019]
pub(crate) struct RmsNorm<'a> {
    pub rows: &'a mut [f32],
    pub weight: &'a [f32],
    pub eps: f32,
}

/// `out[i] = gelu(gate[i]) * up[i]` for rows `[gate | up]: [n, 2 * dim]`, `out: [n, dim]`.
pub(crate) struct GeGlu<'a> {
    pub gate_up: &'a [f32],
    pub out: &'a mut [f32],
    pub dim: usize,
    /// The approximation by tanh, which T5 was trained with, instead of the exact GELU.
    pub is_tanh: bool,
}

impl Kernel for Add<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        add(self.rows, self.other);
    }
}

impl Kernel for Relu<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for x in self.rows {
            *x = if *x > 0.0 { *x } else { 0.0 };
        }
    }
}

impl Kernel for RmsNorm<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let dim = self.weight.len();
        for row in self.rows.chunks_exact_mut(dim) {
            let inverse = 1.0 / (sum_of_squares::<FMA>(row) / dim as f32 + self.eps).sqrt();
            for (x, w) in row.iter_mut().zip(self.weight) {
                *x = *x * inverse * w;
            }
        }
    }
}

impl Kernel for GeGlu<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self {
            gate_up, out, dim, ..
        } = self;
        if self.is_tanh {
            halves(gate_up, out, dim, |gate, up| tanh_gelu::<FMA>(gate) * up)
        } else {
            halves(gate_up, out, dim, |gate, up| gelu::<FMA>(gate) * up)
        }
    }
}

/// `x / 2 * (1 + tanh(z))` with `z = sqrt(2 / pi) * (x + 0.044715 x^3)`, as `x * sigmoid(2 z)`.
#[inline(always)]
fn tanh_gelu<const FMA: bool>(x: f32) -> f32 {
    const TWICE_ROOT: f32 = 1.595_769;
    let z = TWICE_ROOT * (x + 0.044_715 * x * x * x);
    x / (1.0 + exp::<FMA>(-z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Isa, run_on};

    fn values(n: usize, range: f32) -> Vec<f32> {
        (0..n)
            .map(|i| ((i * 7919 + 13) % 1000) as f32 / 500.0 * range - range)
            .collect()
    }

    #[test]
    fn gated_gelu_agrees_with_its_definition_on_both_twins() {
        let gate_up = values(2 * 40, 6.0);
        for isa in [Isa::Native, Isa::Scalar] {
            let mut out = vec![0.0; 40];
            let kernel = GeGlu {
                gate_up: &gate_up,
                out: &mut out,
                dim: 20,
                is_tanh: true,
            };
            run_on(isa, kernel);
            for (idx, got) in out.iter().enumerate() {
                let (row, at) = (idx / 20 * 40, idx % 20);
                let x = f64::from(gate_up[row + at]);
                let z = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3));
                let expected = 0.5 * x * (1.0 + z.tanh()) * f64::from(gate_up[row + 20 + at]);
                assert!((f64::from(*got) - expected).abs() < 2e-5, "{x}: {got}");
            }
        }
    }

    #[test]
    fn rms_norm_scales_and_does_not_centre() {
        for isa in [Isa::Native, Isa::Scalar] {
            let mut rows = vec![3.0, 4.0];
            let kernel = RmsNorm {
                rows: &mut rows,
                weight: &[1.0, 2.0],
                eps: 0.0,
            };
            run_on(isa, kernel);
            let root = 12.5f32.sqrt();
            assert!((rows[0] - 3.0 / root).abs() < 1e-6 && (rows[1] - 8.0 / root).abs() < 1e-6);
        }
    }
}
