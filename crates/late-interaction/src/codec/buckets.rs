//! The weights that stand for a residual's components: one scalar code book for all of them, after
//! each component is divided by its own spread.
//!
//! Components of trained encoders differ in spread; coded as they are, the wide ones lose most. The
//! spreads cost nothing at search time: the query is multiplied by them once.

use super::Bits;
use crate::kernels::MAX_LEVEL;

/// Rounds of Lloyd's algorithm.
const ROUNDS: usize = 12;

/// Weights on a grid: `weight(code) = low + step * level(code)`, levels from 0 to 64, so that
/// integer kernels add up exactly what decoding gives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Buckets {
    pub(super) bits: Bits,
    /// Standard deviation of each component.
    pub(crate) spreads: Vec<f32>,
    pub(crate) low: f32,
    pub(crate) step: f32,
    pub(crate) levels: [u8; 16],
    /// Between neighbouring weights; ascending.
    pub(super) cutoffs: Vec<f32>,
}

impl Buckets {
    /// Least squares by Lloyd's algorithm, begun from the quantiles (i + .5) / 2^b.
    ///
    /// `components` are rows of `dim`.
    pub(super) fn train(mut components: Vec<f32>, dim: usize, bits: Bits) -> Self {
        let spreads = spreads(&components, dim);
        for row in components.chunks_exact_mut(dim) {
            row.iter_mut()
                .zip(&spreads)
                .for_each(|(x, spread)| *x /= spread);
        }
        let n_codes = 1usize << bits.n();
        components.sort_unstable_by(f32::total_cmp);
        let n = components.len();
        let quantile = |share: f64| components[((share * n as f64) as usize).min(n - 1)];
        let middle = |code: usize| quantile((code as f64 + 0.5) / n_codes as f64);
        let mut weights: Vec<f32> = (0..n_codes).map(middle).collect();
        // Sums up to each component, so that a bucket's mean is one subtraction.
        let mut sums = vec![0.0f64];
        for (at, component) in components.iter().enumerate() {
            sums.push(sums[at] + f64::from(*component));
        }
        for _ in 0..ROUNDS {
            let mut from = 0;
            for code in 0..n_codes {
                let to = match weights.get(code + 1) {
                    Some(next) => {
                        let cut = (weights[code] + next) / 2.0;
                        from + components[from..].partition_point(|component| *component < cut)
                    }
                    None => n,
                };
                if to > from {
                    weights[code] = ((sums[to] - sums[from]) / (to - from) as f64) as f32;
                }
                from = to;
            }
        }
        Self::on_grid(bits, spreads, &weights)
    }

    fn on_grid(bits: Bits, spreads: Vec<f32>, weights: &[f32]) -> Self {
        let (low, high) = (weights[0], weights[weights.len() - 1]);
        let step = (high - low) / f32::from(MAX_LEVEL);
        let mut levels = [0; 16];
        if step > 0.0 {
            for (level, weight) in levels.iter_mut().zip(weights) {
                *level = (((weight - low) / step).round() as u8).min(MAX_LEVEL);
            }
        }
        Self::new((bits, spreads), low, step, levels)
    }

    pub(super) fn new(
        (bits, spreads): (Bits, Vec<f32>),
        low: f32,
        step: f32,
        levels: [u8; 16],
    ) -> Self {
        let mut buckets = Self {
            bits,
            spreads,
            low,
            step,
            levels,
            cutoffs: Vec::new(),
        };
        buckets.cutoffs = (1..1u8 << bits.n())
            .map(|code| (buckets.weight(code - 1) + buckets.weight(code)) / 2.0)
            .collect();
        buckets
    }

    fn weight(&self, code: u8) -> f32 {
        self.low + self.step * f32::from(self.levels[usize::from(code)])
    }

    /// What a code stands for in a component.
    pub(super) fn value(&self, component: usize, code: u8) -> f32 {
        self.spreads[component] * self.weight(code)
    }

    /// The code of the nearest value of a component.
    pub(super) fn code(&self, component: usize, value: f32) -> u8 {
        let value = value / self.spreads[component];
        // A count over at most 15 comparisons has no branches.
        let above = self.cutoffs.iter().filter(|cut| value >= **cut);
        above.count() as u8
    }
}

/// Standard deviations by component, as they survive as f32; none is 0.
fn spreads(components: &[f32], dim: usize) -> Vec<f32> {
    let n = (components.len() / dim).max(1) as f64;
    let mut squares = vec![0.0f64; dim];
    for row in components.chunks_exact(dim) {
        squares
            .iter_mut()
            .zip(row)
            .for_each(|(sum, x)| *sum += f64::from(*x) * f64::from(*x));
    }
    squares
        .iter()
        .map(|sum| ((sum / n).sqrt() as f32).max(1e-6))
        .collect()
}
