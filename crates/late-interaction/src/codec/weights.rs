//! The weights that stand for a residual's components: those of Lloyd and Max for a Gaussian.
//!
//! A residual is turned first (see [`super::rotation`]), each component divided by its spread and the
//! whole by its length: what is left is Gaussian, and weights fitted to a sample do no better (a small
//! sample's do worse). Above 4 bits the weights lie evenly.

use super::Bits;
use crate::kernels::{GROUPS, Layout, MAX_BITS, levels_of};

/// Cells hold the groups that have this share of what residuals add to products.
const LEAD_SHARE: f64 = 0.85;

/// Mean squared error for a component of variance 1, by bits.
const ERROR: [f64; MAX_BITS as usize + 1] = [1.0, 0.3634, 0.1175, 0.0346, 0.0097, 0.0035, 0.001_04];

/// Distance of two levels next to each other, by bits.
const STEP: [f32; MAX_BITS as usize + 1] = [
    0.0, 0.036_268, 0.050_359, 0.083_027, 0.094_020, 0.093_998, 0.104_188,
];

/// The level that stands for 0, by bits.
const CENTRE: [f32; MAX_BITS as usize + 1] = [0.0, 32.0, 32.0, 32.0, 32.0, 31.0, 31.5];

/// Weights on a grid: `weight(code) = step * (level(code) - centre)`, so that integer kernels add up
/// exactly what decoding gives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weights {
    pub(crate) layout: Layout,
    /// Standard deviation of each component.
    pub(crate) spreads: Vec<f32>,
    groups: [Group; GROUPS],
}

/// Components that have the same number of bits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) step: f32,
    pub(crate) centre: f32,
    weights: Vec<f32>,
    /// Between neighbouring weights; ascending.
    cutoffs: Vec<f32>,
}

impl Group {
    fn new(bits: u8) -> Self {
        let at = usize::from(bits);
        let (step, centre) = (STEP[at], CENTRE[at]);
        let weight = |level: &u8| step * (f32::from(*level) - centre);
        let weights: Vec<f32> = levels_of(bits).iter().map(weight).collect();
        let between = |two: &[f32]| (two[0] + two[1]) / 2.0;
        Self {
            step,
            centre,
            cutoffs: weights.windows(2).map(between).collect(),
            weights,
        }
    }

    fn nearest(&self, value: f32) -> u8 {
        let (low, high) = (self.weights[0], self.weights[self.weights.len() - 1]);
        if self.weights.len() > 16 {
            // Evenly spaced.
            let share = (value - low) / (high - low) * (self.weights.len() - 1) as f32;
            return share.round().clamp(0.0, (self.weights.len() - 1) as f32) as u8;
        }
        // A count over at most 15 comparisons has no branches.
        self.cutoffs.iter().filter(|cut| value >= **cut).count() as u8
    }
}

impl Weights {
    /// Shares out the bits: one after the other goes to the group where it lessens the error of
    /// products most. `pull` is, for each component, its variance times that of the tokens there.
    pub(super) fn train(bits: Bits, spreads: Vec<f32>, pull: &[f64]) -> Self {
        let group_len = pull.len().div_ceil(GROUPS);
        let mut pulls = [0.0; GROUPS];
        for (sum, pull) in pulls.iter_mut().zip(pull.chunks(group_len)) {
            *sum = pull.iter().sum();
        }
        let mut shares = [0u8; GROUPS];
        for _ in 0..bits.of_groups() {
            let gain = |at: usize| match shares[at] < MAX_BITS {
                true => {
                    let share = usize::from(shares[at]);
                    pulls[at] * (ERROR[share] - ERROR[share + 1])
                }
                false => -1.0,
            };
            let better = |best: usize, at: usize| if gain(at) > gain(best) { at } else { best };
            shares[(1..GROUPS).fold(0, better)] += 1;
        }
        let all: f64 = pulls.iter().sum();
        let mut sum = 0.0;
        let first_in = pulls.iter().position(|pull| {
            sum += pull;
            sum >= LEAD_SHARE * all
        });
        Self::new(shares, first_in.map_or(GROUPS, |at| at + 1), spreads)
    }

    pub(super) fn new(shares: [u8; GROUPS], n_lead: usize, spreads: Vec<f32>) -> Self {
        Self {
            layout: Layout::new(spreads.len(), shares, n_lead),
            spreads,
            groups: shares.map(Group::new),
        }
    }

    pub(crate) fn group(&self, component: usize) -> &Group {
        &self.groups[self.layout.place(component).0]
    }

    /// What a code stands for in a component, of a residual of length 1.
    pub(super) fn value(&self, component: usize, code: u8) -> f32 {
        self.spreads[component] * self.group(component).weights[usize::from(code)]
    }

    /// The code of the nearest value of a component.
    pub(super) fn code(&self, component: usize, value: f32) -> u8 {
        self.group(component)
            .nearest(value / self.spreads[component])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_go_where_the_spread_is() {
        let shares = |pull: [f64; 4], bits| {
            let pull: Vec<f64> = pull.iter().flat_map(|pull| [*pull; 2]).collect();
            let layout = Weights::train(bits, vec![1.0; 8], &pull).layout;
            (layout.bits, layout.n_lead)
        };
        assert_eq!(shares([1.0; 4], Bits::Four), ([5, 5, 4, 4], 4));
        assert_eq!(
            shares([64.0, 16.0, 4.0, 1.0], Bits::Four),
            ([6, 5, 4, 3], 2)
        );
        assert_eq!(shares([1.0, 0.0, 0.0, 0.0], Bits::One), ([6, 0, 0, 0], 1));
    }

    #[test]
    fn codes_and_values_are_inverse() {
        for bits in 1..=MAX_BITS {
            let weights = Weights::new([bits; GROUPS], GROUPS, vec![0.5; 8]);
            for code in 0..1u8 << bits {
                assert_eq!(weights.code(3, weights.value(3, code)), code, "{bits} bits");
            }
        }
    }
}
