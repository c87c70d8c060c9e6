//! Is a subject right as often as it says? Its confidence in the first place of each answer, against how
//! often that place was right.

use crate::judge::Verdict;
use crate::results::TaskResult;

/// Answers with a confidence that a figure needs.
const FEWEST: usize = 20;
/// Groups of answers, of equal size.
const N_BINS: usize = 5;

/// How confidence and truth go together over the answers of a subject.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Calibration {
    pub(crate) n: usize,
    /// Mean squared difference between confidence and truth [Brier 1950]; 0 is best.
    pub(crate) brier: f64,
    /// The same of a subject that always says the share of right answers.
    pub(crate) base_brier: f64,
    /// Mean difference between confidence and share of right answers over the groups.
    pub(crate) error: f64,
    /// Groups by rising confidence.
    pub(crate) bins: Vec<Bin>,
}

/// Answers of like confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bin {
    pub(crate) n: usize,
    /// Mean confidence.
    pub(crate) confidence: f64,
    /// Share whose first place is right.
    pub(crate) right: f64,
}

impl Calibration {
    /// Sums up those lines that have a confidence; `None` where they are few.
    pub(crate) fn of<'a>(lines: impl Iterator<Item = &'a TaskResult>) -> Option<Self> {
        let judged = lines.filter_map(|line| {
            let first = line.verdicts.first().filter(|_| !line.unsupported)?;
            // What counts neither way says nothing here either.
            (*first != Verdict::Optional).then_some((line.confidence?, *first == Verdict::Right))
        });
        let mut judged: Vec<(f64, bool)> = judged.collect();
        if judged.len() < FEWEST {
            return None;
        }
        judged.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mean = |of: &dyn Fn(&(f64, bool)) -> f64| {
            judged.iter().map(of).sum::<f64>() / judged.len() as f64
        };
        let right = |one: &(f64, bool)| f64::from(u8::from(one.1));
        let base = mean(&right);
        let bins: Vec<Bin> = (0..N_BINS)
            .map(|at| &judged[at * judged.len() / N_BINS..(at + 1) * judged.len() / N_BINS])
            .map(|group| Bin {
                n: group.len(),
                confidence: group.iter().map(|one| one.0).sum::<f64>() / group.len() as f64,
                right: group.iter().map(right).sum::<f64>() / group.len() as f64,
            })
            .collect();
        let off = |bin: &Bin| (bin.confidence - bin.right).abs() * bin.n as f64;
        Some(Self {
            n: judged.len(),
            brier: mean(&|one| (one.0 - right(one)).powi(2)),
            base_brier: base * (1.0 - base),
            error: bins.iter().map(off).sum::<f64>() / judged.len() as f64,
            bins,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::line;

    fn lines(confidence: impl Fn(usize) -> f64) -> Vec<TaskResult> {
        let lines = (0..40).map(|at| TaskResult {
            confidence: Some(confidence(at)),
            verdicts: vec![if at % 4 == 0 {
                Verdict::Wrong
            } else {
                Verdict::Right
            }],
            ..line("whyrank", &format!("task-{at}"), 1.0)
        });
        lines.collect()
    }

    #[test]
    fn who_says_the_base_rate_is_calibrated_and_no_better() {
        let found = Calibration::of(lines(|_| 0.75).iter()).unwrap();
        assert!((found.brier - found.base_brier).abs() < 1e-12);
        assert!((found.base_brier - 0.1875).abs() < 1e-12);
        assert!(found.error < 0.1, "{}", found.error);
    }

    #[test]
    fn who_knows_is_better_than_the_base_rate() {
        let found =
            Calibration::of(lines(|at| if at % 4 == 0 { 0.1 } else { 0.95 }).iter()).unwrap();
        assert!(found.brier < 0.02, "{}", found.brier);
        assert!(found.bins[0].right < found.bins[4].right);
    }

    #[test]
    fn few_answers_say_nothing() {
        assert_eq!(Calibration::of(lines(|_| 0.5)[..19].iter()), None);
    }
}
