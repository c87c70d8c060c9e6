//! What is far out of the ordinary, measured by the repository itself.

/// The least spread that is believed, so that a handful of small differences makes no outliers.
const LEAST_SPREAD: f64 = 0.5;
/// Fewer values than this have no ordinary.
const LEAST_VALUES: usize = 8;

/// Tukey's fences over the logarithms of counts (Tukey 1977): counts in code are skewed, their
/// logarithms hardly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fence {
    /// The middle value.
    pub median: f64,
    /// From here on a value is out of the ordinary: third quartile and 1.5 spreads.
    pub outer: f64,
    /// From here on it is far out: third quartile and 3 spreads.
    pub far: f64,
}

impl Fence {
    /// Takes the fences of counts; `None` for fewer than eight. O(n log n).
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut logs: Vec<f64> = values.map(f64::ln_1p).collect();
        if logs.len() < LEAST_VALUES {
            return None;
        }
        logs.sort_by(f64::total_cmp);
        let quantile = |share: f64| {
            let at = share * (logs.len() - 1) as f64;
            let (low, high) = (at.floor() as usize, at.ceil() as usize);
            logs[low] + (logs[high] - logs[low]) * (at - at.floor())
        };
        let spread = (quantile(0.75) - quantile(0.25)).max(LEAST_SPREAD);
        Some(Self {
            median: quantile(0.5).exp_m1(),
            outer: (quantile(0.75) + 1.5 * spread).exp_m1(),
            far: (quantile(0.75) + 3.0 * spread).exp_m1(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Fence;

    #[test]
    fn a_value_is_held_against_the_others() {
        let small = |n: u32| f64::from(n % 4 + 1);
        let fence = Fence::of((0..40).map(small)).unwrap();
        assert!((1.0..4.0).contains(&fence.median));
        assert!(fence.outer > 4.0 && fence.far > fence.outer);
        let large = |n: u32| f64::from(n % 4 + 1) * 50.0;
        assert!(Fence::of((0..40).map(large)).unwrap().outer > 200.0);
    }

    #[test]
    fn a_few_values_have_no_ordinary() {
        assert_eq!(Fence::of([1.0, 2.0, 90.0].into_iter()), None);
    }
}
