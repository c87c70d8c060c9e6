//! Row-wise kernels of the forward pass: in place, fused, one source for all machines.
//!
//! Each kernel is plain Rust that the compiler vectorises. It is compiled twice: for AVX2 + FMA,
//! chosen at run time, and for the target's base line, which tests take as the scalar twin.
//! Figures from the two differ by rounding only.

mod pre_norm;

pub(crate) use pre_norm::{Add, GeGlu};

/// Sums and maxima run over this many independent lanes, so that they vectorise.
const LANES: usize = 16;

const TOO_SHORT: &str = "chunks_exact yields LANES";

/// Which compilation of a kernel runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Isa {
    /// The best this machine has.
    Native,
    /// The target's base line.
    #[cfg(test)]
    Scalar,
}

/// Adds `bias: [dim]` to each row of `rows: [n, dim]`.
pub(crate) struct AddBias<'a> {
    pub rows: &'a mut [f32],
    pub bias: &'a [f32],
}

/// `rows = gelu(rows + bias)`, with the exact (erf) GELU; `bias` may be empty.
pub(crate) struct BiasGelu<'a> {
    pub rows: &'a mut [f32],
    pub bias: &'a [f32],
    pub dim: usize,
}

/// `out[i] = up[i] * silu(gate[i])` for rows `[up | gate]: [n, 2 * dim]`, `out: [n, dim]`.
pub(crate) struct SwiGlu<'a> {
    pub up_gate: &'a [f32],
    pub out: &'a mut [f32],
    pub dim: usize,
}

/// `row = softmax(scale * row)` for each row of `rows: [n, dim]`.
pub(crate) struct Softmax<'a> {
    pub rows: &'a mut [f32],
    pub dim: usize,
    pub scale: f32,
}

/// `rows = layer_norm(rows + residual + bias)`; `residual` and `bias` may be empty.
pub(crate) struct ResidualLayerNorm<'a> {
    pub rows: &'a mut [f32],
    pub residual: &'a [f32],
    pub bias: &'a [f32],
    pub norm: &'a LayerNorm,
}

/// Parameters of a layer norm over `weight.len()` components.
#[derive(Debug)]
pub(crate) struct LayerNorm {
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
    pub eps: f32,
}

/// A kernel's body, generic over whether fused multiply-add is an instruction here.
pub(crate) trait Kernel {
    fn run<const FMA: bool>(self);
}

/// Runs a kernel as compiled for this machine.
pub(crate) fn run(kernel: impl Kernel) {
    run_on(Isa::Native, kernel);
}

/// Runs a kernel as compiled for `isa`.
pub(crate) fn run_on(isa: Isa, kernel: impl Kernel) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Native if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") => {
            #[expect(unsafe_code, reason = "calls the AVX2 compilation of a safe kernel")]
            // SAFETY: the guard has just found both features on this machine.
            unsafe {
                run_avx2(kernel);
            }
        }
        Isa::Native => kernel.run::<{ cfg!(target_arch = "aarch64") }>(),
        #[cfg(test)]
        Isa::Scalar => kernel.run::<false>(),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2(kernel: impl Kernel) {
    kernel.run::<true>();
}

impl Kernel for AddBias<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for row in self.rows.chunks_exact_mut(self.bias.len()) {
            for (x, b) in row.iter_mut().zip(self.bias) {
                *x += b;
            }
        }
    }
}

impl Kernel for BiasGelu<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for row in self.rows.chunks_exact_mut(self.dim) {
            if self.bias.is_empty() {
                for x in row {
                    *x = gelu::<FMA>(*x);
                }
            } else {
                for (x, b) in row.iter_mut().zip(self.bias) {
                    *x = gelu::<FMA>(*x + b);
                }
            }
        }
    }
}

impl Kernel for SwiGlu<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let gated = |up, gate: f32| up * gate / (1.0 + exp::<FMA>(-gate));
        halves(self.up_gate, self.out, self.dim, gated);
    }
}

/// `out[i] = join(first[i], second[i])` for rows `[first | second]: [n, 2 * dim]`, `out: [n, dim]`.
#[inline(always)]
fn halves(rows: &[f32], out: &mut [f32], dim: usize, join: impl Fn(f32, f32) -> f32) {
    let rows = rows.chunks_exact(2 * dim);
    for (out, row) in out.chunks_exact_mut(dim).zip(rows) {
        let (first, second) = row.split_at(dim);
        for ((y, a), b) in out.iter_mut().zip(first).zip(second) {
            *y = join(*a, *b);
        }
    }
}

impl Kernel for Softmax<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for row in self.rows.chunks_exact_mut(self.dim) {
            let shift = self.scale * max(row);
            for x in row.iter_mut() {
                *x = exp::<FMA>(self.scale * *x - shift);
            }
            let inverse = 1.0 / sum(row);
            for x in row {
                *x *= inverse;
            }
        }
    }
}

impl Kernel for ResidualLayerNorm<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let dim = self.norm.weight.len();
        for (idx, row) in self.rows.chunks_exact_mut(dim).enumerate() {
            if !self.residual.is_empty() {
                add(row, &self.residual[idx * dim..][..dim]);
            }
            if !self.bias.is_empty() {
                add(row, self.bias);
            }
            layer_norm::<FMA>(row, self.norm);
        }
    }
}

#[inline(always)]
fn layer_norm<const FMA: bool>(row: &mut [f32], norm: &LayerNorm) {
    let n = row.len() as f32;
    let mean = sum(row) / n;
    for x in row.iter_mut() {
        *x -= mean;
    }
    let inverse = 1.0 / (sum_of_squares::<FMA>(row) / n + norm.eps).sqrt();
    for ((x, w), b) in row.iter_mut().zip(&norm.weight).zip(&norm.bias) {
        *x = fma::<FMA>(*x * inverse, *w, *b);
    }
}

#[inline(always)]
fn add(row: &mut [f32], other: &[f32]) {
    for (x, y) in row.iter_mut().zip(other) {
        *x += y;
    }
}

#[inline(always)]
fn sum(row: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest: f32 = chunks.remainder().iter().sum();
    for chunk in chunks {
        let chunk: &[f32; LANES] = chunk.try_into().expect(TOO_SHORT);
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x;
        }
    }
    lanes.iter().sum::<f32>() + rest
}

#[inline(always)]
fn sum_of_squares<const FMA: bool>(row: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest: f32 = chunks.remainder().iter().map(|x| x * x).sum();
    for chunk in chunks {
        let chunk: &[f32; LANES] = chunk.try_into().expect(TOO_SHORT);
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = fma::<FMA>(*x, *x, *lane);
        }
    }
    lanes.iter().sum::<f32>() + rest
}

#[inline(always)]
fn max(row: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = larger(chunks.remainder());
    for chunk in chunks {
        let chunk: &[f32; LANES] = chunk.try_into().expect(TOO_SHORT);
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = if x > *lane { x } else { *lane };
        }
    }
    rest.max(larger(&lanes))
}

#[inline(always)]
fn larger(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

#[inline(always)]
fn fma<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    // Without the instruction `mul_add` is a slow library call.
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
fn gelu<const FMA: bool>(x: f32) -> f32 {
    let half = 0.5 * x;
    fma::<FMA>(half, erf::<FMA>(x * std::f32::consts::FRAC_1_SQRT_2), half)
}

/// Error function within 4e-7: the rational approximation of Eigen's `generic_fast_erf_float`.
#[inline(always)]
fn erf<const FMA: bool>(x: f32) -> f32 {
    const P: [f32; 7] = [
        -2.726_142_3e-10,
        2.770_681_4e-8,
        -2.101_024e-6,
        -5.692_506_5e-5,
        -7.349_906_3e-4,
        -2.954_6e-3,
        -1.609_603_3e-2,
    ];
    const Q: [f32; 5] = [
        -1.456_607_2e-5,
        -2.133_740_6e-4,
        -1.682_827e-3,
        -7.373_329e-3,
        -1.426_474e-2,
    ];
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let mut p = P[0];
    for &coefficient in &P[1..] {
        p = fma::<FMA>(p, square, coefficient);
    }
    let mut q = Q[0];
    for &coefficient in &Q[1..] {
        q = fma::<FMA>(q, square, coefficient);
    }
    x * p / q
}

/// Exponential within 2e-7 relative: Cephes' `expf`, without infinities.
#[inline(always)]
fn exp<const FMA: bool>(x: f32) -> f32 {
    /// Added and subtracted, rounds to an integer, and leaves it in the low bits.
    const ROUND: f32 = 12_582_912.0;
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    const C: [f32; 6] = [
        1.987_569_2e-4,
        1.398_199_9e-3,
        8.333_452e-3,
        4.166_579_6e-2,
        1.666_666_5e-1,
        0.5,
    ];
    let x = x.clamp(-87.0, 88.0);
    let rounded = fma::<FMA>(x, std::f32::consts::LOG2_E, ROUND);
    let n = rounded - ROUND;
    let r = fma::<FMA>(n, -LN_2_LOW, fma::<FMA>(n, -LN_2_HIGH, x));
    let mut p = C[0];
    for &coefficient in &C[1..] {
        p = fma::<FMA>(p, r, coefficient);
    }
    let mantissa = fma::<FMA>(p, r * r, r) + 1.0;
    f32::from_bits(mantissa.to_bits().wrapping_add(rounded.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values in [-range, range) without a generator dependency.
    fn values(n: usize, range: f32) -> Vec<f32> {
        (0..n)
            .map(|i| ((i * 7919 + 13) % 1000) as f32 / 500.0 * range - range)
            .collect()
    }

    fn check(n: usize, range: f32, kernel: impl Fn(Isa, &mut [f32])) -> Vec<f32> {
        let (mut native, mut scalar) = (values(n, range), values(n, range));
        kernel(Isa::Native, &mut native);
        kernel(Isa::Scalar, &mut scalar);
        for (a, b) in native.iter().zip(&scalar) {
            assert!((a - b).abs() <= 1e-5 * b.abs().max(1.0), "{a} against {b}");
        }
        native
    }

    #[test]
    fn gelu_is_the_erf_gelu_on_both_twins() {
        let bias = values(50, 0.5);
        let got = check(200, 8.0, |isa, rows| {
            run_on(
                isa,
                BiasGelu {
                    rows,
                    bias: &bias,
                    dim: 50,
                },
            );
        });
        for (idx, (x, y)) in values(200, 8.0).iter().zip(got).enumerate() {
            let x = f64::from(x + bias[idx % 50]);
            assert!(
                (reference_gelu(x) - f64::from(y)).abs() < 3e-6,
                "gelu({x}) = {y}"
            );
        }
    }

    /// Series of erf, summed in f64.
    pub(super) fn reference_gelu(x: f64) -> f64 {
        let z = x / std::f64::consts::SQRT_2;
        if z.abs() > 5.0 {
            return if x > 0.0 { x } else { 0.0 };
        }
        let (mut term, mut total) = (z, z);
        for n in 1..150 {
            term *= -z * z / f64::from(n);
            total += term / f64::from(2 * n + 1);
        }
        0.5 * x * (1.0 + total * 2.0 / std::f64::consts::PI.sqrt())
    }

    #[test]
    fn exp_is_exact_to_rounding() {
        for x in values(1000, 80.0) {
            let expected = f64::from(x).exp();
            for got in [exp::<true>(x), exp::<false>(x)] {
                assert!(
                    (f64::from(got) / expected - 1.0).abs() < 3e-7,
                    "exp({x}) = {got}"
                );
            }
        }
    }

    #[test]
    fn softmax_rows_sum_to_one_on_both_twins() {
        for dim in [1, 5, 16, 37, 64] {
            let got = check(dim * 3, 90.0, |isa, rows| {
                run_on(
                    isa,
                    Softmax {
                        rows,
                        dim,
                        scale: 0.5,
                    },
                );
            });
            for row in got.chunks(dim) {
                assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn layer_norm_centres_and_scales_on_both_twins() {
        let norm = LayerNorm {
            weight: vec![1.0; 40],
            bias: vec![0.0; 40],
            eps: 1e-12,
        };
        let (residual, bias) = (values(120, 2.0), values(40, 1.0));
        let got = check(120, 3.0, |isa, rows| {
            run_on(
                isa,
                ResidualLayerNorm {
                    rows,
                    residual: &residual,
                    bias: &bias,
                    norm: &norm,
                },
            );
        });
        for row in got.chunks(40) {
            assert!(row.iter().sum::<f32>().abs() < 1e-4);
            assert!((row.iter().map(|x| x * x).sum::<f32>() / 40.0 - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn swiglu_and_bias_agree_on_both_twins() {
        let up_gate = values(2 * 3 * 20, 5.0);
        let got = check(60, 1.0, |isa, out| {
            run_on(
                isa,
                SwiGlu {
                    up_gate: &up_gate,
                    out,
                    dim: 20,
                },
            );
        });
        let (u, g) = (up_gate[0], up_gate[20]);
        assert!((got[0] - u * g / (1.0 + (-g).exp())).abs() < 1e-5);
        let bias = values(20, 1.0);
        let got = check(60, 1.0, |isa, rows| {
            run_on(isa, AddBias { rows, bias: &bias })
        });
        assert!((got[21] - values(60, 1.0)[21] - bias[1]).abs() < 1e-6);
    }
}
