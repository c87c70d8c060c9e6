//! A fixed random rotation: signs and Hadamard transforms, O(d log d) and nothing to store.

/// Rounds of signs, transform and shuffle; two leave traces of the axes, three do not.
const ROUNDS: usize = 3;

/// Turns vectors of `dim` components; the result has `padded` components, a multiple of 64.
pub(super) struct Rotation {
    dim: usize,
    /// Components of the result.
    pub(super) padded: usize,
    /// Largest power of two that divides `padded`.
    block: usize,
    signs: Vec<f32>,
}

impl Rotation {
    /// Components of a turned vector of `dim`.
    pub(super) fn padded(dim: usize) -> usize {
        dim.next_multiple_of(64).max(64)
    }

    /// The rotation for a dimension; always the same.
    pub(super) fn new(dim: usize) -> Self {
        let padded = Self::padded(dim);
        let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ padded as u64;
        let mut sign = || {
            // SplitMix64 (Steele, Lea, Flood 2014).
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = state;
            bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            if (bits ^ (bits >> 31)) & 1 == 0 {
                1.0
            } else {
                -1.0
            }
        };
        Self {
            dim,
            padded,
            block: 1 << padded.trailing_zeros(),
            signs: (0..ROUNDS * padded).map(|_| sign()).collect(),
        }
    }

    /// The signs of `vector - centre`, turned: `[padded / 64]` words.
    pub(super) fn bits(&self, vector: &[f32], centre: &[f32], out: &mut Vec<u64>) {
        let mut turned = vec![0.0; self.padded];
        let centred = vector.iter().zip(centre).take(self.dim);
        for (to, (value, mean)) in turned.iter_mut().zip(centred) {
            *to = value - mean;
        }
        self.turn(&mut turned);
        out.extend(turned.chunks_exact(64).map(|word| {
            let bit = |(at, value): (usize, &f32)| u64::from(*value > 0.0) << at;
            word.iter()
                .enumerate()
                .map(bit)
                .fold(0, |word, bit| word | bit)
        }));
    }

    fn turn(&self, values: &mut Vec<f32>) {
        let n_blocks = self.padded / self.block;
        for signs in self.signs.chunks_exact(self.padded) {
            values
                .iter_mut()
                .zip(signs)
                .for_each(|(value, sign)| *value *= sign);
            values.chunks_exact_mut(self.block).for_each(hadamard);
            // Spreads what a block holds over all of them.
            let spread = |at: usize| values[at % n_blocks * self.block + at / n_blocks];
            *values = (0..self.padded).map(spread).collect();
        }
    }
}

/// Walsh–Hadamard transform in place; the length is a power of two.
fn hadamard(values: &mut [f32]) {
    let mut half = 1;
    while half < values.len() {
        for pair in values.chunks_exact_mut(2 * half) {
            let (left, right) = pair.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_angles_stay_but_for_the_scale() {
        for dim in [3, 64, 300, 384, 768] {
            let rotation = Rotation::new(dim);
            let turned = |seed: usize| {
                let mut vector: Vec<f32> = (0..dim)
                    .map(|at| ((at * 7 + seed) % 13) as f32 - 6.0)
                    .collect();
                vector.resize(rotation.padded, 0.0);
                let before = vector.clone();
                rotation.turn(&mut vector);
                (before, vector)
            };
            let dot =
                |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| f64::from(x * y)).sum::<f64>();
            let ((a, turned_a), (b, turned_b)) = (turned(1), turned(5));
            let scale = dot(&turned_a, &turned_a) / dot(&a, &a);
            let (expected, found) = (dot(&a, &b) * scale, dot(&turned_a, &turned_b));
            assert!(
                (expected - found).abs() <= scale * 1e-2,
                "{dim}: {expected} {found}"
            );
        }
    }
}
