//! Codes of the least error for a residual, along a trellis.

use super::Quantizer;
use crate::kernels::{BLOCK, Costs, Isa, Quarters, quarters, search};

/// What all components of a block cost together, about: 16 of them stay far below 16 bits.
const UNITS: f32 = 24_000.0;

/// A component on the way through the trellis.
#[derive(Clone, Copy)]
struct Step {
    component: usize,
    group: usize,
    /// Of squared errors.
    weight: f32,
}

/// Codes residuals, with buffers that it uses again.
pub(super) struct Path<'w> {
    weights: &'w Quantizer,
    isa: Isa,
    /// Of each block; nothing where a part lacks a component.
    steps: Vec<Vec<Option<Step>>>,
    /// One by the components' spreads.
    pub(super) inverse_spreads: Vec<f32>,
    costs: Vec<Quarters>,
    /// The best code of each quarter.
    codes: Vec<[u8; 4]>,
    history: Vec<Costs>,
}

impl<'w> Path<'w> {
    pub(super) fn new(weights: &'w Quantizer) -> Self {
        let layout = &weights.layout;
        let steps = (0..layout.n_blocks).map(|block| {
            let expected = layout.steps(block).filter_map(|(group, component)| {
                Some(weights.spreads[component?].powi(2) * weights.error(group))
            });
            let unit = UNITS / expected.sum::<f32>().max(f32::MIN_POSITIVE);
            let step = |(group, component): (usize, Option<usize>)| {
                component.map(|component| Step {
                    component,
                    group,
                    weight: unit * weights.spreads[component].powi(2),
                })
            };
            layout.steps(block).map(step).collect()
        });
        Self {
            weights,
            isa: Isa::detect(),
            steps: steps.collect(),
            inverse_spreads: weights.spreads.iter().map(|spread| 1.0 / spread).collect(),
            costs: Vec::with_capacity(BLOCK),
            codes: Vec::with_capacity(BLOCK),
            history: Vec::new(),
        }
    }

    /// Writes the codes of a residual that is `length` spreads long, and what they stand for.
    pub(super) fn encode(
        &mut self,
        (rest, length): (&[f32], f32),
        codes: &mut [u8],
        values: &mut [f32],
    ) {
        values.fill(0.0);
        for block in 0..self.steps.len() {
            self.weigh(block, rest, length);
            let branches = search(self.isa, &self.costs, &mut self.history);
            let layout = &self.weights.layout;
            layout.put_branches(codes, block, branches);
            let [upper, lower] = quarters(branches);
            for (at, step) in self.steps[block].iter().enumerate() {
                let Some(step) = step else { continue };
                let quarter = (upper >> at & 1) * 2 + (lower >> at & 1);
                let code = self.codes[at][quarter as usize];
                layout.put(codes, step.component, code >> 2);
                values[step.component] = self.weights.value(step.component, code);
            }
        }
    }

    /// What each quarter costs in each component, more than the cheapest.
    fn weigh(&mut self, block: usize, rest: &[f32], length: f32) {
        self.costs.clear();
        self.codes.clear();
        for step in &self.steps[block] {
            let Some(step) = step else {
                self.costs.push([0; 4]);
                self.codes.push([0; 4]);
                continue;
            };
            let value = rest[step.component] * self.inverse_spreads[step.component] / length;
            let nearest = self.weights.of_group(step.group).nearest_of_quarters(value);
            let errors = nearest.map(|(far, _)| far * far * step.weight);
            let least = errors.into_iter().fold(f32::INFINITY, f32::min);
            // Even, as a search wants it.
            self.costs
                .push(errors.map(|error| (error - least) as u16 & !1));
            self.codes.push(nearest.map(|(_, code)| code));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Kind, MAX_TRELLIS_BITS};

    fn gaussian(random: &mut fastrand::Rng) -> f32 {
        let (a, b) = (1.0 - random.f32(), random.f32());
        (-2.0 * a.ln()).sqrt() * (std::f32::consts::TAU * b).cos()
    }

    #[test]
    fn a_gaussian_is_coded_as_finely_as_was_reckoned_with() {
        let mut random = fastrand::Rng::with_seed(5);
        for bits in 1..=MAX_TRELLIS_BITS {
            let weights = Quantizer::new(Kind::Trellis, [bits; 4], [0; 4], vec![1.0; BLOCK]);
            let mut path = Path::new(&weights);
            let (mut sum, mut n) = (0.0, 0.0);
            for _ in 0..100 {
                let rest: Vec<f32> = (0..BLOCK).map(|_| gaussian(&mut random)).collect();
                let mut codes = vec![0; weights.layout.stride()];
                let mut values = vec![0.0; BLOCK];
                path.encode((&rest, 1.0), &mut codes, &mut values);
                let errors = rest
                    .iter()
                    .zip(&values)
                    .map(|(x, value)| (x - value).powi(2));
                sum += errors.sum::<f32>();
                n += BLOCK as f32;
                let read = weights.layout.codes(&codes);
                for (component, value) in values.iter().enumerate() {
                    let code = read[weights.layout.slot(component)];
                    assert_eq!(weights.value(component, code), *value);
                }
            }
            let part = sum / n / weights.error(0);
            assert!((0.9..1.2).contains(&part), "{bits} bits: {part}");
        }
    }
}
