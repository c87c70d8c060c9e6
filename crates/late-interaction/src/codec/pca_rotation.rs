//! PCA rotation: vectors are expressed in the principal axes of the residuals, which decorrelates the
//! components. A few of them then hold most of the variance, and those get the bits.

use super::kmeans::scores_of;
use half::f16;

/// Wider vectors stay as they are: what turning costs grows with the square.
const MAX_TURNED: usize = 256;
/// Weight of the tokens themselves in the covariance of residuals, in tokens: what a small sample
/// leaves open.
const PRIOR: f64 = 256.0;
const MAX_SWEEPS: usize = 12;

/// An orthogonal matrix, row by row; nothing for the identity.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PcaRotation {
    pub(super) dim: usize,
    pub(super) rows: Vec<f32>,
    columns: Vec<f32>,
}

/// Mean outer product of vectors.
#[derive(Clone, Debug)]
pub(super) struct Moments {
    dim: usize,
    n: usize,
    sums: Vec<f64>,
}

impl Moments {
    pub(super) fn new(dim: usize) -> Self {
        Self {
            dim,
            n: 0,
            sums: vec![0.0; dim * dim],
        }
    }

    /// O(dim²).
    pub(super) fn add(&mut self, row: &[f32]) {
        self.n += 1;
        for (x, sums) in row.iter().zip(self.sums.chunks_exact_mut(self.dim)) {
            let x = f64::from(*x);
            sums.iter_mut()
                .zip(row)
                .for_each(|(sum, y)| *sum += x * f64::from(*y));
        }
    }

    fn trace(&self) -> f64 {
        self.sums.iter().step_by(self.dim + 1).sum()
    }

    /// The means, `prior` weighing as much as [`PRIOR`] vectors and made as long as these are.
    fn shrunk(&self, prior: &Self) -> Vec<f64> {
        let trace = (self.trace() / self.n.max(1) as f64).max(1e-9);
        let scale = PRIOR * trace / prior.trace().max(1e-9);
        let mut means: Vec<f64> = self
            .sums
            .iter()
            .zip(&prior.sums)
            .map(|(own, prior)| (own + scale * prior) / (self.n as f64 + PRIOR))
            .collect();
        let floor = 1e-3 * trace / self.dim as f64;
        means
            .iter_mut()
            .step_by(self.dim + 1)
            .for_each(|mean| *mean += floor);
        means
    }
}

impl PcaRotation {
    pub(super) fn new(dim: usize, rows: Vec<f32>) -> Self {
        let column = |at: usize| rows.iter().skip(at).step_by(dim).copied();
        Self {
            dim,
            columns: if rows.is_empty() {
                Vec::new()
            } else {
                (0..dim).flat_map(column).collect()
            },
            rows,
        }
    }

    /// The directions of the residuals, those first where products go wrong most; then for each the
    /// residuals' spread, and their variance times the tokens'. O(dim³).
    pub(super) fn train(residuals: &Moments, tokens: &Moments) -> (Self, Vec<f32>, Vec<f64>) {
        let dim = residuals.dim;
        let covariance = residuals.shrunk(tokens);
        let mut directions = if dim <= MAX_TURNED {
            eigenvectors(covariance.clone(), dim)
        } else {
            identity(dim)
        };
        let pull = |row: &[f64]| {
            let variance = quadratic(&covariance, row);
            (
                variance,
                variance * quadratic(&tokens.sums, row) / tokens.n.max(1) as f64,
            )
        };
        let mut order: Vec<(f64, f64, usize)> = directions
            .chunks_exact(dim)
            .enumerate()
            .map(|(at, row)| {
                let (variance, pull) = pull(row);
                (variance, pull, at)
            })
            .collect();
        if dim <= MAX_TURNED {
            order.sort_by(|a, b| b.1.total_cmp(&a.1));
        } else {
            directions.clear();
        }
        // As they are on disk, so that a codec that is read again codes alike.
        let row = |at: usize| directions[at * dim..(at + 1) * dim].iter();
        let half = |x: &f64| f16::from_f64(*x).to_f32();
        let rows = if directions.is_empty() {
            Vec::new()
        } else {
            order
                .iter()
                .flat_map(|(.., at)| row(*at))
                .map(half)
                .collect()
        };
        let spreads = order
            .iter()
            .map(|(variance, ..)| (variance.sqrt() as f32).max(1e-6));
        let pulls = order.iter().map(|(_, pull, _)| *pull).collect();
        (Self::new(dim, rows), spreads.collect(), pulls)
    }

    /// Rows turned. O(rows × dim²).
    pub(crate) fn apply(&self, rows: &[f32]) -> Vec<f32> {
        times(&self.rows, rows, self.dim)
    }

    /// Rows turned back.
    pub(super) fn undo(&self, rows: &[f32]) -> Vec<f32> {
        times(&self.columns, rows, self.dim)
    }
}

fn times(matrix: &[f32], rows: &[f32], dim: usize) -> Vec<f32> {
    if matrix.is_empty() {
        return rows.to_vec();
    }
    let mut out = vec![0.0; rows.len()];
    scores_of(rows, matrix, dim, &mut out);
    out
}

fn identity(dim: usize) -> Vec<f64> {
    let mut rows = vec![0.0; dim * dim];
    rows.iter_mut().step_by(dim + 1).for_each(|x| *x = 1.0);
    rows
}

fn quadratic(matrix: &[f64], row: &[f64]) -> f64 {
    let dot = |a: &[f64]| -> f64 { a.iter().zip(row).map(|(a, b)| a * b).sum() };
    let rows = matrix.chunks_exact(row.len()).zip(row);
    rows.map(|(column, x)| x * dot(column)).sum()
}

/// Eigenvectors of a symmetric matrix as rows, by Jacobi's rotations (Golub, Van Loan 2013, 8.5).
fn eigenvectors(mut matrix: Vec<f64>, dim: usize) -> Vec<f64> {
    let mut vectors = identity(dim);
    for _ in 0..MAX_SWEEPS {
        let mut off = 0.0;
        for p in 0..dim {
            for q in p + 1..dim {
                let apq = matrix[p * dim + q];
                let (app, aqq) = (matrix[p * dim + p], matrix[q * dim + q]);
                if apq.abs() <= 1e-9 * (app.abs() + aqq.abs()) {
                    continue;
                }
                off += apq.abs();
                let theta = (aqq - app) / (2.0 * apq);
                let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                let turn = (cosine, tangent * cosine);
                turn_rows(&mut matrix, dim, (p, q), turn);
                turn_columns(&mut matrix, dim, (p, q), turn);
                turn_rows(&mut vectors, dim, (p, q), turn);
            }
        }
        if off == 0.0 {
            break;
        }
    }
    vectors
}

fn turn_rows(matrix: &mut [f64], dim: usize, (p, q): (usize, usize), (c, s): (f64, f64)) {
    let (front, back) = matrix.split_at_mut(q * dim);
    let rows = front[p * dim..(p + 1) * dim]
        .iter_mut()
        .zip(&mut back[..dim]);
    for (a, b) in rows {
        (*a, *b) = (c * *a - s * *b, s * *a + c * *b);
    }
}

fn turn_columns(matrix: &mut [f64], dim: usize, (p, q): (usize, usize), (c, s): (f64, f64)) {
    for row in matrix.chunks_exact_mut(dim) {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_finds_the_directions_and_can_be_undone() {
        let mut random = fastrand::Rng::with_seed(3);
        let dim = 12;
        let mut moments = Moments::new(dim);
        for _ in 0..4000 {
            let (a, b) = (random.f32() - 0.5, random.f32() - 0.5);
            // One direction of its own: all components alike.
            let row: Vec<f32> = (0..dim)
                .map(|_| 2.0 * a + 0.1 * (random.f32() + b))
                .collect();
            moments.add(&row);
        }
        let (rotation, spreads, _) = PcaRotation::train(&moments, &moments);
        assert!(spreads[0] > 10.0 * spreads[1], "{spreads:?}");
        let first = &rotation.rows[..dim];
        assert!(
            first
                .iter()
                .all(|x| (x.abs() - 1.0 / 12f32.sqrt()).abs() < 0.02),
            "{first:?}"
        );
        let rows: Vec<f32> = (0..3 * dim).map(|_| random.f32()).collect();
        let back = rotation.undo(&rotation.apply(&rows));
        assert!(rows.iter().zip(&back).all(|(a, b)| (a - b).abs() < 2e-3));
    }
}
