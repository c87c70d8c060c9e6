//! Kernels that only pre-norm stacks need: gated GELU, sums.

use super::{Kernel, add, gelu, halves};

/// `rows += other`, element by element.
pub(crate) struct Add<'a> {
    pub rows: &'a mut [f32],
    pub other: &'a [f32],
}

/// `out[i] = gelu(gate[i]) * up[i]` for rows `[gate | up]: [n, 2 * dim]`, `out: [n, dim]`.
pub(crate) struct GeGlu<'a> {
    pub gate_up: &'a [f32],
    pub out: &'a mut [f32],
    pub dim: usize,
}

impl Kernel for Add<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        add(self.rows, self.other);
    }
}

impl Kernel for GeGlu<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { gate_up, out, dim } = self;
        halves(gate_up, out, dim, |gate, up| gelu::<FMA>(gate) * up);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::tests::reference_gelu;
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
            };
            run_on(isa, kernel);
            for (idx, got) in out.iter().enumerate() {
                let (row, at) = (idx / 20 * 40, idx % 20);
                let x = f64::from(gate_up[row + at]);
                let expected = reference_gelu(x) * f64::from(gate_up[row + 20 + at]);
                assert!((f64::from(*got) - expected).abs() < 2e-5, "{x}: {got}");
            }
        }
    }
}
