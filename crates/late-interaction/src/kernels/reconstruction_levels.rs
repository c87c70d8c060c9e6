//! Reconstruction levels: what codes decode to, as whole numbers, and what a step is worth.

/// What represents a component of variance 1: `weight(code) = step * (level(code) - centre)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReconstructionLevels {
    /// Ascending, from 0, and the same from both ends.
    pub(crate) levels: &'static [u8],
    pub(crate) step: f32,
}

impl ReconstructionLevels {
    /// The level that represents 0.
    pub(crate) fn centre(&self) -> f32 {
        f32::from(self.levels[self.levels.len() - 1]) / 2.0
    }
}

/// The levels of Lloyd and Max (1960) for a Gaussian, moved to the coarsest whole numbers that lose little, with
/// the step found together, least error first. The coarser they are, the less is lost by rounding the
/// query that they meet.
pub(crate) fn lloyd_max_levels(bits: u8) -> ReconstructionLevels {
    let (levels, step): (&[u8], f32) = match bits {
        0 => (&[0], 0.0),
        1 => (&[0, 1], 1.595_133),
        2 => (&[0, 7, 13, 20], 0.151_034),
        3 => (&[0, 3, 5, 7, 9, 11, 13, 16], 0.266_972),
        4 => (
            &[0, 5, 8, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 32, 35, 40],
            0.136_397,
        ),
        5 => (
            &[
                0, 4, 7, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                29, 30, 31, 32, 33, 34, 36, 38, 41, 45,
            ],
            0.146_067,
        ),
        _ => (
            &[
                0, 7, 11, 14, 17, 19, 21, 23, 25, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
                39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
                60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 74, 76, 78, 80, 82, 85, 88, 92,
                99,
            ],
            0.076_363,
        ),
    };
    ReconstructionLevels { levels, step }
}

#[cfg(test)]
mod tests {
    use super::super::MAX_BITS;
    use super::*;

    /// Two products of it with 127 fit 16 bits.
    const MAX_LEVEL: u8 = 119;

    #[test]
    fn levels_rise_and_stay_in_range() {
        for bits in 0..=MAX_BITS {
            let (of_bits, n) = (lloyd_max_levels(bits), 1 << bits);
            assert_eq!(of_bits.levels.len(), n);
            let top = of_bits.levels[n - 1];
            assert!(of_bits.levels.is_sorted_by(|a, b| a < b) && top <= MAX_LEVEL);
            let ends = of_bits.levels.iter().zip(of_bits.levels.iter().rev());
            assert!(ends.into_iter().all(|(low, high)| low + high == top));
        }
    }
}
