//! Means with bootstrap intervals, and paired differences. Everything random is seeded.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Resamples of a bootstrap.
const RESAMPLES: usize = 2000;
/// Two-sided 95%.
const TAIL: f64 = 0.025;
/// Tasks that must differ before a difference is called clear.
const CLEAR_FROM: u32 = 6;

/// A mean with its 95% interval (percentile bootstrap, Efron 1979; 2,000 resamples).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct Estimate {
    /// Mean.
    pub mean: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A difference of means over the same tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct Paired {
    /// Tasks that both answered.
    pub n: u32,
    /// Mean of the first.
    pub base: f64,
    /// Mean of the second.
    pub other: f64,
    /// Second minus first, with its interval over resampled tasks.
    pub difference: Estimate,
    /// Tasks on which the second is better.
    pub wins: u32,
    /// Tasks on which it is worse.
    pub losses: u32,
}

impl Paired {
    /// Says whether the interval leaves out zero, and enough tasks differ: with fewer than six not
    /// even a sign test at 5% could tell.
    pub fn is_clear(&self) -> bool {
        self.wins + self.losses >= CLEAR_FROM
            && (self.difference.low > 0.0 || self.difference.high < 0.0)
    }
}

/// Returns the mean of `values` with its interval; zeros for none.
pub fn estimate(values: &[f64], seed: u64) -> Estimate {
    let mean = mean(values);
    if values.len() < 2 {
        return Estimate {
            mean,
            low: mean,
            high: mean,
        };
    }
    let mut random = Random(seed);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let sum: f64 = (0..values.len())
                .map(|_| values[random.below(values.len())])
                .sum();
            sum / values.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    Estimate {
        mean,
        low: percentile(&means, TAIL),
        high: percentile(&means, 1.0 - TAIL),
    }
}

/// Returns the mean of all values with an interval over clusters as well: repositories are drawn,
/// then tasks within each (two-stage bootstrap, Davison and Hinkley 1997, 3.8). `None` for fewer
/// than two clusters.
pub fn estimate_clustered(clusters: &[Vec<f64>], seed: u64) -> Option<Estimate> {
    let clusters: Vec<&Vec<f64>> = clusters
        .iter()
        .filter(|values| !values.is_empty())
        .collect();
    if clusters.len() < 2 {
        return None;
    }
    let mut random = Random(seed);
    let mut resample = || {
        let (mut sum, mut n) = (0.0, 0);
        for _ in 0..clusters.len() {
            let values = clusters[random.below(clusters.len())];
            n += values.len();
            sum += (0..values.len())
                .map(|_| values[random.below(values.len())])
                .sum::<f64>();
        }
        sum / n as f64
    };
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| resample()).collect();
    means.sort_by(f64::total_cmp);
    let all: Vec<f64> = clusters.into_iter().flatten().copied().collect();
    Some(Estimate {
        mean: mean(&all),
        low: percentile(&means, TAIL),
        high: percentile(&means, 1.0 - TAIL),
    })
}

/// Compares pairs of values of the same tasks: (first, second).
pub fn paired_difference(pairs: &[(f64, f64)], seed: u64) -> Paired {
    let differences: Vec<f64> = pairs.iter().map(|(base, other)| other - base).collect();
    let column = |of: fn(&(f64, f64)) -> f64| mean(&pairs.iter().map(of).collect::<Vec<_>>());
    let count = |keep: fn(&f64) -> bool| differences.iter().filter(|d| keep(d)).count() as u32;
    Paired {
        n: pairs.len() as u32,
        base: column(|pair| pair.0),
        other: column(|pair| pair.1),
        difference: estimate(&differences, seed),
        wins: count(|difference| *difference > 1e-9),
        losses: count(|difference| *difference < -1e-9),
    }
}

/// Returns the value below which a share of the sorted `values` lies (nearest rank); 0 for none.
pub fn percentile(values: &[f64], share: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let rank = (share * values.len() as f64).ceil() as usize;
    values[rank.clamp(1, values.len()) - 1]
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    match values.len() {
        0 => 0.0,
        // An empty sum of floats is -0.
        n => values.iter().fold(0.0, |sum, value| sum + value) / n as f64,
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): small, seeded, the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// Puts `items` in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_that_differ_widen_the_interval() {
        let clusters = [vec![1.0; 30], vec![0.0; 30], vec![0.5; 30]];
        let over_tasks = estimate(&clusters.concat(), 1);
        let over_both = estimate_clustered(&clusters, 1).unwrap();
        assert_eq!(over_both.mean, over_tasks.mean);
        assert!(over_both.high - over_both.low > 2.0 * (over_tasks.high - over_tasks.low));
        assert_eq!(estimate_clustered(&clusters[..1], 1), None);
    }
    use proptest::prelude::*;

    #[test]
    fn an_interval_holds_its_mean_and_shrinks_with_more_values() {
        let few: Vec<f64> = (0..10).map(|i| f64::from(i % 2)).collect();
        let many: Vec<f64> = (0..1000).map(|i| f64::from(i % 2)).collect();
        let (few, many) = (estimate(&few, 1), estimate(&many, 1));
        assert!(few.low <= 0.5 && 0.5 <= few.high);
        assert!(many.high - many.low < (few.high - few.low) / 4.0);
        assert_eq!(estimate(&[], 1).mean, 0.0);
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let values = [0.1, 0.9, 0.4, 0.4];
        assert_eq!(estimate(&values, 7), estimate(&values, 7));
    }

    #[test]
    fn pairs_are_compared_task_by_task() {
        let paired = paired_difference(&[(0.0, 1.0), (0.5, 0.5), (1.0, 0.9)], 1);
        assert_eq!((paired.n, paired.wins, paired.losses), (3, 1, 1));
        assert!((paired.difference.mean - 0.3).abs() < 1e-12);
        assert!(paired_difference(&[(0.0, 1.0); 20], 1).is_clear());
    }

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let values = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(percentile(&values, 0.5), 2.0);
        assert_eq!(percentile(&values, 0.95), 4.0);
        assert_eq!(percentile(&[], 0.5), 0.0);
    }

    proptest! {
        #[test]
        fn a_mean_lies_in_its_interval(values in prop::collection::vec(0.0_f64..1.0, 1..40), seed: u64) {
            let estimate = estimate(&values, seed);
            prop_assert!(estimate.low <= estimate.high);
            let widest = values.iter().copied().fold(f64::MIN, f64::max);
            prop_assert!(estimate.high <= widest + 1e-9);
        }

        #[test]
        fn shuffling_keeps_every_item(mut items in prop::collection::vec(0_u8..255, 0..50), seed: u64) {
            let mut sorted = items.clone();
            Random(seed).shuffle(&mut items);
            items.sort_unstable();
            sorted.sort_unstable();
            prop_assert_eq!(items, sorted);
        }
    }
}
