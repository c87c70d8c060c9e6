//! Logistic regression with a ridge, by Newton's method: a handful of inputs, a few hundred examples.

/// Penalty on each standardised coefficient, as if of a normal prior with deviation 1.
const RIDGE: f64 = 1.0;
const MAX_STEPS: usize = 50;
/// A step this small changes no probability.
const CONVERGED: f64 = 1e-10;

/// `1 / (1 + exp(-(intercept + Σ coefficient · input)))`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Logistic {
    pub(super) intercept: f64,
    pub(super) coefficients: Vec<f64>,
}

impl Logistic {
    /// Fits to `rows` of the same length, each with its label. Deterministic; inputs that never vary
    /// get 0. Of no rows: a coin.
    pub(super) fn fit(rows: &[(&[f64], bool)]) -> Self {
        let n_inputs = rows.first().map_or(0, |(inputs, _)| inputs.len());
        let scale = Scale::of(rows, n_inputs);
        let design: Vec<(Vec<f64>, f64)> = rows
            .iter()
            .map(|(inputs, label)| (scale.apply(inputs), f64::from(u8::from(*label))))
            .collect();
        let mut weights = vec![0.0; n_inputs + 1];
        for _ in 0..MAX_STEPS {
            let step = newton_step(&design, &weights);
            for (weight, change) in weights.iter_mut().zip(&step) {
                *weight += change;
            }
            if step.iter().all(|change| change.abs() < CONVERGED) {
                break;
            }
        }
        scale.undo(&weights)
    }

    pub(super) fn probability(&self, inputs: &[f64]) -> f64 {
        let products = self.coefficients.iter().zip(inputs).map(|(a, b)| a * b);
        logistic(self.intercept + products.sum::<f64>())
    }
}

fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Mean and deviation of each input.
struct Scale(Vec<(f64, f64)>);

impl Scale {
    fn of(rows: &[(&[f64], bool)], n_inputs: usize) -> Self {
        let n = rows.len().max(1) as f64;
        let column = |index: usize| {
            let mean = rows
                .iter()
                .map(|(inputs, _)| inputs[index] / n)
                .sum::<f64>();
            let squares = rows
                .iter()
                .map(|(inputs, _)| (inputs[index] - mean).powi(2) / n);
            (mean, squares.sum::<f64>().sqrt())
        };
        Self((0..n_inputs).map(column).collect())
    }

    /// With a leading 1 for the intercept.
    fn apply(&self, inputs: &[f64]) -> Vec<f64> {
        let scaled =
            self.0
                .iter()
                .zip(inputs)
                .map(|((mean, deviation), input)| match *deviation > 1e-9 {
                    true => (input - mean) / deviation,
                    false => 0.0,
                });
        std::iter::once(1.0).chain(scaled).collect()
    }

    fn undo(&self, weights: &[f64]) -> Logistic {
        let coefficients: Vec<f64> = self
            .0
            .iter()
            .zip(&weights[1..])
            .map(|((_, deviation), weight)| match *deviation > 1e-9 {
                true => weight / deviation,
                false => 0.0,
            })
            .collect();
        let shift: f64 = self
            .0
            .iter()
            .zip(&coefficients)
            .map(|((mean, _), c)| mean * c)
            .sum();
        Logistic {
            intercept: weights[0] - shift,
            coefficients,
        }
    }
}

/// `H⁻¹ g` of the penalised log-likelihood. The intercept's penalty only keeps one class apart from
/// infinity.
fn newton_step(design: &[(Vec<f64>, f64)], weights: &[f64]) -> Vec<f64> {
    let n = weights.len();
    let penalty = |index: usize| if index == 0 { 1e-3 } else { RIDGE };
    let mut gradient: Vec<f64> = weights
        .iter()
        .enumerate()
        .map(|(index, weight)| -penalty(index) * weight)
        .collect();
    let mut hessian = vec![vec![0.0; n]; n];
    for (index, row) in hessian.iter_mut().enumerate() {
        row[index] = penalty(index);
    }
    for (inputs, label) in design {
        let odds: f64 = inputs.iter().zip(weights).map(|(a, b)| a * b).sum();
        let p = logistic(odds);
        let spread = p * (1.0 - p);
        for (i, a) in inputs.iter().enumerate() {
            gradient[i] += (label - p) * a;
            for (j, b) in inputs.iter().enumerate() {
                hessian[i][j] += spread * a * b;
            }
        }
    }
    solve(hessian, gradient)
}

/// Solves a symmetric, positive definite system by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for pivot in 0..n {
        let (done, rest) = matrix.split_at_mut(pivot + 1);
        let top = &done[pivot];
        for (offset, row) in rest.iter_mut().enumerate() {
            let factor = row[pivot] / top[pivot];
            for (value, above) in row.iter_mut().zip(top).skip(pivot) {
                *value -= factor * above;
            }
            right[pivot + 1 + offset] -= factor * right[pivot];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n)
            .map(|column| matrix[row][column] * right[column])
            .sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_model_is_found_again() {
        // Every tenth of a grid, in proportion to its probability.
        let truth = |x: f64, y: f64| logistic(-1.0 + 2.0 * x - 0.5 * y);
        let mut rows: Vec<([f64; 2], bool)> = Vec::new();
        for i in 0..30 {
            for j in 0..30 {
                let (x, y) = (f64::from(i) / 10.0, f64::from(j) / 10.0);
                for k in 0..10 {
                    rows.push(([x, y], (f64::from(k) + 0.5) / 10.0 < truth(x, y)));
                }
            }
        }
        let rows: Vec<(&[f64], bool)> = rows.iter().map(|(x, label)| (&x[..], *label)).collect();
        let model = Logistic::fit(&rows);
        assert!((model.coefficients[0] - 2.0).abs() < 0.2, "{model:?}");
        assert!((model.coefficients[1] + 0.5).abs() < 0.2, "{model:?}");
        assert!((model.intercept + 1.0).abs() < 0.3, "{model:?}");
    }

    #[test]
    fn separable_constant_and_missing_examples_leave_finite_coefficients() {
        let separable: Vec<([f64; 2], bool)> =
            (0..20).map(|i| ([f64::from(i), 3.0], i >= 10)).collect();
        let rows: Vec<(&[f64], bool)> = separable.iter().map(|(x, y)| (&x[..], *y)).collect();
        let model = Logistic::fit(&rows);
        assert!(model.coefficients.iter().all(|c| c.is_finite()));
        assert_eq!(model.coefficients[1], 0.0);
        assert!(model.probability(&[19.0, 3.0]) > 0.9);
        let one_class: Vec<(&[f64], bool)> = rows.iter().map(|(x, _)| (*x, false)).collect();
        assert!(Logistic::fit(&one_class).probability(&[5.0, 3.0]) < 0.05);
        assert_eq!(Logistic::fit(&[]).probability(&[]), 0.5);
    }
}
