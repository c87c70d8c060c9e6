//! How figures are written: the same everywhere, so that columns can be compared by eye.

use crate::statistics::{Estimate, Paired};

/// A figure that is not there.
pub(super) const NONE: &str = "–";

/// A score with three decimals and without its leading zero: `.842`, `1.000`, `−.012`.
pub(super) fn score(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let digits = format!("{:.3}", value.abs());
    let digits = digits.strip_prefix('0').unwrap_or(&digits);
    let is_negative = value < 0.0 && digits != ".000";
    format!("{}{digits}", if is_negative { "−" } else { "" })
}

/// A score with its sign; zero has none.
pub(super) fn signed_score(value: f64) -> String {
    with_plus(value, score(value))
}

/// A 95% interval of scores: `[.801, .881]`.
pub(super) fn interval(estimate: &Estimate) -> String {
    format!("[{}, {}]", score(estimate.low), score(estimate.high))
}

/// A difference with its interval: `+.041 [−.003, +.080]`.
pub(super) fn difference(estimate: &Estimate) -> String {
    format!(
        "{} [{}, {}]",
        signed_score(estimate.mean),
        signed_score(estimate.low),
        signed_score(estimate.high)
    )
}

/// A whole number with thousands separators.
pub(super) fn count(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 && digits != "0" {
        text.insert(0, '−');
    }
    text
}

/// A whole number with its sign; zero has none.
pub(super) fn signed_count(value: f64) -> String {
    with_plus(value, count(value))
}

/// Milliseconds: one decimal under ten.
pub(super) fn ms(value: f64) -> String {
    if value.is_finite() && value.abs() < 9.95 {
        tenths(value)
    } else {
        count(value)
    }
}

/// One decimal.
pub(super) fn tenths(value: f64) -> String {
    if value.is_finite() {
        format!("{value:.1}")
    } else {
        NONE.to_owned()
    }
}

/// A time span: `12 s`, `3 min 12 s`, `1 h 04 min`.
pub(super) fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return NONE.to_owned();
    }
    let whole = seconds.round() as u64;
    match whole {
        0..10 => format!("{seconds:.1} s"),
        10..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// `one task`, `2 tasks`, `1,251 tasks`.
pub(super) fn counted(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("one {one}"),
        _ => format!("{} {many}", count(n as f64)),
    }
}

/// Whether a difference is clear, in words, with what it says about `better` and `worse`.
pub(super) fn clarity(paired: &Paired, better: &str, worse: &str) -> String {
    match (paired.is_clear(), paired.difference.mean > 0.0) {
        (false, _) => "not clear".to_owned(),
        (true, true) => format!("clear, {better}"),
        (true, false) => format!("clear, {worse}"),
    }
}

fn with_plus(value: f64, text: String) -> String {
    let has_digits = text.chars().any(|c| ('1'..='9').contains(&c));
    if value > 0.0 && has_digits {
        format!("+{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_three_decimals_and_no_leading_zero() {
        let written: Vec<String> = [0.8424, 1.0, 0.0, -0.012, -0.0001, f64::NAN]
            .map(score)
            .to_vec();
        assert_eq!(written, [".842", "1.000", ".000", "−.012", ".000", "–"]);
        assert_eq!(signed_score(0.0412), "+.041");
        assert_eq!(signed_score(0.0001), ".000");
        let interval = Estimate {
            mean: 0.02,
            low: -0.01,
            high: 0.05,
        };
        assert_eq!(difference(&interval), "+.020 [−.010, +.050]");
    }

    #[test]
    fn counts_have_thousands_separators() {
        let written: Vec<String> = [0.0, 999.4, 1000.0, 15814.2, 1_234_567.0, -1200.0, -0.2]
            .map(count)
            .to_vec();
        assert_eq!(
            written,
            ["0", "999", "1,000", "15,814", "1,234,567", "−1,200", "0"]
        );
        assert_eq!(signed_count(1200.0), "+1,200");
    }

    #[test]
    fn milliseconds_have_a_decimal_under_ten() {
        assert_eq!(
            [0.0, 1.54, 9.94, 9.96, 1500.0].map(ms).to_vec(),
            ["0.0", "1.5", "9.9", "10", "1,500"]
        );
        assert_eq!(
            [4.0, 12.0, 192.0, 3840.0].map(duration).to_vec(),
            ["4.0 s", "12 s", "3 min 12 s", "1 h 04 min"]
        );
    }

    #[test]
    fn a_difference_is_clear_only_when_its_interval_leaves_out_zero() {
        let paired = |low, mean, high| Paired {
            difference: Estimate { mean, low, high },
            wins: 8,
            ..Paired::default()
        };
        assert_eq!(
            clarity(&paired(-0.1, 0.1, 0.2), "for a", "for b"),
            "not clear"
        );
        assert_eq!(
            clarity(&paired(0.1, 0.15, 0.2), "for a", "for b"),
            "clear, for a"
        );
        assert_eq!(
            clarity(&paired(-0.2, -0.15, -0.1), "for a", "for b"),
            "clear, for b"
        );
        let few = Paired {
            wins: 2,
            ..paired(0.1, 0.15, 0.2)
        };
        assert_eq!(clarity(&few, "for a", "for b"), "not clear");
    }
}
