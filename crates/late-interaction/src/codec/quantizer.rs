//! Scalar quantization of a residual's components, with the levels of Lloyd and Max for a Gaussian.
//!
//! A residual is turned first (see [`super::pca_rotation`]), each component divided by its spread and the
//! whole by its length: what is left is Gaussian, and weights fitted to a sample do no better (a small
//! sample's do worse).

use super::training::Bits;
use crate::kernels::{
    CodeLayout, GROUPS, MAX_BITS, Planes, ReconstructionLevels, lloyd_max_levels,
};

/// Bits that the groups of a cell's codes have together: two for each component.
const CELL_BITS: u8 = 8;

/// Bits that a component can have in a cell.
pub(super) const IN_CELLS: [u8; 4] = [0, 1, 2, 4];

/// Mean squared error for a component of variance 1, by bits.
const ERROR: [f64; MAX_BITS as usize + 1] = [
    1.0, 0.363_38, 0.117_48, 0.034_90, 0.009_67, 0.002_65, 0.000_68,
];

/// Levels of each group of components: `weight(code) = step * (level(code) - centre)`, so that integer kernels add up
/// exactly what decoding gives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantizer {
    pub(crate) layout: CodeLayout,
    /// How cells hold codes.
    pub(crate) planes: Planes,
    /// Standard deviation of each component.
    pub(crate) spreads: Vec<f32>,
    groups: [Group; GROUPS],
    in_cells: [Group; GROUPS],
}

/// Components that have the same number of bits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) step: f32,
    pub(crate) centre: f32,
    weights: Vec<f32>,
    /// Between neighbouring weights; ascending.
    cutoffs: Vec<f32>,
    /// For each whole level, how many cutoffs do not lie above it.
    below: Vec<u8>,
}

impl Group {
    fn new(of_group: ReconstructionLevels) -> Self {
        let ReconstructionLevels { levels, step } = of_group;
        let centre = of_group.centre();
        let weight = |level: &u8| step * (f32::from(*level) - centre);
        let weights: Vec<f32> = levels.iter().map(weight).collect();
        let whole = 0..=levels[levels.len() - 1];
        let is_below = |cut: &&[u8], level: u8| cut[0] + cut[1] <= 2 * level;
        let n_below =
            |level: u8| levels.windows(2).filter(|cut| is_below(cut, level)).count() as u8;
        let between = |two: &[f32]| (two[0] + two[1]) / 2.0;
        Self {
            step,
            centre,
            cutoffs: weights.windows(2).map(between).collect(),
            below: whole.map(n_below).collect(),
            weights,
        }
    }

    fn nearest(&self, value: f32) -> u8 {
        if self.weights.len() > 16 {
            // Cutoffs are a level apart or more: one at most lies between two levels.
            let level = (value / self.step + self.centre).max(0.0) as usize;
            let code = self.below[level.min(self.below.len() - 1)];
            let above = |cut: &f32| value >= *cut;
            return code + u8::from(self.cutoffs.get(usize::from(code)).is_some_and(above));
        }
        // A count over at most 15 comparisons has no branches.
        self.cutoffs.iter().filter(|cut| value >= **cut).count() as u8
    }
}

impl Quantizer {
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
            let gain = |at: usize| {
                if shares[at] < MAX_BITS {
                    pulls[at]
                        * (ERROR[usize::from(shares[at])] - ERROR[usize::from(shares[at]) + 1])
                } else {
                    -1.0
                }
            };
            let better = |best: usize, at: usize| if gain(at) > gain(best) { at } else { best };
            shares[(1..GROUPS).fold(0, better)] += 1;
        }
        let cell_shares = Self::cell_shares(&shares, &pulls);
        Self::new(shares, cell_shares, spreads)
    }

    /// As `train`, of fewer bits; a group has no more than its codes have.
    fn cell_shares(shares: &[u8; GROUPS], pulls: &[f64; GROUPS]) -> [u8; GROUPS] {
        let mut cells = [0u8; GROUPS];
        loop {
            let left = CELL_BITS - cells.iter().sum::<u8>();
            // The group, its bits then, and what each more of them gains.
            let step = |at: usize| {
                let next = IN_CELLS.into_iter().find(|bits| *bits > cells[at])?;
                let more = next - cells[at];
                let lessens = ERROR[usize::from(cells[at])] - ERROR[usize::from(next)];
                let gain = pulls[at] * lessens / f64::from(more);
                (next <= shares[at] && more <= left).then_some((at, next, gain))
            };
            let best = (0..GROUPS)
                .filter_map(step)
                .reduce(|best, step| if step.2 > best.2 { step } else { best });
            match best {
                Some((at, bits, _)) => cells[at] = bits,
                None => return cells,
            }
        }
    }

    pub(super) fn new(shares: [u8; GROUPS], cell_shares: [u8; GROUPS], spreads: Vec<f32>) -> Self {
        let layout = CodeLayout::new(spreads.len(), shares);
        let groups = shares.map(|bits| Group::new(lloyd_max_levels(bits)));
        let in_cells = cell_shares.map(|bits| Group::new(lloyd_max_levels(bits)));
        let coarse = |group: usize| {
            let weights: &[f32] = &groups[group].weights;
            std::array::from_fn(|code| match weights.get(code) {
                Some(weight) => in_cells[group].nearest(*weight),
                None => 0,
            })
        };
        Self {
            planes: Planes::new(layout.n_blocks, cell_shares, std::array::from_fn(coarse)),
            layout,
            spreads,
            groups,
            in_cells,
        }
    }

    /// What each nibble of a cell's code adds to the product with a row, whose components times
    /// their spreads `row` has by slot. O(planes).
    pub(crate) fn of_nibbles(&self, row: &[f32]) -> Vec<[f32; 16]> {
        let nibbles = self.planes.nibbles();
        let of_nibble = |(group, slots): (usize, std::ops::Range<usize>)| {
            let weights = &self.in_cells[group].weights;
            let mut sums = [0.0; 16];
            let mut n = 1;
            // Component by component: each multiplies the codes that there are.
            for x in &row[slots] {
                for (at, weight) in weights.iter().enumerate().rev() {
                    for code in 0..n {
                        sums[at * n + code] = sums[code] + x * weight;
                    }
                }
                n *= weights.len();
            }
            sums
        };
        nibbles.map(of_nibble).collect()
    }

    pub(crate) fn group(&self, component: usize) -> &Group {
        &self.groups[self.layout.place(component).0]
    }

    /// What a code decodes to in a component, of a residual of length 1.
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
            let weights = Quantizer::train(bits, vec![1.0; 8], &pull);
            (weights.layout.bits, weights.planes.bits)
        };
        assert_eq!(shares([1.0; 4], Bits::Four), ([5, 5, 4, 4], [2; 4]));
        assert_eq!(
            shares([64.0, 16.0, 4.0, 1.0], Bits::Four),
            ([6, 5, 4, 3], [4, 2, 2, 0])
        );
        assert_eq!(
            shares([1.0, 0.0, 0.0, 0.0], Bits::One),
            ([6, 0, 0, 0], [4, 0, 0, 0])
        );
    }

    #[test]
    fn nibbles_add_what_their_codes_stand_for() {
        let weights = Quantizer::new([6, 5, 4, 3], [4, 2, 1, 0], vec![1.0; 128]);
        let row: Vec<f32> = (0..128).map(|at| (at as f32).sin()).collect();
        let tables = weights.of_nibbles(&row);
        for ((group, slots), table) in weights.planes.nibbles().zip(tables) {
            let bits = weights.planes.bits[group];
            for (code, found) in table.iter().enumerate() {
                let of = |(at, slot): (usize, usize)| {
                    let code = code >> (at * usize::from(bits)) & ((1 << bits) - 1);
                    row[slot] * weights.in_cells[group].weights[code]
                };
                let sum: f32 = slots.clone().enumerate().map(of).sum();
                assert!((sum - found).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn a_code_stands_for_what_is_nearest() {
        for bits in 1..=MAX_BITS {
            let group = Group::new(lloyd_max_levels(bits));
            for at in -500..500 {
                let value = at as f32 / 100.0 + 0.001;
                let far = |code: u8| (group.weights[usize::from(code)] - value).abs();
                let all = 0..group.weights.len() as u8;
                let nearest = all.map(far).fold(f32::INFINITY, f32::min);
                let found = far(group.nearest(value));
                assert!(found <= nearest + 1e-5, "{bits} bits, {value}");
            }
        }
    }

    #[test]
    fn codes_and_values_are_inverse() {
        for bits in 1..=MAX_BITS {
            let shares = [bits; GROUPS];
            let weights = Quantizer::new(shares, [0; GROUPS], vec![0.5; 8]);
            for code in 0..1u8 << bits {
                assert_eq!(weights.code(3, weights.value(3, code)), code, "{bits} bits");
            }
        }
    }
}
